"""Stoker's containers in Python, without a JVM: millions of small files in one file, read at memory speed.

import stoker
ds = stoker.open("train.stk")
ds[17]["data"], ds.fields["label"], ds.classes
"""

from __future__ import annotations

from ._collate import collate
from ._column import Column
from ._dataset import Dataset, open
from ._errors import StokerError
from ._order import order

__version__ = "0.1.0"
__all__ = ["Column", "Dataset", "StokerError", "collate", "open", "order"]
