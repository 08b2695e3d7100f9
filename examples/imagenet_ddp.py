"""DistributedDataParallel on an ImageNet-like container, evaluation that counts every sample once, and resume.

A checkpoint has the model and the position. It is written after each epoch, and in the middle of one when SIGUSR1 comes: all
ranks then stop at the same step, and exit with 75 so that the batch script can requeue the job (imagenet.sbatch). The second
run below has another number of ranks: what is left of the epoch is divided among them.

needs: torch
run: torchrun --standalone --nproc-per-node 2 imagenet_ddp.py train.stk val.stk --epochs 2 --stop-after 3
run: torchrun --standalone --nproc-per-node 1 imagenet_ddp.py train.stk val.stk --epochs 1
run: torchrun --standalone --nproc-per-node 1 imagenet_ddp.py train.stk val.stk --epochs 2
prints:
    2 ranks: stopped in epoch 0, 48 of 160 samples done
    1 ranks: epoch 0, 112 samples trained, accuracy … of 40
    1 ranks: epoch 1, 160 samples trained, accuracy … of 40
"""

import argparse
import os
import signal
import sys
from pathlib import Path

import stoker
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

SIZE = 32
TRAIN = f"RandomResizedCrop({SIZE}),RandomHorizontalFlip,Normalize(imagenet)"
EVALUATE = f"Resize({SIZE}),CenterCrop({SIZE}),Normalize(imagenet)"
AGAIN = 75  # EX_TEMPFAIL of sysexits.h: not done, start it again


def make_model(classes: int) -> torch.nn.Module:
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, stride=2),
        torch.nn.ReLU(),
        torch.nn.AdaptiveAvgPool2d(4),
        torch.nn.Flatten(),
        torch.nn.Linear(8 * 16, classes),
    )


def join() -> torch.device:
    """Meets the other ranks, which torchrun or srun has started."""
    for name, of_slurm in (("RANK", "SLURM_PROCID"), ("WORLD_SIZE", "SLURM_NTASKS"), ("LOCAL_RANK", "SLURM_LOCALID")):
        if of_slurm in os.environ:
            os.environ.setdefault(name, os.environ[of_slurm])
    # Tensors in CPU memory, such as the counts below, are summed by gloo.
    dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    return torch.device("cuda", int(os.environ["LOCAL_RANK"])) if torch.cuda.is_available() else torch.device("cpu")


def total(*numbers: float) -> list:
    """The sums over all ranks."""
    sums = torch.tensor(numbers, dtype=torch.float64)
    dist.all_reduce(sums)
    return sums.tolist()


def evaluate(model: torch.nn.Module, path: str, device: torch.device) -> tuple:
    right = count = 0
    # Without shuffle every sample is delivered once; the last batch of a rank may be empty.
    with stoker.Loader(path, 16, transform=EVALUATE, dtype="float32", framework="torch") as loader:
        with torch.no_grad():
            for batch in stoker.to_device(loader, device):
                right += int((model(batch["data"]).argmax(1) == batch["label"]).sum())
                count += len(batch["label"])
    return tuple(int(number) for number in total(right, count))


class Training:
    """What a checkpoint holds: the model, the optimizer, and the position in the data."""

    def __init__(self, path: str, checkpoint: Path, device: torch.device) -> None:
        self.loader = stoker.Loader(
            path, 8, shuffle=True, seed=7, transform=TRAIN, dtype="float32", framework="torch", fields=["data", "label"]
        )
        self.device = device
        self.plain = make_model(len(self.loader.classes)).to(device)
        self.model = DistributedDataParallel(self.plain)
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.05, momentum=0.9)
        self.checkpoint = checkpoint
        self.parts = {"model": self.plain, "optimizer": self.optimizer, "loader": self.loader}
        if checkpoint.exists():
            saved = torch.load(checkpoint, map_location=device)
            for name, part in self.parts.items():
                part.load_state_dict(saved[name])

    def save(self) -> None:
        # All ranks are at the same step, so the position of one is the position of the job.
        if dist.get_rank() == 0:
            new = self.checkpoint.with_suffix(".new")
            torch.save({name: part.state_dict() for name, part in self.parts.items()}, new)
            new.replace(self.checkpoint)  # a job that is killed here keeps the old one

    def epoch(self, must_stop) -> tuple:
        """Trains what is left of an epoch; how many samples, and whether it has stopped before the end."""
        trained = 0
        for batch in stoker.to_device(self.loader, self.device):
            loss = torch.nn.functional.cross_entropy(self.model(batch["data"]), batch["label"])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            trained += len(batch["label"])
            # The signal may come to one rank a step later than to another.
            if total(must_stop())[0]:
                return int(total(trained)[0]), True
        return int(total(trained)[0]), False


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("train")
    parser.add_argument("val")
    parser.add_argument("--epochs", type=int, default=90)
    parser.add_argument("--stop-after", type=int, default=0, help="stop after this many steps, as SIGUSR1 would")
    parser.add_argument("--checkpoint", type=Path, default=Path("imagenet.pt"))
    options = parser.parse_args()

    signals, steps = [], 0
    signal.signal(signal.SIGUSR1, lambda number, _: signals.append(number))

    def must_stop() -> bool:
        nonlocal steps
        steps += 1
        return bool(signals) or steps == options.stop_after

    device = join()
    rank, world = dist.get_rank(), dist.get_world_size()
    training = Training(options.train, options.checkpoint, device)
    loader, stopped = training.loader, False
    while loader.epoch < options.epochs and not stopped:
        epoch = loader.epoch
        trained, stopped = training.epoch(must_stop)
        training.save()
        if stopped:
            text = f"stopped in epoch {epoch}, {trained} of {loader.samples} samples done"
        else:
            right, count = evaluate(training.plain, options.val, device)
            text = f"epoch {epoch}, {trained} samples trained, accuracy {right / count:.2f} of {count}"
        if rank == 0:
            print(f"{world} ranks: {text}", flush=True)
    loader.close()
    dist.barrier()  # no rank leaves while another still waits for it
    dist.destroy_process_group()
    sys.exit(AGAIN if stopped and not options.stop_after else 0)


if __name__ == "__main__":
    main()
