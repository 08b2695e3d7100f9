"""Values that lie in compressed blocks. docs/format/index.md specifies the table of blocks and the steps of decoding."""

from __future__ import annotations

import bisect
import math
import os
import threading
from collections import OrderedDict
from typing import List

import numpy as np

from .._errors import StokerError, damaged
from .._system.files import map_file
from .codecs import CodecMissing, Step, decode
from .index import BLOCKS, NO_FIELD, Index

#: Decoded bytes that each thread keeps.
CACHE_BYTES = 64 << 20
MAX_BLOCK_BYTES = 1 << 30
#: A block may have as many bytes, however small its file; and so many for each byte of that.
FREE_BYTES = 256 << 20
MADE_PER_BYTE = 1040
TILE_BYTES = 24


class Blocks:
    """The decoded bytes of a container. Each thread keeps the blocks that it decoded last, so that none waits for another
    and a forked process finds no lock that somebody holds."""

    def __init__(self, index: Index, container: memoryview, path: str) -> None:
        self._index = index
        self._container = container
        self._path = path
        rows = index.section_bytes(index.section(BLOCKS, NO_FIELD))
        if len(rows) < 40 or len(rows) % 40:
            raise damaged(index.path, f"section BLOCKS should have 40 bytes for each block but has {len(rows)} in all")
        self._rows = rows.cast("Q")
        self._count = len(rows) // 40 - 1
        self._addresses = self._rows[::5]
        self._kept = threading.local()

    @property
    def size(self) -> int:
        """How many decoded bytes there are."""
        return int(self._addresses[self._count])

    def read(self, address: int, size: int) -> memoryview:
        """A run of decoded bytes; what reaches over several blocks is put together."""
        if not size:
            return memoryview(b"")
        if address + size > self.size:
            raise damaged(self._index.path, f"{size} bytes at the decoded byte {address} lie behind the last, {self.size}")
        number = bisect.bisect_right(self._addresses, address, 0, self._count) - 1
        if number < 0:
            raise damaged(self._index.path, f"no row of section BLOCKS holds the decoded byte {address}")
        parts: List[memoryview] = []
        while size:
            if number >= self._count:
                raise damaged(self._index.path, "section BLOCKS ends too early")
            start = address - self._addresses[number]
            part = self._block(number)[start : start + size]
            parts.append(part)
            address += len(part)
            size -= len(part)
            number += 1
        return parts[0] if len(parts) == 1 else memoryview(b"".join(parts))

    def _block(self, number: int) -> memoryview:
        kept: OrderedDict[int, memoryview] = self._kept.__dict__.setdefault("blocks", OrderedDict())
        block = kept.get(number)
        if block is not None:
            kept.move_to_end(number)
            return block
        block = self._decode(number)
        kept[number] = block
        held = self._kept.__dict__.get("bytes", 0) + len(block)
        while held > CACHE_BYTES and len(kept) > 1:
            held -= len(kept.popitem(last=False)[1])
        self._kept.bytes = held
        return block

    def _decode(self, number: int) -> memoryview:
        address, offset, stored, sizes, how = self._rows[5 * number : 5 * number + 5].tolist()
        decoded, skip = sizes & 0xFFFFFFFF, sizes >> 32
        size = self._addresses[number + 1] - address
        pipeline, file = how & 0xFFFFFFFF, how >> 32
        if decoded > MAX_BLOCK_BYTES or not 0 <= size <= decoded - skip or pipeline >= len(self._index.pipelines):
            raise damaged(self._index.path, f"row {number} of section BLOCKS is wrong")
        steps = self._index.pipelines[pipeline]
        if not self._index.files and decoded > max(FREE_BYTES, MADE_PER_BYTE * len(self._container)):
            raise damaged(self._path, f"a file of {len(self._container)} bytes is too small for blocks of {decoded} bytes")
        try:
            if steps and steps[0][0] == "tiles":
                whole = self._tiles(steps, offset, stored, decoded)
            else:
                whole = decode(steps, self._stored(file, offset, stored), decoded)
        except StokerError:
            raise  # it names the file
        except CodecMissing as e:
            raise StokerError(f"[{self._path}] {e}") from e
        except Exception as e:  # each package has errors of its own for data that it cannot decode
            names = " then ".join(name for name, _ in steps)
            raise damaged(self._path, f"the block of {stored} bytes ({names}) cannot be decoded: {e}", offset=offset) from e
        if len(whole) != decoded:
            raise damaged(self._path, f"the block should make {decoded} bytes but makes {len(whole)}", offset=offset)
        return whole[skip : skip + size]

    def _stored(self, file: int, offset: int, stored: int) -> memoryview:
        place, path = self._container, self._path
        if file:
            name = self._index.files[file - 1]
            if os.path.isabs(name) or ".." in name.split("/"):
                raise damaged(self._index.path, f"the file {name!r} should lie below the folder {path}")
            folder = os.path.realpath(path)
            path = os.path.join(path, name)
            if os.path.commonpath([folder, os.path.realpath(path)]) != folder:
                reason = f"the file {name!r} should lie below the folder {folder}, but a link leads out of it"
                raise damaged(self._index.path, reason)
            place = map_file(path)
        if offset + stored > len(place):
            raise damaged(path, f"a block of {stored} bytes should lie inside the file's {len(place)} bytes", offset=offset)
        return place[offset : offset + stored]

    def _tiles(self, steps: List[Step], offset: int, length: int, decoded: int) -> memoryview:
        width, rank, *numbers = steps[0][1]
        sample, tile, fill = numbers[: rank - 1], numbers[rank - 1 : 2 * rank - 1], numbers[2 * rank - 1 :]
        element = np.dtype((np.void, width))
        shape = [decoded // max(1, width * math.prod(sample)), *sample]
        grid = [-(-size // step) for size, step in zip(shape, tile)]
        if length != TILE_BYTES * math.prod(grid):
            raise StokerError(f"[{self._index.path}] a list of {math.prod(grid)} tiles has {length} bytes")
        whole = np.full(shape, np.frombuffer(bytes(n & 255 for n in fill), element)[0], element)
        entries = self._index.bytes[offset : offset + length].cast("Q")
        for number, at in enumerate(np.ndindex(*grid)):
            place, stored, where = entries[3 * number : 3 * number + 3].tolist()
            if stored:
                each = [step for bit, step in enumerate(steps[1:]) if not where >> 32 + bit & 1]
                data = decode(each, self._stored(where & 0xFFFFFFFF, place, stored), width * math.prod(tile))
                box = tuple(slice(i * step, min((i + 1) * step, size)) for i, step, size in zip(at, tile, shape))
                inside = tuple(slice(0, s.stop - s.start) for s in box)
                whole[box] = np.frombuffer(data, element).reshape(tile)[inside]
        return memoryview(whole.tobytes())
