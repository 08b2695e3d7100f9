"""pyarrow, an Arrow IPC file with one record batch for each sample, memory-mapped: its fastest way to single samples."""

import pyarrow as pa
import ways
from contest import read_file


class Peer(ways.MapStyle):
    packages = ["pyarrow"]

    def __init__(self, task):
        super().__init__(task)
        self.path = task.place("data.arrow")
        schema = pa.schema([("data", pa.binary())])
        with pa.OSFile(self.path, "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
            for path, _ in task.items:
                writer.write_batch(pa.record_batch([pa.array([read_file(path)], pa.binary())], schema=schema))

    def open(self):
        return pa.ipc.open_file(pa.memory_map(self.path))

    def read(self, reader, numbers):
        return [reader.get_batch(i).column(0)[0].as_py() for i in numbers]
