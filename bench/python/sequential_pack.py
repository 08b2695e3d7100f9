"""The script that everyone writes: walks a folder and packs one file after another."""
import os
import sys
import tarfile

source, out = sys.argv[1:]
with tarfile.open(out, "w") as archive:
    for folder, folders, names in os.walk(source):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            archive.add(path, os.path.relpath(path, source))
