# Prints every value of a Parquet file that Stoker wrote, as pyarrow and as DuckDB read it: column, row, shape, bytes as hex.
import duckdb


def values(array):
    t = array.type
    if pa.types.is_struct(t):
        data, shapes = values(array.field("data")), array.field("shape").to_pylist()
        return [(d, tuple(s)) for (d, _), s in zip(data, shapes)]
    kind, rows = column(array)
    return [(value, ()) for value, _ in rows]


def show(reader, table):
    for name, chunked in zip(table.schema.names, table.columns):
        array = pa.concat_arrays(chunked.chunks) if chunked.num_chunks else pa.array([], chunked.type)
        assert array.null_count == 0
        for row, (value, shape) in enumerate(values(array)):
            print(reader, name.encode().hex(), row, ",".join(map(str, shape)), value.hex(), sep="\t")


file = pq.ParquetFile(sys.argv[1])
table = file.read()
table.validate(full=True)
for field in table.schema:
    print("type", field.name.encode().hex(), field.type, sep="\t")
show("pyarrow", table)
show("duckdb", duckdb.sql(f"FROM read_parquet('{sys.argv[1]}')").to_arrow_table())

# What the statistics say has to hold for every value.
row = 0
for g in range(file.metadata.num_row_groups):
    group = file.metadata.row_group(g)
    for c in range(group.num_columns):
        chunk = group.column(c)
        assert chunk.has_offset_index
        found = chunk.statistics
        if found is not None and found.has_min_max:
            part = table.column(chunk.path_in_schema).slice(row, group.num_rows).to_pylist()
            assert chunk.has_column_index
            bounds = [np.frombuffer(b, "f2")[0] if isinstance(b, bytes) else b for b in (found.min, found.max)]
            assert bounds == [min(part), max(part)], (chunk.path_in_schema, found, part)
            print("bounded", chunk.path_in_schema.encode().hex(), sep="\t")
    row += group.num_rows
