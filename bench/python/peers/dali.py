"""NVIDIA DALI on the CPU: loose files, shuffled as a whole after each epoch, decoded by the fused crop."""

import math

import numpy as np
from contest import SIDE
from nvidia.dali import fn, pipeline_def


class Peer:
    packages = ["nvidia-dali-cuda120"]

    def __init__(self, task):
        self.task = task
        self.settings = {f"{task.workers} threads, queue {depth}": depth for depth in (2, 4)}

    def use(self, depth):
        task = self.task
        files, labels = [list(each) for each in zip(*task.items)]

        @pipeline_def(batch_size=task.batch, num_threads=task.workers, device_id=None, prefetch_queue_depth=depth, seed=task.seed)
        def pipeline():
            jpegs, numbers = fn.readers.file(files=files, labels=labels, shuffle_after_epoch=True, pad_last_batch=True)
            photos = fn.decoders.image_random_crop(
                jpegs, device="cpu", random_area=[0.08, 1.0], random_aspect_ratio=[3 / 4, 4 / 3])
            photos = fn.resize(photos, size=[SIDE, SIDE])
            return fn.flip(photos, horizontal=fn.random.coin_flip()), numbers

        pipe = pipeline()
        pipe.build()

        def epoch():
            left = len(files)
            for _ in range(math.ceil(left / task.batch)):
                photos, numbers = pipe.run()
                count = min(left, task.batch)  # the last batch is padded
                left -= count
                yield np.asarray(photos.as_tensor())[:count], np.asarray(numbers.as_tensor())[:count]

        return epoch
