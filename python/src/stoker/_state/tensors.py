"""Tensors as a state holds them: of NumPy or torch, whole or a part of one that is spread over ranks."""

from __future__ import annotations

import math
import sys
import zlib
from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np

from .._errors import StokerError
from .safetensors import TYPES, Shape

_TYPE_OF_NAME = {name: dtype for dtype, (name, _) in TYPES.items()}
_ORDINARY = {name for name, _ in TYPES.values()} - {"bfloat16", "float8_e4m3fn", "float8_e5m2"}
#: Replicas are compared by these bytes: all of a small tensor; of a large one its beginning, middle and end.
_COMPARED_WHOLE_BYTES = 64 << 10
_COMPARED_PART_BYTES = 4 << 10


class Shard:
    """The part of a tensor that one rank has. A state that holds one is saved with the whole tensor in its place.

    ::

        rows = np.ones((500, 64), np.float32)       # rows 500 to 999, on rank 1
        stoker.save({"table": stoker.Shard(rows, (1000, 64), 500)}, "run/step-1.safetensors")

    :param tensor: the part: a NumPy array or a torch tensor
    :param shape: the shape of the whole tensor
    :param start: where the part begins, for each dimension; or a number: that of its first row
    """

    def __init__(self, tensor: Any, shape: Any, start: Any) -> None:
        self.tensor = tensor
        self.shape: Shape = tuple(int(n) for n in shape)
        first = (int(start),) + (0,) * (len(self.shape) - 1) if isinstance(start, (int, np.integer)) else start
        self.start: Shape = tuple(int(n) for n in first)
        part = tuple(tensor.shape)
        if not self.shape or not len(part) == len(self.start) == len(self.shape):
            raise StokerError(
                f"a shard has as many dimensions as the whole, and at least one, but the part has {len(part)}, the whole "
                f"{len(self.shape)}, and the start {len(self.start)}"
            )
        if any(at < 0 or at + n > whole for at, n, whole in zip(self.start, part, self.shape)):
            raise StokerError(f"a shard of {list(part)} at {list(self.start)} does not lie in a tensor of {list(self.shape)}")

    def __repr__(self) -> str:
        return f"<stoker.Shard {list(self.tensor.shape)} at {list(self.start)} of {list(self.shape)}>"


class Piece(NamedTuple):
    """A part that lies in this process: `data` is the array or tensor itself."""

    start: Shape
    shape: Shape
    data: Any


class Leaf(NamedTuple):
    """A tensor of a state, and the pieces of it that this rank has."""

    framework: str
    dtype: str
    shape: Shape
    is_sharded: bool
    pieces: List[Piece]


def part_of(length: int, rank: int, world: int) -> Tuple[int, int]:
    """The rows of a rank: as torch.chunk cuts, and so DTensor and FSDP: all have the same, the last ones less or nothing."""
    size = -(-length // world)
    return min(rank * size, length), min((rank + 1) * size, length)


def loaded_torch() -> Any:
    """torch, if the program uses it: it is never imported from here."""
    torch = sys.modules.get("torch")
    return torch if hasattr(torch, "Tensor") else None


def leaf_of(value: Any) -> Optional[Leaf]:
    """The tensor that a value of a state is; None if it is none."""
    if isinstance(value, Shard):
        inner = leaf_of(value.tensor)
        if inner is None or inner.is_sharded:
            raise StokerError(f"a shard's tensor should be an array or a tensor but is {type(value.tensor).__name__}")
        piece = Piece(value.start, inner.shape, value.tensor)
        return Leaf(inner.framework, inner.dtype, value.shape, True, [piece])
    if isinstance(value, np.ma.MaskedArray):
        raise StokerError("a masked array would lose its mask; save value.filled(), or value.data and value.mask")
    if isinstance(value, (np.ndarray, np.generic)):
        shape = tuple(value.shape)
        return Leaf("numpy", _type(value.dtype.name), shape, False, [Piece((0,) * len(shape), shape, value)])
    torch = loaded_torch()
    if torch is None:
        return None
    if hasattr(value, "local_shards") and hasattr(value, "metadata"):
        return _of_sharded_tensor(value)
    if not isinstance(value, torch.Tensor):
        return None
    dtype, shape = _type(str(value.dtype).replace("torch.", "")), tuple(value.shape)
    if hasattr(value, "placements") and hasattr(value, "device_mesh"):
        local = _of_dtensor(value)
        is_sharded = any(type(placement).__name__ != "Replicate" for placement in value.placements)
        return Leaf("torch", dtype, shape, is_sharded, [] if local is None else [local])
    if value.layout != torch.strided or value.is_quantized or value.device.type == "meta":
        kind = "one without memory (meta)" if value.device.type == "meta" else f"of layout {value.layout}"
        raise StokerError(f"a tensor should be dense but is {kind}; call to_dense(), or dequantize(), or leave it out")
    return Leaf("torch", dtype, shape, False, [Piece((0,) * len(shape), shape, value)])


def _type(name: str) -> str:
    if name not in _TYPE_OF_NAME:
        raise StokerError(f"a tensor's type is {name}, which safetensors does not have; it has {', '.join(_TYPE_OF_NAME)}")
    return _TYPE_OF_NAME[name]


def _of_sharded_tensor(value: Any) -> Leaf:
    """The older ShardedTensor of FSDP1's sharded state dicts."""
    dtype = _type(str(value.dtype).replace("torch.", ""))
    pieces = [
        Piece(tuple(shard.metadata.shard_offsets), tuple(shard.metadata.shard_sizes), shard.tensor)
        for shard in value.local_shards()
    ]
    return Leaf("torch", dtype, tuple(value.size()), True, pieces)


def _of_dtensor(value: Any) -> Optional[Piece]:
    """This rank's piece of a DTensor; None if it is not in its mesh."""
    mesh, shape = value.device_mesh, list(value.shape)
    coordinate = mesh.get_coordinate()
    if coordinate is None:
        return None
    start = [0] * len(shape)
    for i in _cut_order(value):
        dim = value.placements[i].dim % len(shape)
        low, high = part_of(shape[dim], coordinate[i], mesh.size(i))
        start[dim] += low
        shape[dim] = high - low
    local = value.to_local()
    # FSDP keeps a rank without rows as an empty tensor of any shape.
    if tuple(local.shape) != tuple(shape) and local.numel() + math.prod(shape) > 0:
        raise _unknown_layout(value)
    return Piece(tuple(start), tuple(shape), local.reshape(shape))


def _cut_order(value: Any) -> List[int]:
    """The mesh dimensions in the order in which they cut the tensor."""
    plain: List[int] = []
    strided: List[int] = []
    for i, placement in enumerate(value.placements):
        kind = type(placement).__name__
        if kind == "Shard":
            plain.append(i)
        elif kind == "_StridedShard":
            # FSDP over tensor parallelism: the later mesh dimensions cut first.
            inner = [j for j in range(i + 1, len(value.placements)) if _cuts(value.placements[j], placement.dim)]
            if placement.split_factor != math.prod(value.device_mesh.size(j) for j in inner) or strided:
                raise _unknown_layout(value)
            strided.append(i)
        elif kind != "Replicate":
            raise _unknown_layout(value)
    return plain + strided


def _cuts(placement: Any, dim: int) -> bool:
    return type(placement).__name__ == "Shard" and placement.dim == dim


def _unknown_layout(value: Any) -> StokerError:
    return StokerError(
        f"a DTensor of {list(value.shape)} is laid out as {tuple(value.placements)} over {value.device_mesh}, which cannot be "
        "saved part by part; save value.full_tensor()"
    )


def flat_bytes(data: Any) -> memoryview:
    """The bytes of an array or tensor, row-major and little-endian: its own memory where it is so, else a copy."""
    array: np.ndarray
    if isinstance(data, (np.ndarray, np.generic)):
        array = np.asarray(data)
        if array.dtype.byteorder == ">" or (array.dtype.byteorder == "=" and sys.byteorder == "big"):
            array = array.astype(array.dtype.newbyteorder("<"))
        array = np.ascontiguousarray(array).reshape(-1)
    else:
        tensor = data.detach().cpu().resolve_conj().resolve_neg().contiguous()
        # A tensor of one element is contiguous with any stride, but only one with stride 1 can be seen as bytes.
        array = tensor.as_strided((tensor.numel(),), (1,)).view(loaded_torch().uint8).numpy()
    return array.view(np.uint8).data


def copy_into(memory: np.ndarray, data: Any) -> Any:
    """Copies an array or tensor into bytes of its size; returns it as it lies there."""
    if isinstance(data, (np.ndarray, np.generic)):
        array = np.asarray(data)
        copy = memory.view(array.dtype).reshape(array.shape)
        np.copyto(copy, array)
        return copy
    torch = loaded_torch()
    tensor = torch.from_numpy(memory).view(data.dtype).reshape(data.shape)
    tensor.copy_(data.detach())
    return tensor


def is_plain_memory(data: Any) -> bool:
    """Whether the bytes lie in this process's memory in the right order, so that any thread can copy them by ranges."""
    if isinstance(data, np.ndarray):
        return bool(data.flags.c_contiguous) and data.dtype.byteorder != ">"
    if isinstance(data, np.generic):
        return False
    return data.device.type == "cpu" and data.is_contiguous() and not data.is_conj() and not data.is_neg()


def digest(data: Any) -> int:
    """Tells replicas apart that are not equal, as well as a look at some of the bytes can."""
    flat = data.reshape(-1) if hasattr(data, "reshape") else data
    size = math.prod(tuple(data.shape))
    item = data.dtype.itemsize
    if size * item <= _COMPARED_WHOLE_BYTES:
        return zlib.crc32(flat_bytes(data))
    if not is_plain_memory(data) and not hasattr(data, "device"):
        flat = np.ascontiguousarray(data).reshape(-1)
    count, checksum = _COMPARED_PART_BYTES // item, 0
    for begin in (0, (size - count) // 2, size - count):
        checksum = zlib.crc32(flat_bytes(flat[begin : begin + count]), checksum)
    return checksum


def empty(framework: str, dtype: str, shape: Shape) -> Tuple[Any, memoryview]:
    """A new array or tensor, and its bytes.

    Torch's memory has small pages, for which several threads read steadily fast; NumPy asks for large ones, which are faster
    where there are some, and much slower where the kernel has to make them.
    """
    size = math.prod(shape) * TYPES[dtype][1]
    torch = loaded_torch()
    memory: np.ndarray = torch.empty(size, dtype=torch.uint8).numpy() if framework == "torch" else np.empty(size, np.uint8)
    return as_tensor(framework, dtype, shape, memory), memory.data


def as_tensor(framework: str, dtype: str, shape: Shape, memory: np.ndarray) -> Any:
    """Bytes as an array or tensor."""
    name = TYPES[dtype][0]
    if framework == "torch":
        torch = loaded_torch()
        if memory.size == 0:
            return torch.empty(shape, dtype=getattr(torch, name))
        return torch.from_numpy(memory).view(getattr(torch, name)).reshape(shape)
    return memory.view(numpy_type(name)).reshape(shape)


def numpy_type(name: str) -> np.dtype:
    if name in _ORDINARY:
        return np.dtype(name)
    more = sys.modules.get("ml_dtypes")
    if more is None:
        raise StokerError(f"NumPy has no type {name}; import torch, or ml_dtypes, before the state is loaded")
    dtype: np.dtype = np.dtype(getattr(more, name))
    return dtype


def own_memory(data: Any) -> Optional[memoryview]:
    """The bytes of an array or tensor to write into; None if they do not lie in memory in the right order."""
    if not is_plain_memory(data) or (isinstance(data, np.ndarray) and not data.flags.writeable):
        return None
    return flat_bytes(data)
