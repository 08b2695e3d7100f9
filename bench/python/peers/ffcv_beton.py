"""FFCV: a .beton of JPEGs, decoded and cropped by threads in compiled code."""

from ffcv.fields import IntField, RGBImageField
from ffcv.fields.decoders import IntDecoder
from ffcv.fields.rgb_image import RandomResizedCropRGBImageDecoder
from ffcv.loader import Loader, OrderOption
from ffcv.transforms import RandomHorizontalFlip, ToTensor
from ffcv.writer import DatasetWriter
from contest import SIDE
from PIL import Image


class Photos:
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        path, label = self.items[i]
        return Image.open(path).convert("RGB"), label


class Peer:
    packages = ["ffcv", "torch"]

    def __init__(self, task):
        self.task = task
        self.beton = task.place("photos.beton")
        fields = {"image": RGBImageField(write_mode="jpg", jpeg_quality=92), "label": IntField()}
        DatasetWriter(self.beton, fields, num_workers=task.workers).from_indexed_dataset(Photos(task.items))
        self.settings = {
            f"{task.workers} threads": OrderOption.RANDOM,
            f"{task.workers} threads, quasi-random": OrderOption.QUASI_RANDOM,
        }

    def use(self, order):
        loader = Loader(
            self.beton, batch_size=self.task.batch, num_workers=self.task.workers, order=order,
            os_cache=order == OrderOption.RANDOM, drop_last=False,
            pipelines={
                "image": [RandomResizedCropRGBImageDecoder((SIDE, SIDE)), RandomHorizontalFlip(), ToTensor()],
                "label": [IntDecoder(), ToTensor()],
            })
        return lambda: loader
