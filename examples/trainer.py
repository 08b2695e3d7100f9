"""Trains with Hugging Face's Trainer on batches of stoker.Loader, and resumes in the middle of an epoch.

The position in the data is saved beside each checkpoint. The second run resumes with the sample after.

needs: torch transformers accelerate
run: python3 trainer.py train.stk --stop-after 13
run: python3 trainer.py train.stk
prints:
    …stopped after 13 steps, 104 samples of 160 in epoch 0
    …2 epochs of 160 samples, 40 steps
"""

import argparse
import json
import warnings
from pathlib import Path

import stoker
import torch
from transformers import Trainer, TrainerCallback, TrainingArguments, logging
from transformers.trainer_utils import get_last_checkpoint

logging.set_verbosity_error()
warnings.filterwarnings("ignore")


class Classifier(torch.nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 32 * 32, classes))

    def forward(self, data, label):
        logits = self.model(data)
        return {"loss": torch.nn.functional.cross_entropy(logits, label), "logits": logits}


class LoaderTrainer(Trainer):
    def get_train_dataloader(self):
        return self.train_dataset  # it delivers batches already


class SavePosition(TrainerCallback):
    def __init__(self, loader, stop_after):
        self.loader, self.stop_after = loader, stop_after

    def on_step_end(self, args, state, control, **_):
        if state.global_step == self.stop_after:
            control.should_save = control.should_training_stop = True

    def on_save(self, args, state, control, **_):
        file = Path(args.output_dir) / f"checkpoint-{state.global_step}" / "loader.json"
        file.write_text(json.dumps(self.loader.state_dict()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("train")
    parser.add_argument("--stop-after", type=int, default=0, help="stop after this many steps, as a time limit would")
    options = parser.parse_args()
    loader = stoker.Loader(
        options.train,
        8,
        shuffle=True,
        seed=3,
        transform="RandomResizedCrop(32),RandomHorizontalFlip",
        dtype="float32",
        framework="torch",
        fields=["data", "label"],
    )
    arguments = TrainingArguments(
        "trainer-output",
        num_train_epochs=2,
        save_strategy="epoch",
        ignore_data_skip=True,  # the loader begins where it has to
        remove_unused_columns=False,
        report_to="none",
        disable_tqdm=True,
        use_cpu=True,
    )
    checkpoint = get_last_checkpoint("trainer-output") if Path("trainer-output").exists() else None
    if checkpoint:
        loader.load_state_dict(json.loads((Path(checkpoint) / "loader.json").read_text()))
    callback = SavePosition(loader, options.stop_after)
    trainer = LoaderTrainer(Classifier(len(loader.classes)), arguments, train_dataset=loader, callbacks=[callback])
    trainer.train(resume_from_checkpoint=checkpoint)
    state = trainer.state
    if state.global_step == options.stop_after:
        position = loader.state_dict()
        seen = f"{position['cursor']} samples of {loader.samples} in epoch {position['epoch']}"
        print(f"stopped after {state.global_step} steps, {seen}")
    else:
        print(f"{state.epoch:.0f} epochs of {loader.samples} samples, {state.global_step} steps")
    loader.close()
