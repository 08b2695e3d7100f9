"""Writes an image of 15 folders in each other with long names, the last of which has many empty files."""
import struct
import sys
import zlib

path, count, once = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "once"
DEPTH = 15
FOLDER_NAME = b"n" * 255
NONE = 2**64 - 1


def inode(kind, number, body):
    return struct.pack("<HHHHII", kind, 0o755, 0, 0, 0, number) + body


def stored(data):
    return struct.pack("<H", len(data) | 0x8000) + data


def compressed(data):
    block = zlib.compress(data, 9)
    return struct.pack("<H", len(block)) + block


inodes = inode(2, 1, struct.pack("<IIII", 96, 0xFFFFFFFF, 0, 0))  # the empty file that all names are of
offsets = [len(inodes) + 40 * i for i in range(DEPTH + 1)]
folders = b""
for i in range(DEPTH):
    folders += struct.pack("<III", 0, 0, 3 + i)
    folders += struct.pack("<HhHH", offsets[i + 1], 0, 1, len(FOLDER_NAME) - 1) + FOLDER_NAME
listing = b""
for start in range(0, count, 256):
    names = [b"%06x" % i if once else b"f" for i in range(start, min(count, start + 256))]
    listing += struct.pack("<III", len(names) - 1, 0, 1)
    listing += b"".join(struct.pack("<HhHH", 0, 0, 2, len(name) - 1) + name for name in names)
first = stored(folders)
names = first + b"".join(compressed(listing[i : i + 8192]) for i in range(0, len(listing), 8192))
for i in range(DEPTH + 1):
    each = len(folders) // DEPTH
    block, offset, length = (0, each * i, each) if i < DEPTH else (len(first), 0, len(listing))
    inodes += inode(8, 2 + i, struct.pack("<IIIIHHI", 2, length + 3, block, 1, 0, offset, 0xFFFFFFFF))
inode_table = stored(inodes)
directories = 96 + len(inode_table)
end = directories + len(names)
ids = stored(struct.pack("<I", 0))
tail = ids + struct.pack("<Q", end)
head = struct.pack(
    "<IIIIIHHHHHHQQQQQQQQ", 0x73717368, DEPTH + 2, 0, 131072, 0, 1, 17, 0x210, 1, 4, 0, offsets[0],
    end + len(tail), end + len(ids), NONE, 96, directories, NONE, NONE)
image = head + inode_table + names + tail
with open(path, "wb") as out:
    out.write(image + bytes(-len(image) % 4096))
