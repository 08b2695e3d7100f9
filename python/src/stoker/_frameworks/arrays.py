"""Batches as arrays of other frameworks. Each is imported only when it is asked for."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Callable, Dict, Optional

import numpy as np

from .._errors import StokerError
from .._loader.ragged import Ragged


class BatchConverter:
    """Makes batches of a framework out of those of NumPy.

    Arrays of PyTorch share the memory, and so do those of JAX on a CPU, where they have the same type: as long as they live,
    nothing is written there. Those of TensorFlow are copies.

    :param bfloat16: the field that has the bits of bfloat16 numbers
    """

    def __init__(self, framework: str, bfloat16: Optional[str]) -> None:
        require_framework(framework)
        self._framework = framework
        self._bfloat16 = bfloat16
        if framework in _PACKAGES:
            importlib.import_module(_PACKAGES[framework])

    def __call__(self, batch: Dict[str, Any]) -> Dict[str, Any]:
        if self._framework == "numpy":
            return batch
        convert = _CONVERSIONS[self._framework]
        batch = {name: _converted(value, convert) for name, value in batch.items()}
        if self._bfloat16 in batch:
            batch[self._bfloat16] = self.as_bfloat16(batch[self._bfloat16])
        return batch

    def as_bfloat16(self, value: Any) -> Any:
        """An array that has the bits of bfloat16 numbers as what it means; NumPy alone has no such type."""
        return value if self._framework == "numpy" else _as_bfloat16(self._framework, value)


def _converted(value: Any, convert: Callable[[np.ndarray], Any]) -> Any:
    """A field in another framework's arrays; what a function returned besides arrays stays as it is."""
    if isinstance(value, Ragged):
        return value.converted(convert)
    return convert(value) if isinstance(value, np.ndarray) else value


def require_framework(framework: str) -> None:
    valid = ("numpy", *_PACKAGES)
    if framework not in valid:
        raise StokerError(f"unknown framework '{framework}'; valid are {', '.join(valid)}")


# Functions of the module, so that a Ragged that has one can be pickled.


def torch_array(array: np.ndarray) -> Any:
    import torch  # type: ignore[import-not-found,unused-ignore]

    if array.dtype.kind == "u" and array.dtype.itemsize > 1 and not hasattr(torch, "uint16"):
        array = array.view(array.dtype.str.replace("u", "i"))
    return torch.from_numpy(array.view(np.ndarray))


def jax_array(array: np.ndarray) -> Any:
    import jax  # type: ignore[import-not-found,unused-ignore]

    return jax.device_put(array)


def tf_array(array: np.ndarray) -> Any:
    import tensorflow as tf  # type: ignore[import-not-found,import-untyped,unused-ignore]

    return tf.convert_to_tensor(np.array(array))


_PACKAGES = {"torch": "torch", "jax": "jax", "tf": "tensorflow"}
_CONVERSIONS: Dict[str, Callable[[np.ndarray], Any]] = {"torch": torch_array, "jax": jax_array, "tf": tf_array}


def _as_bfloat16(framework: str, value: Any) -> Any:
    if framework == "torch":
        return value.view(sys.modules["torch"].bfloat16)
    if framework == "jax":
        return value.view(sys.modules["jax"].numpy.bfloat16)
    tf = sys.modules["tensorflow"]
    return tf.bitcast(value, tf.bfloat16)
