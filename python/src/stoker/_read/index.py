"""The Index file: header, section table, META. docs/format/index.md specifies its bytes."""

from __future__ import annotations

import json
import struct
import sys
from typing import Any, Dict, List, Literal, NamedTuple, Optional, Tuple

from .._crc32c import crc32c
from .._errors import StokerError, damaged
from .._system.files import map_file
from .._types import FieldType, parse_type

MAGIC = b"\x89STKX\r\n\x1a"
MAJOR = 1
HEADER_BYTES = 128
SECTION_BYTES = 32
MAX_SECTIONS = 65536
MAX_SAMPLES_WITHOUT_BYTES = 1 << 20
NO_FIELD = 0xFFFFFFFF
META, VALUES, EXTENTS, CHECKSUMS, SHAPES, DATA, BLOCKS, TILES = 1, 2, 3, 4, 5, 6, 7, 8
KIND_NAMES = {
    META: "META",
    VALUES: "VALUES",
    EXTENTS: "EXTENTS",
    CHECKSUMS: "CHECKSUMS",
    SHAPES: "SHAPES",
    DATA: "DATA",
    BLOCKS: "BLOCKS",
    TILES: "TILES",
}


class Section(NamedTuple):
    offset: int
    length: int
    checksum: int


class Field(NamedTuple):
    """One field, and where its values lie."""

    number: int
    name: str
    type: FieldType
    place: str
    dense: bool
    base: int
    checksums: bool


class Omission(NamedTuple):
    """Something that a container holds and that no field delivers, such as a column of a type that Stoker does not read."""

    name: str
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.name} ({self.what}): {self.why}"


class Index:
    """An open Index: mapped, and checked as far as that takes no time that grows with the number of samples."""

    def __init__(self, path: str, data: Optional[memoryview] = None) -> None:
        self.path = path
        self.bytes = map_file(path) if data is None else data
        self._read_header()
        self._read_meta()
        self._check_sections()

    def _check(self, good: bool, offset: int, reason: str) -> None:
        if not good:
            raise damaged(self.path, reason, offset=offset)

    def _read_header(self) -> None:
        size = len(self.bytes)
        head = bytes(self.bytes[:HEADER_BYTES])
        self._check(
            size >= HEADER_BYTES and head[:8] == MAGIC,
            0,
            "the Index should begin with its magic number; the file is not an Index, or not sealed",
        )
        (major, _, kind, length, self.count, table, sections, table_crc, container_size, container_hash, flags) = (
            struct.unpack_from("<HHIQQQIIQ32sI", head, 8)
        )
        if major != MAJOR:
            raise StokerError(
                f"[{self.path}] is an Index of version {major}, but this package reads version {MAJOR}; use a newer one"
            )
        self.header_crc = int.from_bytes(head[124:128], "little")
        self._check(
            crc32c(memoryview(head)[:124]) == self.header_crc,
            0,
            "the header's checksum does not match; the file is damaged",
        )
        self._check(length == size, 16, f"the file should have {length} bytes but has {size}; it is truncated or damaged")
        self._check(self.count <= sys.maxsize, 24, f"the number of samples should be less than 2^63 but is {self.count}")
        self._check(kind in (1, 2), 12, f"the kind should be 1 or 2 but is {kind}")
        self.is_container = kind == 1
        self.is_packed = bool(flags & 1)
        self.identity = container_size, container_hash
        self._read_sections(table, sections, table_crc)

    def _read_sections(self, at: int, count: int, checksum: int) -> None:
        size = len(self.bytes)
        end = at + SECTION_BYTES * count
        self._check(
            count <= MAX_SECTIONS and at >= HEADER_BYTES and end <= size,
            32,
            f"the table of {count} sections at byte {at} should lie inside the file",
        )
        table = self.bytes[at:end]
        self._check(crc32c(table) == checksum, at, "the section table's checksum does not match")
        self.sections: Dict[Tuple[int, int], Section] = {}
        for entry, (kind, field, offset, length, crc, _) in enumerate(struct.iter_unpack("<IIQQII", table)):
            self._check(
                offset % 8 == 0 and offset + length <= size,
                at + SECTION_BYTES * entry,
                f"a section of {length} bytes at byte {offset} should lie inside the file",
            )
            if kind in KIND_NAMES:
                self.sections.setdefault((kind, field), Section(offset, length, crc))

    def _read_meta(self) -> None:
        section = self.section(META, NO_FIELD)
        text = bytes(self.section_bytes(section))
        self._check(crc32c(memoryview(text)) == section.checksum, section.offset, "the checksum of section META does not fit")
        try:
            meta = json.loads(text.decode("utf-8"))
            self.format: str = _take(meta, "format", str)
            self.fields: List[Field] = [_field(n, entry) for n, entry in enumerate(_take(meta, "fields", list))]
            self.classes: List[str] = _take(meta, "classes", list)
            self.splits = self._splits(_take(meta, "splits", list))
            self.pipelines = [[_step(step) for step in steps] for steps in meta.get("pipelines", [])]
            self.files: List[str] = meta.get("files", [])
            self.omissions = [_omission(entry) for entry in meta.get("omissions", [])]
            if not all(isinstance(name, str) for name in self.classes):
                raise StokerError("the classes should be names")
            self._check_fields()
        except (ValueError, TypeError, RecursionError) as e:  # StokerError, JSON and UTF-8 errors are ValueErrors
            raise damaged(self.path, f"section META: {e}", offset=section.offset) from e

    def _splits(self, entries: List[Any]) -> Dict[str, range]:
        splits: Dict[str, range] = {}
        end = 0
        for entry in entries:
            name, first, count = _take(entry, "name", str), _take(entry, "first", int), _take(entry, "count", int)
            if first != end or count < 0:
                raise StokerError(f"split '{name}' should begin at sample {end} but begins at {first} with {count} samples")
            end += count
            splits[name] = range(first, end)
        if entries and end != self.count:
            raise StokerError(f"the splits hold {end} samples but there are {self.count}")
        return splits

    def _check_fields(self) -> None:
        names = [field.name for field in self.fields]
        if not names or len(set(names)) < len(names):
            raise StokerError(f"the names of the fields should be there and differ but are {names}")
        key = next((field for field in self.fields if field.name == "key"), None)
        is_findable = key is not None and key.type.label == "text" and key.place != "tree"
        if not is_findable and any(field.place == "tree" for field in self.fields):
            raise StokerError("samples in files of their own need a field 'key' of text that is in none")

    def _check_sections(self) -> None:
        """Every section that a field needs is there and as long as the number of samples asks."""
        for kind, number in self.sections:
            is_of_field = kind not in (META, DATA, BLOCKS, TILES)
            self._check(
                number < len(self.fields) if is_of_field else number == NO_FIELD,
                self.sections[kind, number].offset,
                f"section {KIND_NAMES[kind]} is of field {number} but there are {len(self.fields)} fields",
            )
        for field in self.fields:
            if not field.dense:
                self._expect(EXTENTS, field, 16)
            elif field.base < 0:
                self._expect(VALUES, field, field.type.width)
            if field.checksums:
                self._expect(CHECKSUMS, field, 4)
            if field.type.rank:
                self._expect(SHAPES, field, 8 * field.type.rank)
        # Where no value has a byte, nothing else bounds the number of samples.
        self._check(
            self.count <= MAX_SAMPLES_WITHOUT_BYTES or any(field.type.width for field in self.fields),
            24,
            f"there should be at most {MAX_SAMPLES_WITHOUT_BYTES} samples that hold nothing but there are {self.count}",
        )

    def _expect(self, kind: int, field: Field, width: int) -> None:
        section = self.section(kind, field.number)
        self._check(
            section.length == width * self.count,
            section.offset,
            f"section {KIND_NAMES[kind]} of field '{field.name}' should have {width} bytes for each of {self.count} "
            f"samples but has {section.length} bytes in total",
        )

    def section(self, kind: int, number: int) -> Section:
        section = self.sections.get((kind, number))
        if section is None:
            of_field = "" if number == NO_FIELD else f" for field {number}"
            raise damaged(self.path, f"section {KIND_NAMES[kind]} is missing{of_field}")
        return section

    def section_bytes(self, section: Section) -> memoryview:
        return self.bytes[section.offset : section.offset + section.length]

    def words(self, kind: int, field: Field, code: Literal["Q", "I"]) -> memoryview:
        """A section as numbers: `Q` for 64 bits, `I` for 32. Reading one is faster than from a NumPy array."""
        return self.section_bytes(self.section(kind, field.number)).cast(code)

    def verify(self) -> None:
        """Checks every section that has a checksum of its own; takes as long as reading them."""
        for (kind, number), section in self.sections.items():
            is_covered = kind == DATA or (kind == VALUES and self.fields[number].checksums)
            if not is_covered:
                self._check(
                    crc32c(self.section_bytes(section)) == section.checksum,
                    section.offset,
                    f"the checksum of section {KIND_NAMES[kind]} does not fit",
                )


def _field(number: int, entry: Any) -> Field:
    type_ = parse_type(_take(entry, "type", str))
    field = Field(
        number,
        _take(entry, "name", str),
        type_,
        _take(entry, "place", str),
        _take(entry, "dense", bool),
        _take(entry, "base", int),
        _take(entry, "checksums", bool),
    )
    if field.dense and type_.width < 0:
        raise StokerError(f"a field of type {type_.label} cannot be dense")
    if field.place not in ("file", "index", "tree", "blocks"):
        raise StokerError(f"unknown place '{field.place}'; valid are file, index, tree, blocks")
    return field


def _omission(entry: Any) -> Omission:
    return Omission(_take(entry, "name", str), _take(entry, "what", str), _take(entry, "why", str))


def _step(entry: Any) -> Tuple[str, List[int]]:
    if not isinstance(entry, list) or not entry or not isinstance(entry[0], str):
        raise StokerError(f"a step of decoding should be a name and numbers but is {repr(entry)[:100]}")
    return entry[0], [int(number) for number in entry[1:]]


def _take(entry: Any, name: str, kind: type) -> Any:
    value = entry.get(name) if isinstance(entry, dict) else None
    if type(value) is not kind:
        raise StokerError(f"'{name}' should be of type {kind.__name__} but is {repr(value)[:100]}")
    return value
