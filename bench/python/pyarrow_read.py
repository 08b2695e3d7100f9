"""Random reads of an Arrow file of one row per batch as the usual data set class does them: samples per second."""
import random
import sys
import time

import pyarrow as pa

reader = pa.ipc.open_file(pa.memory_map(sys.argv[1]))
order = list(range(reader.num_record_batches))
random.Random(0).shuffle(order)
buffer = memoryview(bytearray(64 << 20))
best = 0.0
for _ in range(3):
    start = time.perf_counter()
    for i in order:
        batch = reader.get_batch(i)
        data = memoryview(batch["image_data"][0].as_buffer()).cast("B")
        buffer[:data.nbytes] = data
        batch["label"][0].as_py()
    best = max(best, len(order) / (time.perf_counter() - start))
print(best)
