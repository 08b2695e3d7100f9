"""Trains with Hugging Face's Accelerate on batches of stoker.Loader, and resumes in the middle of an epoch.

`save_state` writes the position in the data beside the model, because the loader is registered for checkpointing. With
`accelerate launch`, each process gets its own share of the samples; the loader reads the rank from the environment.

needs: torch accelerate
run: python3 accelerate_training.py train.stk --stop-after 13
run: python3 accelerate_training.py train.stk
prints:
    …stopped in epoch 0 after 13 steps
    …epoch 0: 7 steps, loss …
    epoch 1: 20 steps, loss …
"""

import argparse
from pathlib import Path

import stoker
import torch
from accelerate import Accelerator

CHECKPOINT = Path("accelerate-checkpoint")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("train")
    parser.add_argument("--stop-after", type=int, default=0, help="stop after this many steps, as a time limit would")
    options = parser.parse_args()

    accelerator = Accelerator(cpu=True)
    transform = "RandomResizedCrop(32),RandomHorizontalFlip,Normalize(imagenet)"
    with stoker.Loader(
        options.train, 8, shuffle=True, seed=3, transform=transform, dtype="float32", framework="torch"
    ) as loader:
        model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 32 * 32, len(loader.classes)))
        optimizer = torch.optim.SGD(model.parameters(), 0.01)
        model, optimizer = accelerator.prepare(model, optimizer)  # not the loader: it divides the samples itself
        accelerator.register_for_checkpointing(loader)
        if CHECKPOINT.exists():
            accelerator.load_state(CHECKPOINT)  # the next loop delivers what was left of that epoch

        steps = 0
        while loader.epoch < 2:
            epoch, begin = loader.epoch, steps
            for batch in loader:
                data, label = batch["data"].to(accelerator.device), batch["label"].to(accelerator.device)
                loss = torch.nn.functional.cross_entropy(model(data), label)
                optimizer.zero_grad()
                accelerator.backward(loss)
                optimizer.step()
                steps += 1
                if steps == options.stop_after:
                    accelerator.save_state(CHECKPOINT)
                    accelerator.print(f"stopped in epoch {epoch} after {steps} steps")
                    return
            accelerator.print(f"epoch {epoch}: {steps - begin} steps, loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
