# Prints every value of an Arrow file that Stoker wrote: column, row, shape, canonical bytes as hex, tab-separated.
# sys.argv[2] is its compression: a buffer that did not get smaller is stored behind a length of 8 bytes.
import sys

ALIGNMENT = 64 if sys.argv[2] == "none" else 8
source = pa.memory_map(sys.argv[1])
reader = pa.ipc.open_file(source)
print("batches", reader.num_record_batches, sep="\t")
for field in reader.schema:
    print("type", field.name.encode().hex(), field.type, sep="\t")
row = 0
for b in range(reader.num_record_batches):
    batch = reader.get_batch(b)
    batch.validate(full=True)
    for name, column in zip(batch.schema.names, batch.columns):
        assert column.null_count == 0
        for buffer in column.buffers():
            assert buffer is None or buffer.size == 0 or buffer.address % ALIGNMENT == 0, "a buffer is not aligned"
        for i, (value, shape) in enumerate(rows(column)):
            print("value", name.encode().hex(), row + i, ",".join(map(str, shape)), value.hex(), sep="\t")
    row += batch.num_rows
