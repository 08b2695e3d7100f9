"""A loader in the loops of other libraries: each resumes after any batch with what was left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

import map_functions as functions
import numpy as np
import pytest
from conftest import Packed
from test_held_batches import numbers  # noqa: F401

import stoker

pytestmark = pytest.mark.usefixtures("keeper")

OPTIONS: Dict[str, Any] = {"batch_size": 4, "shuffle": True, "seed": 3, "framework": "torch"}


def keys(batches: Any) -> List[List[str]]:
    return [list(batch["key"]) for batch in batches]


@pytest.mark.parametrize("workers", [0, 2])
def test_stateful_dataloader(stk: Packed, workers: int) -> None:
    stateful = pytest.importorskip("torchdata.stateful_dataloader")

    def make() -> Any:
        return stateful.StatefulDataLoader(stoker.Loader(stk.path, **OPTIONS), batch_size=None, num_workers=workers)

    whole = keys(make())
    delivered = sum(whole, [])
    assert set(delivered) == {sample["key"] for sample in stk.samples}
    assert len(delivered) == len(stk.samples) + workers // 2  # each worker gets as many: one repeats a sample
    for taken in range(len(whole) + 1):
        loader = make()
        batches = iter(loader)
        first = keys(next(batches) for _ in range(taken))
        resumed = make()
        resumed.load_state_dict(loader.state_dict())
        assert first == whole[:taken] and keys(batches) == whole[taken:]
        assert keys(resumed) == whole[taken:]


def test_lightning(stk: Packed, tmp_path: Path) -> None:
    lightning = pytest.importorskip("lightning.pytorch")
    torch = pytest.importorskip("torch")
    from stoker.lightning import DataModule

    class Model(lightning.LightningModule):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)
            self.seen: List[List[str]] = []

        def training_step(self, batch: Any, _: int) -> Any:
            self.seen.append(list(batch["key"]))
            return self.layer(batch["label"][:, None].float()).sum()

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), 1e-6)

    class Save(lightning.Callback):  # type: ignore[misc,name-defined]
        def on_train_batch_end(self, trainer: Any, *_: Any) -> None:
            trainer.save_checkpoint(tmp_path / f"{trainer.global_step}.ckpt")

    def train(callbacks: List[Any], checkpoint: Any = None) -> List[List[str]]:
        trainer = lightning.Trainer(
            max_epochs=2,
            accelerator="cpu",
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            callbacks=callbacks,
        )
        model = Model()
        trainer.fit(model, datamodule=DataModule(stk.path, batch_size=4, seed=3), ckpt_path=checkpoint)
        return model.seen

    whole = train([Save()])
    assert len(whole) == 12
    for step in range(1, 12):
        assert train([], str(tmp_path / f"{step}.ckpt")) == whole[step:]


def test_trainer(stk: Packed, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")

    class Model(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)
            self.seen: List[List[str]] = []

        def forward(self, key: Any, label: Any) -> Dict[str, Any]:
            self.seen.append(list(key))
            return {"loss": self.layer(label[:, None].float()).sum() * 1e-6}

    class Trainer(transformers.Trainer):  # type: ignore[misc,name-defined]
        def get_train_dataloader(self) -> Any:
            return self.train_dataset

    class SaveLoader(transformers.TrainerCallback):  # type: ignore[misc,name-defined]
        def __init__(self, loader: stoker.Loader) -> None:
            self.loader = loader

        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            place = Path(args.output_dir) / f"checkpoint-{state.global_step}" / "loader.json"
            place.write_text(json.dumps(self.loader.state_dict()))

    def train(output: Path, checkpoint: Any = None) -> List[List[str]]:
        model, loader = Model(), stoker.Loader(stk.path, fields=["key", "label"], **OPTIONS)
        arguments = transformers.TrainingArguments(
            str(output),
            num_train_epochs=2,
            save_strategy="steps",
            save_steps=1,
            report_to=[],
            use_cpu=True,
            disable_tqdm=True,
            ignore_data_skip=True,
            remove_unused_columns=False,
        )
        trainer = Trainer(model, arguments, train_dataset=loader, callbacks=[SaveLoader(loader)])
        if checkpoint is not None:
            loader.load_state_dict(json.loads((checkpoint / "loader.json").read_text()))
        trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
        return model.seen

    whole = train(tmp_path / "whole")
    assert len(whole) == 12
    for step in range(1, 12):
        assert train(tmp_path / f"from{step}", tmp_path / "whole" / f"checkpoint-{step}") == whole[step:]


def test_torch_functions_give_tensors(stk: Packed) -> None:
    torch = pytest.importorskip("torch")
    with stoker.Loader(stk.path, map=functions.torch_values, workers=2, **OPTIONS) as loader:
        batches = list(loader)
    labels = torch.cat([batch["label"] for batch in batches])
    assert sorted(labels.tolist()) == sorted(sample["label"] for sample in stk.samples)
    assert batches[0]["half"].dtype == torch.bfloat16 and batches[0]["half"].shape == (4, 3)
    assert torch.equal(torch.cat([batch["half"] for batch in batches])[:, 0].long(), labels)


def test_torchvision_functions_are_deterministic(stk: Packed) -> None:
    pytest.importorskip("torchvision")
    found = []
    for workers in (0, 2):
        with stoker.Loader(stk.path, map=functions.torchvision_chain, workers=workers, **OPTIONS) as loader:
            found.append([np.array(batch["image"]) for batch in loader])
    assert all((one == other).all() for one, other in zip(*found))
    assert found[0][0].shape == (4, 3, 16, 16)


def test_jax_arrays_lie_in_the_same_memory_and_stay(numbers: Path) -> None:  # noqa: F811
    pytest.importorskip("jax")
    with stoker.Loader(numbers, 8, fields=["number", "dense"], framework="jax", ahead=1) as loader:
        held = [batch["dense"] for _ in range(2) for batch in loader]
        places = [array.unsafe_buffer_pointer() for array in held]
        spaces = [line.split() for line in Path("/proc/self/maps").read_text().splitlines() if "memfd:stoker" in line]
    ranges = [tuple(int(end, 16) for end in space[0].split("-")) for space in spaces]
    assert all(any(start <= place < end for start, end in ranges) for place in places)
    assert [int(array[0, 0]) for array in held] == list(range(0, 400, 8)) * 2
