"""What the peers that decode by PyTorch have in common: JPEG to a crop of 224 x 224, flipped or not, and batches of those."""

import io

import torch
import torchvision
from contest import SIDE
from PIL import Image
from torchvision.transforms import v2

TRANSFORM = v2.Compose([v2.RandomResizedCrop(SIDE, antialias=True), v2.RandomHorizontalFlip()])


def decode_pil(data):
    return v2.functional.pil_to_tensor(TRANSFORM(Image.open(io.BytesIO(data)).convert("RGB")))


def decode_torchvision(data):
    data = torch.frombuffer(bytearray(data), dtype=torch.uint8)
    return TRANSFORM(torchvision.io.decode_jpeg(data, mode=torchvision.io.ImageReadMode.RGB))


DECODERS = {"PIL": decode_pil, "torchvision": decode_torchvision}


def settings(task):
    """Of a peer that has its samples in PyTorch's DataLoader: names to (decoder, processes, batches that each has ready)."""
    if task.job == "raw":
        return {
            "no workers": (None, 0, None),
            f"{task.workers} workers": (None, task.workers, 2),
            f"{task.workers} workers, prefetch 8": (None, task.workers, 8),
        }
    wanted = [task.variant] if task.variant else list(DECODERS)
    return {f"{task.workers} workers, {name}": (DECODERS[name], task.workers, 4) for name in wanted}


def loader(task, dataset, workers, prefetch, kind=torch.utils.data.DataLoader, **more):
    """Pickled with the data set for each worker, a sample is (bytes or tensor, label)."""
    torch.set_num_threads(1)
    collate = None if task.job == "photos" else first_of_each
    return kind(dataset, batch_size=task.batch, num_workers=workers, persistent_workers=workers > 0,
                prefetch_factor=prefetch, collate_fn=collate, **more)


def first_of_each(samples):
    """Bytes of different lengths are not stacked."""
    return [sample[0] for sample in samples]
