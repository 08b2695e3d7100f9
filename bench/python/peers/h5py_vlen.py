"""h5py, each sample a variable-length array of uint8, as courses show it. h5py lets one thread at a time into HDF5."""

import h5py
import numpy as np
import ways
from contest import read_file


class Peer(ways.MapStyle):
    packages = ["h5py"]

    def __init__(self, task):
        super().__init__(task)
        self.path = task.place("data.h5")
        with h5py.File(self.path, "w") as f:
            data = f.create_dataset("images", (len(task.items),), h5py.vlen_dtype(np.uint8))
            for i, (path, _) in enumerate(task.items):
                data[i] = np.frombuffer(read_file(path), np.uint8)

    def open(self):
        return h5py.File(self.path)["images"]

    def read(self, images, numbers):
        return [images[i] for i in numbers]
