"""Trains a small network on photos.stk, saves when it is stopped, and resumes where it was.

needs: torch
run: python3 first_training.py --stop-after 5
run: python3 first_training.py
prints:
    stopped in epoch 0 after 5 steps
    epoch 0: 15 steps, loss …
    epoch 1: 20 steps, loss …
"""

import argparse
from pathlib import Path

import stoker
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--stop-after", type=int, default=0, help="stop after this many steps, as a time limit would")
options = parser.parse_args()

transform = "RandomResizedCrop(32),RandomHorizontalFlip,Normalize(imagenet)"
checkpoint = Path("checkpoint.pt")
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 32 * 32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 4))
optimizer = torch.optim.SGD(model.parameters(), 0.01)

with stoker.Loader("photos.stk", 10, shuffle=True, transform=transform, dtype="float32", framework="torch") as loader:
    if checkpoint.exists():
        saved = torch.load(checkpoint)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        loader.load_state_dict(saved["loader"])  # the next loop delivers what was left of that epoch

    steps = 0
    while loader.epoch < 2:
        epoch, begin = loader.epoch, steps
        for batch in loader:
            loss = torch.nn.functional.cross_entropy(model(batch["data"]), batch["label"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps += 1
            if steps == options.stop_after:
                break
        if steps == options.stop_after:
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "loader": loader.state_dict()}
            torch.save(state, checkpoint)
            print(f"stopped in epoch {epoch} after {steps} steps")
            break
        print(f"epoch {epoch}: {steps - begin} steps, loss {loss.item():.3f}")
