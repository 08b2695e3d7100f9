"""Random rows of a Parquet file with pyarrow: the row group of each is read from the mapped file. Samples per second."""
import random
import sys
import time

import pyarrow.parquet as pq

file = pq.ParquetFile(sys.argv[1], memory_map=True)
firsts = [0]
for g in range(file.metadata.num_row_groups):
    firsts.append(firsts[-1] + file.metadata.row_group(g).num_rows)
order = random.Random(0).sample(range(firsts[-1]), min(40, firsts[-1]))
start = time.perf_counter()
for row in order:
    group = max(g for g in range(len(firsts) - 1) if firsts[g] <= row)
    len(file.read_row_group(group, columns=["data"])["data"][row - firsts[group]].as_buffer())
print(len(order) / (time.perf_counter() - start))
