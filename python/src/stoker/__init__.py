"""Millions of small files in one container, read at memory speed.

import stoker
ds = stoker.open("train.stk")                       # by number, without a JVM
ds[17]["data"], ds.fields["label"], ds.classes

for batch in stoker.Loader("train.stk", 64):        # in batches, by one reader process for all ranks of the node
    batch["data"], batch["label"]

stoker.pack(samples, "train.stk")                   # any iterable of dicts or data set, into any format
stoker.log(step, loss=0.3)                          # scalars, to where metrics go: TensorBoard, JSON Lines
with stoker.Writer("predictions.arrow") as writer:  # from all ranks of a job into one file; then stoker.seal
    writer.append({"key": key, "scores": scores})

stoker.save({"model": model.state_dict()}, "run/step-1000.safetensors")     # by all ranks of a job, into one file
state = stoker.load(stoker.latest("run"))
"""

from __future__ import annotations

from ._errors import StokerError
from ._frameworks.collate import collate
from ._frameworks.huggingface import from_hf, to_hf
from ._frameworks.tensorflow import tf_dataset
from ._loader.device import to_device
from ._loader.loader import Loader
from ._loader.ragged import Ragged
from ._map.seeds import sample_seed
from ._metrics.log import log
from ._read.column import Column
from ._read.dataset import Dataset, open
from ._read.order import order
from ._state.load import load
from ._state.save import save
from ._state.series import latest
from ._state.tensors import Shard
from ._write.pack import pack
from ._write.writer import Sealed, Writer, seal

__version__ = "0.1.0"
__all__ = [
    "Column",
    "Dataset",
    "Loader",
    "Ragged",
    "Sealed",
    "Shard",
    "StokerError",
    "Writer",
    "collate",
    "from_hf",
    "latest",
    "load",
    "log",
    "open",
    "order",
    "pack",
    "sample_seed",
    "save",
    "seal",
    "tf_dataset",
    "to_device",
    "to_hf",
]
