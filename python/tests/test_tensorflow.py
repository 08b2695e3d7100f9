"""With real TensorFlow, in a process of its own: in one that has it, triton, which PyTorch brings, ends the process."""

from __future__ import annotations

import pytest
from conftest import Packed

import stoker

pytestmark = pytest.mark.usefixtures("keeper")


def test_tensorflow(stk: Packed) -> None:
    tf = pytest.importorskip("tensorflow")
    with stoker.Loader(stk.path, 4) as loader:
        dataset = stoker.tf_dataset(loader)
        batches = list(dataset.as_numpy_iterator())
        assert sum((batch["key"].tolist() for batch in batches), []) == [sample["key"].encode() for sample in stk.samples]
        assert sum((batch["data"].tolist() for batch in batches), []) == [sample["data"] for sample in stk.samples]
        assert sum((batch["label"].tolist() for batch in batches), []) == [sample["label"] for sample in stk.samples]
        assert len(list(dataset)) == len(loader)
    with stoker.Loader(stk.path, 4, framework="tf", fields=["label"]) as loader:
        tensors = [batch["label"] for batch in loader]
        assert all(tf.is_tensor(tensor) for tensor in tensors)
        assert tf.concat(tensors, 0).numpy().tolist() == [sample["label"] for sample in stk.samples]


def test_tensorflow_lists_of_text(rich: Packed) -> None:
    tf = pytest.importorskip("tensorflow")
    with stoker.Loader(rich.path, 7, fields=["captions", "score"]) as loader:
        rows = [row for batch in stoker.tf_dataset(loader) for row in batch["captions"].to_list()]
    assert rows == [[text.encode() for text in sample["captions"]] for sample in rich.samples]
    assert tf.__version__
