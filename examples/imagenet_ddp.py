"""DistributedDataParallel on an ImageNet-like container, evaluation that counts every sample once, and resume.

A checkpoint has the model and the position. The second run has another number of ranks: what is left of the epoch is
divided among them.

needs: torch
run: torchrun --standalone --nproc-per-node 2 imagenet_ddp.py train.stk val.stk --epochs 2 --stop-after 3
run: torchrun --standalone --nproc-per-node 1 imagenet_ddp.py train.stk val.stk --epochs 2
prints:
    2 ranks: stopped in epoch 0, 48 of 160 samples done
    1 ranks: epoch 0, 112 samples trained, accuracy … of 40
    1 ranks: epoch 1, 160 samples trained, accuracy … of 40
"""

import argparse
import os
from pathlib import Path

import stoker
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

SIZE = 32
TRAIN = f"RandomResizedCrop({SIZE}),RandomHorizontalFlip,Normalize(imagenet)"
EVALUATE = f"Resize({SIZE}),CenterCrop({SIZE}),Normalize(imagenet)"


def make_model(classes: int) -> torch.nn.Module:
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, stride=2),
        torch.nn.ReLU(),
        torch.nn.AdaptiveAvgPool2d(4),
        torch.nn.Flatten(),
        torch.nn.Linear(8 * 16, classes),
    )


def total(*numbers: float) -> list:
    """The sums over all ranks."""
    sums = torch.tensor(numbers, dtype=torch.float64)
    dist.all_reduce(sums)
    return sums.tolist()


def evaluate(model: torch.nn.Module, path: str) -> tuple:
    right = count = 0
    # Without shuffle every sample is delivered once; the last batch of a rank may be empty.
    with stoker.Loader(path, 16, transform=EVALUATE, dtype="float32", framework="torch") as loader:
        with torch.no_grad():
            for batch in loader:
                right += int((model(batch["data"]).argmax(1) == batch["label"]).sum())
                count += len(batch["label"])
    return tuple(int(number) for number in total(right, count))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("train")
    parser.add_argument("val")
    parser.add_argument("--epochs", type=int, default=90)
    parser.add_argument("--stop-after", type=int, default=0, help="stop after this many steps, as a time limit would")
    parser.add_argument("--checkpoint", type=Path, default=Path("imagenet.pt"))
    options = parser.parse_args()

    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if torch.cuda.is_available() else torch.device("cpu")

    loader = stoker.Loader(
        options.train, 8, shuffle=True, seed=7, transform=TRAIN, dtype="float32", framework="torch", fields=["data", "label"]
    )
    plain = make_model(len(loader.classes)).to(device)
    model = DistributedDataParallel(plain)
    optimizer = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)
    if options.checkpoint.exists():
        saved = torch.load(options.checkpoint, map_location=device)
        plain.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        loader.load_state_dict(saved["loader"])

    steps = 0
    while loader.epoch < options.epochs:
        epoch, trained = loader.epoch, 0
        for batch in stoker.to_device(loader, device):
            loss = torch.nn.functional.cross_entropy(model(batch["data"]), batch["label"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            trained += len(batch["label"])
            steps += 1
            if steps == options.stop_after:
                break
        if steps == options.stop_after:
            if rank == 0:
                # All ranks are at the same step, so the position of one is the position of the job.
                state = {"model": plain.state_dict(), "optimizer": optimizer.state_dict(), "loader": loader.state_dict()}
                torch.save(state, options.checkpoint)
            done = int(total(trained)[0])
            if rank == 0:
                print(f"{world} ranks: stopped in epoch {epoch}, {done} of {loader.samples} samples done")
            break
        (trained_by_all,) = total(trained)
        right, count = evaluate(plain, options.val)
        if rank == 0:
            print(f"{world} ranks: epoch {epoch}, {int(trained_by_all)} samples trained, accuracy {right / count:.2f} of {count}")
    loader.close()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
