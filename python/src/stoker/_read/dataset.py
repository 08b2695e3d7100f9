"""The map-style data set: `stoker.open`."""

from __future__ import annotations

import difflib
import itertools
import operator
import os
import warnings
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
)

import numpy as np

from .._errors import StokerError
from .column import Column, dense_column, is_array
from .container import Container
from .index import Field
from .values import reader

Sample = Dict[str, Any]
#: Of how many keys the nearest one is looked for.
_COMPARED = 100_000

#: How many things that are left out a warning names.
NAMED = 5


#: The container, the first sample, the number of samples, and for each field its name and how a value is read. A plain
#: tuple, since taking apart a named one is slower.
_Opened = Tuple[Container, int, int, List[Tuple[str, Callable[[int], Any]]]]


class Dataset:
    """The samples of a container, or of one of its splits, as a sequence of dicts. Made by :func:`stoker.open`.

    ::

        ds = stoker.open("train.stk")
        ds[17]["data"], ds.classes[ds[17]["label"]]
        for sample in ds:
            ...

    ``ds[i]`` is sample i, counted from 0 or, if negative, from the end; ``ds["cat/17.jpg"]`` is the sample with that key;
    ``ds[2:8]`` and ``ds[[3, 1, 2]]`` are lists of samples. A sample has for each field

    ========================  =============================================================================
    ``bytes``                 ``bytes``, or with ``views=True`` a ``memoryview`` of the mapped file
    ``text``, ``text[]``      ``str``, list of ``str``
    ``int64``, ``bool``, ...  a NumPy number of that type
    ``float32[3,224,224]``    a NumPy array, read-only, on the mapped file (:meth:`numpy.ndarray.copy` makes it yours)
    ========================  =============================================================================

    Any number of threads may read, and a forked process may keep using its parent's. It pickles to its path, so that each
    process that gets it maps the files itself; no sample is copied. The memory of a mapped file belongs to the operating
    system, which shares it between processes. Files are unmapped when neither the data set nor any view is left.
    """

    def __init__(self, path: str, split: Optional[str], fields: Optional[Sequence[str]], views: bool) -> None:
        self._arguments = path, split, fields, views
        self._header: Optional[int] = None
        self._numbers: Optional[Dict[str, int]] = None
        self._files: Optional[_Opened] = self._open()
        self._header = self._files[0].index.header_crc

    def _open(self) -> _Opened:
        path, split, names, views = self._arguments
        container = Container(path)
        index = container.index
        if self._header not in (None, index.header_crc):
            raise StokerError(f"[{path}] was replaced since this data set was opened; open it again")
        samples = range(index.count)
        if split is not None:
            if split not in index.splits:
                raise StokerError(f"[{path}] has no split '{split}'; its splits are {', '.join(index.splits) or 'none'}")
            samples = index.splits[split]
        fields = index.fields if names is None else [container.field(name) for name in names]
        readers = [(field.name, self._reader(container, field, views)) for field in fields]
        return container, samples.start, len(samples), readers

    @staticmethod
    def _reader(container: Container, field: Field, views: bool) -> Callable[[int], Any]:
        if is_array(field):
            column = dense_column(container, field)
            return lambda i: column[i]
        return reader(container.index, field, container.view(field), views)

    @property
    def _opened(self) -> _Opened:
        # Threads that come here at once open the files more than once, which does no harm.
        if self._files is None:
            self._files = self._open()
        return self._files

    @property
    def _container(self) -> Container:
        return self._opened[0]

    def __getstate__(self) -> Tuple[Any, ...]:
        return self._arguments, self._header

    def __setstate__(self, state: Tuple[Any, ...]) -> None:
        self._arguments, self._header = state
        self._files = None
        self._numbers = None

    def __len__(self) -> int:
        return self._opened[2]

    def __getitem__(self, i: Any) -> Any:
        # The hot path: what is plain here earned its place by measuring.
        files = self._files
        if files is None:
            files = self._opened
        _, first, count, readers = files
        if i.__class__ is not int:
            if isinstance(i, str):
                return self[self.find(i)]
            if isinstance(i, (slice, list, tuple, range)) or getattr(i, "ndim", 0) != 0:
                return self.__getitems__(i)
            i = operator.index(i)
        if not 0 <= i < count:
            if not -count <= i < 0:
                raise self._out_of_range(i)
            i += count
        i += first
        sample = {}
        for name, read in readers:
            sample[name] = read(i)
        return sample

    def __getitems__(self, numbers: Any) -> List[Sample]:
        """The samples of a slice, or with these numbers; a DataLoader calls this for a batch."""
        if isinstance(numbers, slice):
            numbers = range(*numbers.indices(len(self)))
        numbers = list(numbers)
        if any(isinstance(i, (bool, np.bool_)) for i in numbers):
            raise TypeError("samples are chosen by their numbers, not by a mask; numpy.flatnonzero(mask) gives the numbers")
        return [self[operator.index(i)] for i in numbers]

    def __iter__(self) -> Iterator[Sample]:
        for i in range(len(self)):
            yield self[i]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}: {kind}" for name, kind in self.schema.items())
        return f"<stoker.Dataset {self.path}{f' [{self.split}]' if self.split else ''}: {len(self)} samples of {fields}>"

    @property
    def path(self) -> str:
        """The container's absolute path."""
        return self._arguments[0]

    @property
    def split(self) -> Optional[str]:
        """The split that was opened, or None for all samples."""
        return self._arguments[1]

    @property
    def format(self) -> str:
        """The name of the container's format, such as ``arrow``."""
        return self._container.index.format

    @property
    def schema(self) -> Dict[str, str]:
        """The type of each field that samples have here, such as ``{"key": "text", "data": "bytes", "label": "int64"}``."""
        container = self._container
        return {name: container.field(name).type.label for name, _ in self._opened[3]}

    @property
    def classes(self) -> List[str]:
        """The names of the labels: label n means the n-th; -1 means that a sample has none."""
        return list(self._container.index.classes)

    @property
    def splits(self) -> Dict[str, range]:
        """The container's splits: the numbers of their samples in the container as a whole."""
        return dict(self._container.index.splits)

    @property
    def omissions(self) -> List[str]:
        """What the container holds and no field delivers, such as columns of types that Stoker does not read: for each a line
        with its name, its type and the reason. :func:`stoker.open` warns of it, unless it is told which fields to read."""
        return [str(omission) for omission in self._container.index.omissions]

    @property
    def fields(self) -> Mapping[str, Union[np.ndarray, Column]]:
        """For each field the values of all samples: one NumPy array on the mapped file where they lie one after another (as
        labels do), else a :class:`stoker.Column`."""
        container, first, count, readers = self._opened
        return {
            name: self._column(container, container.field(name), read, range(first, first + count)) for name, read in readers
        }

    @staticmethod
    def _column(container: Container, field: Field, read: Callable[[int], Any], samples: range) -> Union[np.ndarray, Column]:
        if is_array(field):
            return dense_column(container, field)[samples.start : samples.stop]
        return Column(container, field, read, samples)

    def view(self, i: int, field: str) -> memoryview:
        """The bytes of one value where they lie in the mapped file, in the form that docs/format/index.md gives them."""
        container = self._container
        return container.view(container.field(field))(self._number(i))

    def read_into(self, i: int, field: str, buffer: Any) -> int:
        """Copies the bytes of one value to the beginning of a writable buffer, and returns how many they are."""
        value = self.view(i, field)
        target = memoryview(buffer).cast("B")
        if len(value) > len(target):
            raise StokerError(
                f"[{self.path}] sample {i}: field '{field}' has {len(value)} bytes but the buffer has room for {len(target)}"
            )
        target[: len(value)] = value
        return len(value)

    def verify(self, i: Optional[int] = None) -> None:
        """Compares the bytes of one sample, or of all and of the Index itself, with their checksums.

        Raises StokerError on a mismatch. It takes 10 s for each GB, or 0.1 s where ``google-crc32c`` is installed.
        """
        container, first, count, readers = self._opened
        samples = range(first, first + count) if i is None else [self._number(i)]
        if i is None:
            container.index.verify()
        for sample in samples:
            for name, _ in readers:
                container.verify(container.field(name), sample)

    def find(self, key: str) -> int:
        """The number of the sample with a key; the first one, if several have it. The first call reads all keys.

        ``ds["cat/17.jpg"]`` is ``ds[ds.find("cat/17.jpg")]``.
        """
        if self._numbers is None:
            keys = self.fields["key"]
            self._numbers = {key: i for i, key in zip(range(len(keys) - 1, -1, -1), reversed(list(keys)))}
        if key not in self._numbers:
            near = difflib.get_close_matches(key, itertools.islice(self._numbers, _COMPARED), 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise KeyError(f"[{self.path}] has no sample with key '{key}'{hint}")
        return self._numbers[key]

    def _number(self, i: int) -> int:
        """The number in the container of a sample of this split."""
        _, first, count, _ = self._opened
        i = operator.index(i)
        if not -count <= i < count:
            raise self._out_of_range(i)
        return first + (i if i >= 0 else i + count)

    def _out_of_range(self, i: int) -> IndexError:
        return IndexError(f"[{self.path}] there is no sample {i}: it has {len(self)} samples, counted from 0")


def open(
    path: Union[str, "os.PathLike[str]"],
    split: Optional[str] = None,
    fields: Optional[Sequence[str]] = None,
    views: bool = False,
) -> Dataset:
    """Opens a container of any format, to read its samples by their numbers. No Java runs, unless the container's Index is
    missing and has to be made.

    ::

        ds = stoker.open("train.arrow", split="val", fields=["data", "label"])
        print(len(ds), ds.schema)

    :param path: the container: a file, or a folder that Stoker packed
    :param split: only the samples of this split, such as ``"val"``
    :param fields: only these fields, in this order
    :param views: give fields of type ``bytes`` as ``memoryview`` of the mapped file instead of copying them into ``bytes``
    """
    if isinstance(fields, str):
        raise StokerError(f"fields should be a list of names, such as ['{fields}']")
    opened = Dataset(os.path.abspath(os.fspath(path)), split, None if fields is None else list(fields), views)
    if fields is None and opened.omissions:
        warnings.warn(f"[{opened.path}] left out or replaced: {_sentence(opened.omissions)}", stacklevel=2)
    return opened


def _sentence(omissions: List[str]) -> str:
    more = f"; and {len(omissions) - NAMED} more (omissions lists all)" if len(omissions) > NAMED else ""
    return "; ".join(omissions[:NAMED]) + more
