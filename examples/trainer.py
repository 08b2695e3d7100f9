"""Trains with Hugging Face's Trainer: a map-style dataset of stoker.open, decoded in the workers.

needs: torch transformers accelerate PIL
run: python3 trainer.py train.stk
prints:
    …2 epochs of 160 samples, 20 steps
"""

import io
import sys

import numpy as np
import stoker
import torch
from PIL import Image
from torch.utils.data import Dataset
from transformers import Trainer, TrainingArguments


class Pictures(Dataset):
    def __init__(self, path):
        self.samples = stoker.open(path, fields=["data", "label"])
        self.classes = self.samples.classes

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        sample = self.samples[i]
        picture = Image.open(io.BytesIO(sample["data"])).convert("RGB").resize((32, 32))
        pixels = torch.from_numpy(np.asarray(picture, np.float32) / 255).permute(2, 0, 1)
        return {"pixels": pixels, "labels": int(sample["label"])}


class Classifier(torch.nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 32 * 32, classes))

    def forward(self, pixels, labels):
        logits = self.model(pixels)
        return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}


if __name__ == "__main__":
    pictures = Pictures(sys.argv[1])
    arguments = TrainingArguments(
        "trainer-output",
        num_train_epochs=2,
        per_device_train_batch_size=16,
        dataloader_num_workers=2,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        use_cpu=True,
    )
    trainer = Trainer(Classifier(len(pictures.classes)), arguments, train_dataset=pictures)
    trainer.train()
    print(f"{trainer.state.epoch:.0f} epochs of {len(pictures)} samples, {trainer.state.global_step} steps")
