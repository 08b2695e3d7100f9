"""Batches as other frameworks have them. Each is imported only when it is asked for."""

from __future__ import annotations

import multiprocessing
import sys
from typing import Any, Callable, Dict, NamedTuple, Optional

import numpy as np

from ._batch import Ragged
from ._errors import StokerError
from ._types import FieldType

FRAMEWORKS = ("numpy", "torch", "jax", "tf")

Convert = Callable[[np.ndarray], Any]


def converter(framework: str) -> Optional[Convert]:
    """How an array becomes one of a framework; None if it stays as it is.

    PyTorch's share the memory. JAX and TensorFlow take for granted that an array never changes, and may look at it later:
    theirs are copies.
    """
    if framework == "numpy":
        return None
    if framework == "torch":
        import torch  # noqa: F401

        return torch_array
    if framework == "jax":
        import jax  # noqa: F401

        return jax_array
    if framework == "tf":
        import tensorflow  # type: ignore[import-untyped,import-not-found,unused-ignore]  # noqa: F401

        return tf_array
    raise StokerError(f"unknown framework '{framework}'; valid are {', '.join(FRAMEWORKS)}")


# Functions of the module, so that a Ragged that has one goes to other processes.


def torch_array(array: np.ndarray) -> Any:
    import torch

    if array.dtype.kind == "u" and array.dtype.itemsize > 1 and not hasattr(torch, "uint16"):
        array = array.view(array.dtype.str.replace("u", "i"))
    return torch.from_numpy(array.view(np.ndarray))


def jax_array(array: np.ndarray) -> Any:
    import jax

    return jax.device_put(np.array(array))


def tf_array(array: np.ndarray) -> Any:
    import tensorflow as tf

    return tf.convert_to_tensor(np.array(array))


def convert_batch(batch: Dict[str, Any], convert: Convert) -> Dict[str, Any]:
    return {name: value.converted(convert) if isinstance(value, Ragged) else convert(value) for name, value in batch.items()}


def as_bfloat16(framework: str, value: Any) -> Any:
    """Pictures of bfloat16 come as the bits; NumPy alone has no such type."""
    if framework == "torch":
        return value.view(sys.modules["torch"].bfloat16)
    if framework == "jax":
        return value.view(sys.modules["jax"].numpy.bfloat16)
    if framework == "tf":
        tf = sys.modules["tensorflow"]
        return tf.bitcast(value, tf.bfloat16)
    return value


class Worker(NamedTuple):
    """A worker of a torch DataLoader."""

    number: int
    workers: int
    #: The same for all, and another one for each iteration that starts workers.
    seed: int
    #: The number of the process, among those that the main process started, less this worker's.
    first: int


def torch_worker() -> Optional[Worker]:
    """Which worker of a torch DataLoader this process is; None if it is none."""
    data = sys.modules.get("torch.utils.data")
    info = None if data is None else data.get_worker_info()
    if info is None:
        return None
    identity = multiprocessing.current_process()._identity or (0,)  # none where something else than torch started it
    return Worker(info.id, info.num_workers, info.seed - info.id, identity[-1] - info.id)


def tf_dataset(loader: Any) -> Any:
    """The batches of a loader as a ``tf.data.Dataset``, one epoch for each time that it is iterated over.

    Bytes, text and lists of text become tensors of strings (a list of texts is a ragged row); numbers and arrays of one shape
    dense tensors; arrays of one dimension ragged ones.
    """
    import tensorflow as tf

    signature = {name: _signature(tf, name, kind) for name, kind in loader._fields()}

    def batches() -> Any:
        for batch in loader:
            yield {name: _tf_value(tf, batch[name]) for name in signature}

    return tf.data.Dataset.from_generator(batches, output_signature=signature)


def _signature(tf: Any, name: str, kind: FieldType) -> Any:
    if kind.label in ("bytes", "text"):
        return tf.TensorSpec((None,), tf.string)
    if kind.label == "text[]":
        return tf.RaggedTensorSpec((None, None), tf.string, 1)
    if kind.rank == 1:
        return tf.RaggedTensorSpec((None, None), tf.as_dtype(kind.dtype), 1)
    if kind.rank:
        raise StokerError(
            f"field '{name}' of type {kind.label} has no place in a tf.data.Dataset: choose others with fields=[...]"
        )
    return tf.TensorSpec((None, *kind.shape), tf.as_dtype(kind.dtype))


def _tf_value(tf: Any, value: Any) -> Any:
    if not isinstance(value, Ragged):
        return value if tf.is_tensor(value) else np.array(value)
    plain = value.converted(None)
    label = value._type.label
    if label == "text":
        return np.array([each.encode("utf-8") for each in plain], object)
    if label == "bytes":
        return np.array([each.tobytes() for each in plain], object)
    if label == "text[]":
        return tf.ragged.constant(list(plain), ragged_rank=1, dtype=tf.string)
    return tf.RaggedTensor.from_row_splits(np.array(plain.values), np.array(plain.offsets))
