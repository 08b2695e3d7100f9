# Prints what Stoker should find in each Parquet file below a folder, by pyarrow; or why pyarrow does not read it.
import contextlib
import io
import os

for folder, _, files in sorted(os.walk(sys.argv[1])):
    for file in sorted(f for f in files if f.endswith(".parquet")):
        path = os.path.join(folder, file)
        name = os.path.relpath(path, sys.argv[1])
        text = io.StringIO()
        try:
            read = pq.ParquetFile(path)
            leaves_of = [read.schema.column(c) for c in range(len(read.schema))]
            # pyarrow shows these as timestamps; Stoker leaves them out.
            left_out = {leaf.path.split(".")[0] for leaf in leaves_of if leaf.physical_type == "INT96"}
            with contextlib.redirect_stdout(text):
                print_expected(read.read().drop_columns(list(left_out)), name)
            print(text.getvalue(), end="")
        except Exception as e:
            print(name, "!", "refused", 0, "", str(e).replace("\n", " ").replace("\t", " "), sep="\t")
