"""Trains with PyTorch Lightning; stoker.lightning.DataModule delivers both datasets, and resumes in the middle of an epoch.

Lightning's checkpoint has the position in the data. The second run resumes with the sample after.

needs: torch lightning
run: python3 lightning_training.py train.stk val.stk --stop-after 5
run: python3 lightning_training.py train.stk val.stk
prints:
    stopped after 5 steps
    2 epochs, 32 steps, of which this run did 27, validation loss …
"""

import argparse
import warnings
from pathlib import Path

import lightning
import stoker.lightning
import torch

warnings.filterwarnings("ignore", category=UserWarning, module="lightning")
CHECKPOINT = Path("lightning.ckpt")


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 32 * 32, 4))
        self.steps = 0

    def training_step(self, batch, _):
        self.steps += 1
        return torch.nn.functional.cross_entropy(self.model(batch["data"]), batch["label"])

    def validation_step(self, batch, _):
        loss = torch.nn.functional.cross_entropy(self.model(batch["data"]), batch["label"])
        self.log("val_loss", loss, batch_size=len(batch["label"]))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.01)


class StopAfter(lightning.Callback):
    """Saves in the middle of an epoch: at the end of fit, Lightning takes the epoch for done."""

    def on_train_batch_end(self, trainer, *_):
        if trainer.global_step == options.stop_after:
            trainer.save_checkpoint(CHECKPOINT)
            trainer.should_stop = True


parser = argparse.ArgumentParser()
parser.add_argument("train")
parser.add_argument("val")
parser.add_argument("--stop-after", type=int, default=0, help="stop after this many steps, as a time limit would")
options = parser.parse_args()
data = stoker.lightning.DataModule(
    options.train,
    options.val,
    batch_size=10,
    transform="RandomResizedCrop(32),RandomHorizontalFlip",
    val_transform="Resize((32,32))",
    dtype="float32",
    fields=["data", "label"],
)
quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False, "enable_model_summary": False}
trainer = lightning.Trainer(max_epochs=2, accelerator="cpu", callbacks=[StopAfter()], **quiet)
model = Classifier()
trainer.fit(model, data, ckpt_path=str(CHECKPOINT) if CHECKPOINT.exists() else None)
if options.stop_after == trainer.global_step:
    print(f"stopped after {trainer.global_step} steps")
else:
    loss = float(trainer.callback_metrics["val_loss"])
    steps = f"{trainer.global_step} steps, of which this run did {model.steps}"
    print(f"{trainer.current_epoch} epochs, {steps}, validation loss {loss:.3f}")
