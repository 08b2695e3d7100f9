# Prints row groups, rows, the bytes of the column data and the sum of labels; then a row that DuckDB found by its label.
import duckdb
import pyarrow.compute

file = pq.ParquetFile(sys.argv[1])
table = file.read()
lengths = pa.compute.sum(pa.compute.binary_length(table["data"])).as_py()
print(file.metadata.num_row_groups, table.num_rows, lengths, pa.compute.sum(table["label"]).as_py())
print(duckdb.sql(f"SELECT label FROM read_parquet('{sys.argv[1]}') WHERE label = 29000").fetchall()[0][0])
