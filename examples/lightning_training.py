"""Trains with PyTorch Lightning; stoker.lightning.DataModule delivers both datasets.

needs: torch lightning
run: python3 lightning_training.py train.stk val.stk
prints:
    2 epochs, validation loss …
"""

import sys
import warnings

import lightning
import stoker.lightning
import torch

warnings.filterwarnings("ignore", category=UserWarning, module="lightning")


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 32 * 32, 4))

    def training_step(self, batch, _):
        return torch.nn.functional.cross_entropy(self.model(batch["data"]), batch["label"])

    def validation_step(self, batch, _):
        loss = torch.nn.functional.cross_entropy(self.model(batch["data"]), batch["label"])
        self.log("val_loss", loss, batch_size=len(batch["label"]))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.01)


data = stoker.lightning.DataModule(
    sys.argv[1],
    sys.argv[2],
    batch_size=10,
    transform="RandomResizedCrop(32),RandomHorizontalFlip",
    val_transform="Resize((32,32))",
    dtype="float32",
    fields=["data", "label"],
)
quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False, "enable_model_summary": False}
trainer = lightning.Trainer(max_epochs=2, accelerator="cpu", **quiet)
trainer.fit(Classifier(), data)
print(f"{trainer.current_epoch} epochs, validation loss {float(trainer.callback_metrics['val_loss']):.3f}")
