"""A DataModule for PyTorch Lightning; needs ``lightning`` or ``pytorch_lightning``."""

from __future__ import annotations

from typing import Any, Optional

from ._loader.loader import Loader
from ._types import Path

try:
    from lightning.pytorch import LightningDataModule  # type: ignore[import-not-found,unused-ignore]
except ImportError:
    from pytorch_lightning import LightningDataModule  # type: ignore[import-not-found,no-redef,assignment,unused-ignore]


class DataModule(LightningDataModule):  # type: ignore[misc,unused-ignore]
    """Loaders for training and validation. Further options are those of :class:`stoker.Loader`; ``shuffle`` and ``transform``
    are for training, ``val_transform`` for validation.

    ::

        data = stoker.lightning.DataModule("train.stk", "val.stk", batch_size=64, transform="RandomResizedCrop(224)")
        lightning.Trainer().fit(model, data)
    """

    def __init__(
        self,
        train: Optional[Path] = None,
        val: Optional[Path] = None,
        *,
        shuffle: Any = True,
        transform: Optional[str] = None,
        val_transform: Optional[str] = None,
        **options: Any,
    ) -> None:
        super().__init__()
        options = {"framework": "torch", **options}
        self._train = {"path_or_paths": train, "shuffle": shuffle, "transform": transform, **options}
        self._val = {"path_or_paths": val, "shuffle": False, "transform": val_transform, **options}

    def train_dataloader(self) -> Any:
        return Loader(**self._train) if self._train["path_or_paths"] is not None else []

    def val_dataloader(self) -> Any:
        return Loader(**self._val) if self._val["path_or_paths"] is not None else []
