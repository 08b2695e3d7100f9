"""Values of Python as the bytes that containers hold; the types of values that nobody declared."""

from __future__ import annotations

import struct
from typing import Any, Callable, Dict, List, Mapping, Tuple, Union

import numpy as np

from .._errors import StokerError
from .._types import NUMBERS, FieldType, parse_type

Bytes = Union[bytes, bytearray, memoryview]
#: The bytes of a value, and its dimensions if each sample has its own.
Encoded = Tuple[Bytes, Tuple[int, ...]]


def encoder(name: str, kind: FieldType) -> Callable[[Any], Encoded]:
    """Makes the bytes of a value of a field; refuses what would not come back as it is."""

    def wrong(value: Any, reason: str = "") -> StokerError:
        return StokerError(f"a value of field '{name}' should be {kind.label} but is {_shown(value)}{reason}")

    def encode_bytes(value: Any) -> Encoded:
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise wrong(value)
        return memoryview(value).cast("B") if isinstance(value, memoryview) else value, ()

    def encode_text(value: Any) -> Encoded:
        if not isinstance(value, str):
            raise wrong(value)
        try:
            return value.encode("utf-8"), ()
        except UnicodeEncodeError as e:
            raise wrong(value, f", which has no UTF-8 form: {e.reason}") from None

    def encode_texts(value: Any) -> Encoded:
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, (list, tuple)):
            raise wrong(value)
        texts = [bytes(encode_text(text)[0]) for text in value]
        ends = np.cumsum([len(text) for text in texts], dtype="<u4").tobytes() if texts else b""
        return struct.pack("<I", len(texts)) + ends + b"".join(texts), ()

    def encode_array(value: Any) -> Encoded:
        dtype = kind.dtype
        assert dtype is not None
        array = _as_array(value)
        if array is None:
            raise wrong(value)
        if array.ndim != (kind.rank or len(kind.shape)) or (not kind.rank and array.shape != kind.shape):
            raise wrong(value)
        if array.dtype != dtype:
            cast = _cast(array, dtype)
            if cast is None:
                raise wrong(value, f", which {dtype} does not hold")
            array = cast
        return array.tobytes(), array.shape if kind.rank else ()

    special = {"bytes": encode_bytes, "text": encode_text, "text[]": encode_texts}
    return special.get(kind.label, encode_array)


def _shown(value: Any) -> str:
    array = _as_array(value)
    if array is None or not isinstance(value, (np.ndarray, np.generic)) and array.ndim:
        return f"{type(value).__name__} {str(value)[:60]!r}"
    return f"{array.dtype.name} {value}" if not array.ndim else f"{array.dtype.name}[{','.join(map(str, array.shape))}]"


def _as_array(value: Any) -> Any:
    """Numbers as NumPy has them, those of torch, jax and tensorflow too; None if it is none."""
    if value is None or isinstance(value, (str, bytes, bytearray, memoryview)):
        return None
    if isinstance(value, np.ma.MaskedArray):  # its mask would be lost
        return None
    if hasattr(value, "detach"):  # torch's, which may lie on a device and belong to a graph
        value = value.detach().cpu()
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        return None
    return array if array.dtype.name in NUMBERS else None


def _cast(array: np.ndarray, dtype: np.dtype) -> Any:
    """The same numbers in another type, floats rounded as everywhere; None if the type cannot hold them."""
    if "b" in (array.dtype.kind, dtype.kind) and array.dtype.kind != dtype.kind and array.size:
        return None
    if array.dtype.kind == "f" and dtype.kind != "f" and array.size:
        return None
    with np.errstate(over="ignore"):
        cast = array.astype(dtype)
    if dtype.kind == "f":
        held = bool(np.all(np.isfinite(cast) == np.isfinite(array)))
        # Floats round each other, integers must come back.
        held = held and (array.dtype.kind == "f" or bool(np.all(cast.astype(array.dtype) == array)))
    else:
        held = bool(np.all(cast == array)) and bool(np.all((cast < 0) == (array < 0)))
    return cast if held else None


def infer_schema(sample: Any) -> Dict[str, str]:
    """The types of the fields of a sample, for all samples. Arrays are of any length, so that the next may have another."""
    return {name: _infer(name, value) for name, value in require_mapping(sample).items()}


def _infer(name: str, value: Any) -> str:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "bytes"
    if isinstance(value, str):
        return "text"
    if isinstance(value, (list, tuple)) and value and all(isinstance(text, str) for text in value):
        return "text[]"
    if isinstance(value, np.ndarray) and value.dtype.kind in "OU" and value.size and isinstance(value.flat[0], str):
        return "text[]"
    array = _as_array(value)
    # An empty list says nothing about what the next sample has.
    if array is None or (isinstance(value, (list, tuple)) and not value):
        raise StokerError(
            f"the type of field '{name}' cannot be told from {_shown(value)}; give a schema with all fields, such as "
            f"{{'{name}': 'float32[*]'}}"
        )
    return f"{array.dtype.name}[{','.join('*' * array.ndim)}]" if array.ndim else str(array.dtype.name)


def require_mapping(sample: Any) -> Mapping[str, Any]:
    if not isinstance(sample, Mapping):
        raise StokerError(
            f"a sample should be a dict of names and values but is a {type(sample).__name__}; make one, such as "
            "{'data': sample[0], 'label': sample[1]}"
        )
    return sample


class SampleEncoder:
    """Samples of one schema as the reader process takes them, docs/format/batch-exchange.md."""

    def __init__(self, schema: Mapping[str, str]) -> None:
        self.schema: Dict[str, str] = dict(schema)
        self._fields: List[Tuple[str, Callable[[Any], Encoded]]] = [
            (name, encoder(name, parse_type(label))) for name, label in self.schema.items()
        ]
        if not self._fields:
            raise StokerError("a schema should name at least one field, such as {'key': 'text', 'scores': 'float32[*]'}")

    def encode(self, sample: Any, index: int) -> bytes:
        sample = require_mapping(sample)
        if len(sample) != len(self._fields) or any(name not in sample for name in self.schema):
            raise self._other_fields(sample)
        numbers, values = [index], []
        for name, encode in self._fields:
            value, shape = encode(sample[name])
            numbers += [len(value), *shape]
            values.append(value)
        return b"".join([struct.pack(f"<{len(numbers)}q", *numbers), *values])

    def _other_fields(self, sample: Mapping[str, Any]) -> StokerError:
        missing = [name for name in self.schema if name not in sample]
        unknown = [str(name) for name in sample if name not in self.schema]
        what = [f"lacks {', '.join(missing)}"] * bool(missing) + [f"has {', '.join(unknown)}"] * bool(unknown)
        return StokerError(f"a sample should have the fields {', '.join(self.schema)} but {' and '.join(what)}")
