"""Batches of a loader as a tf.data.Dataset."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._errors import StokerError
from .._loader.ragged import Ragged
from .._types import FieldType


def tf_dataset(loader: Any) -> Any:
    """The batches of a loader as a ``tf.data.Dataset``, one epoch for each time that it is iterated over.

    ::

        for batch in stoker.tf_dataset(stoker.Loader("train.stk", 64)).prefetch(2):
            batch["data"], batch["label"]

    Bytes, text and lists of text become tensors of strings (a list of texts is a ragged row); numbers and arrays of one shape
    dense tensors; arrays of one dimension ragged ones.
    """
    import tensorflow as tf  # type: ignore[import-not-found,import-untyped,unused-ignore]

    signature = {name: _signature(tf, name, kind) for name, kind in loader._feed.info().fields}

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
