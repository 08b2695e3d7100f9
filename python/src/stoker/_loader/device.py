"""Batches as torch tensors on a GPU."""

from __future__ import annotations

import collections
import ctypes
from typing import Any, Deque, Dict, Iterator, Optional, Tuple

import numpy as np

from .._errors import StokerError
from .cursor import State
from .loader import Loader
from .ragged import Ragged


def to_device(loader: Loader, device: Any, ahead: int = 2) -> "DeviceLoader":
    """The batches of a loader as torch tensors on a device, ``ahead`` of them under way while the one before is used.

    ::

        for batch in stoker.to_device(stoker.Loader("train.stk", 64, framework="torch"), "cuda"):
            model(batch["data"])

    On a GPU, the shared memory is registered with its runtime once, and copies run beside the computation. Ragged fields stay
    where they are: pad them, or take their ``values``. Without a GPU you get the loader's batches as they are: tensors
    if the loader has ``framework="torch"``.
    """
    return DeviceLoader(loader, device, ahead)


class DeviceLoader:
    """Made by :func:`to_device`. Its state is that of the batch that it gave last, not of those under way."""

    def __init__(self, loader: Loader, device: Any, ahead: int) -> None:
        if ahead < 1:
            raise StokerError(f"ahead should be at least 1 but is {ahead}")
        import torch  # type: ignore[import-not-found,unused-ignore]

        self._loader = loader
        self._device = torch.device(device)
        self._ahead = ahead
        self._state: Optional[State] = None

    def __len__(self) -> int:
        return len(self._loader)

    def __repr__(self) -> str:
        return f"<{self._loader!r} on {self._device}>"

    def set_epoch(self, epoch: int) -> None:
        self._loader.set_epoch(epoch)
        self._state = None

    def state_dict(self) -> State:
        return self._loader.state_dict() if self._state is None else self._state

    def load_state_dict(self, state: State) -> None:
        self._loader.load_state_dict(state)
        self._state = None

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        batches = iter(self._loader)
        self._state = None
        if self._device.type != "cuda":
            return batches
        return self._on_gpu(batches, _Copier(self._loader, self._device))

    def _on_gpu(self, batches: Iterator[Dict[str, Any]], copier: "_Copier") -> Iterator[Dict[str, Any]]:
        self._state = self._loader.state_dict()
        try:
            yield from self._copied(batches, copier)
        finally:
            copier.close()

    def _copied(self, batches: Iterator[Dict[str, Any]], copier: "_Copier") -> Iterator[Dict[str, Any]]:
        under_way: Deque[Tuple[Dict[str, Any], Any, State]] = collections.deque()
        assert self._state is not None
        while True:
            while len(under_way) < self._ahead:
                try:
                    batch = next(batches, None)
                    if batch is None:
                        break
                    under_way.append((*copier.copy(batch), self._loader.state_dict()))
                except BaseException:
                    # Ctrl-C, or an error: nobody gets what is under way. The next loop resumes after what was delivered.
                    self._loader._feed.resume_from(self._state)
                    raise
            if not under_way:
                return
            batch, done, state = under_way.popleft()
            copier.hand_over(batch, done)
            self._state = state
            yield batch


class _Copier:
    """Copies batches to a GPU in a stream of its own."""

    def __init__(self, loader: Loader, device: Any) -> None:
        import torch  # type: ignore[import-not-found,unused-ignore]

        self._torch: Any = torch
        self._loader = loader
        self._device = device
        self._stream = self._torch.cuda.Stream(device)
        self._registered: Dict[int, Any] = {}
        #: The batches that are being copied: their memory is used again as soon as nobody refers to it.
        self._sources: Deque[Tuple[Any, Dict[str, Any]]] = collections.deque()

    def copy(self, batch: Dict[str, Any]) -> Tuple[Dict[str, Any], Any]:
        """Begins to copy; returns the tensors, and the event after which they are there."""
        self._register()
        with self._torch.cuda.stream(self._stream):
            copied = {name: self._copy_one(value) for name, value in batch.items()}
            done = self._torch.cuda.Event()
            done.record(self._stream)
        self._sources.append((done, batch))
        while self._sources and self._sources[0][0].query():
            self._sources.popleft()
        return copied, done

    def _copy_one(self, value: Any) -> Any:
        if isinstance(value, Ragged):
            return value.copy()
        tensor = self._torch.from_numpy(value) if isinstance(value, np.ndarray) else value
        # Objects that a function returned stay where they are.
        return tensor.to(self._device, non_blocking=True) if isinstance(tensor, self._torch.Tensor) else tensor

    def hand_over(self, batch: Dict[str, Any], done: Any) -> None:
        """Lets the consumer's stream wait for the copy, and keeps the memory until that stream is done with it."""
        stream = self._torch.cuda.current_stream(self._device)
        stream.wait_event(done)
        for value in batch.values():
            if hasattr(value, "record_stream"):
                value.record_stream(stream)

    def close(self) -> None:
        """Waits for the copies, and registers nothing any more: the loader may unmap its memory from here on, and other memory
        would be taken for it."""
        self._stream.synchronize()
        self._sources.clear()
        runtime = self._torch.cuda.cudart()
        for address in self._registered:
            runtime.cudaHostUnregister(address)
        self._registered = {}

    def _register(self) -> None:
        """Tells the runtime of memory that it does not know yet, so that copies from it need not wait; where it refuses, copies
        are only slower. What is registered is kept mapped until it is registered no more."""
        current = {ctypes.addressof(ctypes.c_char.from_buffer(memory)): memory for memory in self._loader._feed.maps()}
        runtime = self._torch.cuda.cudart()
        for address in self._registered.keys() - current.keys():
            runtime.cudaHostUnregister(address)
        for address in current.keys() - self._registered.keys():
            runtime.cudaHostRegister(address, len(current[address]), 0)
        self._registered = current
