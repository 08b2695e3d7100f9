"""Functions for samples and batches; of a module, so that worker processes can import them."""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import sys
import time
import types
from typing import Any, Dict, Optional

import numpy as np

import stoker


def measure(sample: Dict[str, Any]) -> Dict[str, Any]:
    """An array, a number, an object, and randomness of three kinds."""
    data = np.frombuffer(sample["data"], np.uint8)
    found = {
        "size": data.size,
        "sum": np.array([data.sum(), data.size], np.float32),
        "key": sample["key"],
        "chance": [random.random(), float(np.random.random())],
    }
    # Imported by the function, as many programs do: the parent may have it, and the workers not yet.
    if importlib.util.find_spec("torch"):
        import torch

        found["chance"].append(float(torch.rand(())))
    return found


def measure_much(sample: Dict[str, Any]) -> Dict[str, Any]:
    found = measure(sample)
    return {**found, "much": np.full(4096, found["size"], np.int64)}


def skip_cats(sample: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    return None if sample["label"] == 0 else {"key": sample["key"], "label": sample["label"]}


def skip_all(sample: Dict[str, Any]) -> None:
    return None


def fail_at_five(sample: Dict[str, Any]) -> Dict[str, Any]:
    if "5" in sample["key"]:
        raise ValueError("five")
    return {"key": sample["key"], "label": sample["label"]}


def other_shape(sample: Dict[str, Any]) -> Dict[str, Any]:
    return {"x": np.zeros(3 if "5" in sample["key"] else 2, np.float32)}


def other_type(sample: Dict[str, Any]) -> Dict[str, Any]:
    return {"x": np.zeros(2, np.int16 if "5" in sample["key"] else np.float32)}


def other_keys(sample: Dict[str, Any]) -> Dict[str, Any]:
    return {"x": 1, "y": 2} if "5" in sample["key"] else {"x": 1}


def no_dict(sample: Dict[str, Any]) -> Any:
    return sample["label"]


def change_in_place(sample: Dict[str, Any]) -> Dict[str, Any]:
    sample["dense"] += 1
    return sample


def die_once(sample: Dict[str, Any]) -> Dict[str, Any]:
    """Kills the worker in the middle of the first samples, until a file says that it was done."""
    marker = os.environ["STOKER_TEST_MARKER"]
    if "5" in sample["key"] and not os.path.exists(marker):
        open(marker, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"key": sample["key"], "label": sample["label"]}


def hang_once(sample: Dict[str, Any]) -> Dict[str, Any]:
    marker = os.environ["STOKER_TEST_MARKER"]
    if "5" in sample["key"] and not os.path.exists(marker):
        open(marker, "w").close()
        time.sleep(1000)
    return {"key": sample["key"], "label": sample["label"]}


def die_always(sample: Dict[str, Any]) -> Dict[str, Any]:
    if "5" in sample["key"]:
        os.kill(os.getpid(), signal.SIGKILL)
    return {"key": sample["key"]}


def pad_batch(batch: Dict[str, Any]) -> Dict[str, Any]:
    """A whole batch: arrays whose size differs from batch to batch."""
    longest = max(len(value) for value in batch["data"])
    data = np.zeros((len(batch["data"]), longest), np.uint8)
    for row, value in enumerate(batch["data"]):
        data[row, : len(value)] = value
    return {"data": data, "label": batch["label"], "keys": list(batch["key"]), "chance": random.random()}


def slow(sample: Dict[str, Any]) -> Dict[str, Any]:
    time.sleep(0.001)
    return {"key": sample["key"], "label": sample["label"]}


def count(batch: Dict[str, Any]) -> Dict[str, Any]:
    return {"count": np.array(len(batch["key"])), "labels": batch["label"]}


def torch_values(sample: Dict[str, Any]) -> Dict[str, Any]:
    import torch

    return {"label": sample["label"], "half": torch.full((3,), float(sample["label"]), dtype=torch.bfloat16)}


def torchvision_chain(sample: Dict[str, Any]) -> Dict[str, Any]:
    import torch
    from torchvision.transforms import v2

    chain = v2.Compose([v2.RandomResizedCrop(16), v2.RandomHorizontalFlip(), v2.ColorJitter(0.4)])
    pixels = np.resize(np.frombuffer(sample["data"] or b"\0", np.uint8), (3, 24, 24))
    return {"image": chain(torch.from_numpy(pixels)), "key": sample["key"]}


def large(sample: Dict[str, Any]) -> Dict[str, Any]:
    return {"image": np.full(50_000, 1, np.float32)}


def large_batch(batch: Dict[str, Any]) -> Dict[str, Any]:
    return {"image": np.full((len(batch["x"]), 50_000), 1, np.float32)}


def fail_after_large(sample: Dict[str, Any]) -> Dict[str, Any]:
    fail_after_large.calls = getattr(fail_after_large, "calls", 0) + 1  # type: ignore[attr-defined]
    if fail_after_large.calls % 8 == 7:  # type: ignore[attr-defined]
        raise ValueError("too late")
    return large(sample)


def seeds(sample: Dict[str, Any]) -> Dict[str, Any]:
    seed = stoker.sample_seed()
    return {"seed": np.uint64(seed), "chance": np.random.default_rng(seed).random()}


def batch_seed(batch: Dict[str, Any]) -> Dict[str, Any]:
    return {"seed": np.uint64(stoker.sample_seed()), "chance": np.random.random()}


def fake_cv2() -> Any:
    library: Any = types.ModuleType("cv2")
    library.threads = 0
    library.setNumThreads = lambda count: setattr(library, "threads", count)
    return library


def threads_of_cv2(sample: Dict[str, Any]) -> Dict[str, Any]:
    """As if OpenCV was imported late."""
    return {"threads": sys.modules.setdefault("cv2", fake_cv2()).threads}


def same(values: Dict[str, Any]) -> Dict[str, Any]:
    """A sample or a batch, without what differs in length."""
    return {name: value for name, value in values.items() if name in ("number", "dense")}


def fail_without_marker(sample: Dict[str, Any]) -> Dict[str, Any]:
    if not os.path.exists(os.environ["STOKER_TEST_MARKER"]):
        raise ValueError("no marker")
    return {"key": sample["key"]}


def numbered_keys(sample: Dict[str, Any]) -> Dict[str, Any]:
    return {"keys": f"key-{0:032}"}


def batch_keys(batch: Dict[str, Any]) -> Dict[str, Any]:
    return {"keys": [f"key-{0:032}"] * len(batch["x"])}


class LazyPicture:
    """Fails when it is looked at, as PIL's pictures do."""

    @property
    def __array_interface__(self) -> Any:
        raise OSError("image file is truncated")


def lazy_failure(sample: Dict[str, Any]) -> Dict[str, Any]:
    return {"x": LazyPicture() if sample["x"] == 3 else 1}


def exit_at_three(sample: Dict[str, Any]) -> Dict[str, Any]:
    if sample["x"] == 3:
        sys.exit(3)
    return {"x": 1}


def unpicklable(sample: Dict[str, Any]) -> Dict[str, Any]:
    return {"x": (i for i in range(3)) if sample["x"] == 3 else "text", "y": "text"}


class OfBatch:
    """A function for the fourth sample of a batch, as one for a batch."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, batch: Dict[str, Any]) -> Any:
        return self.function({"x": batch["x"][3]})


def of_batch(function: Any) -> OfBatch:
    return OfBatch(function)


def crash(sample: Dict[str, Any], at: int) -> Dict[str, Any]:
    if sample["x"] == at:
        os.kill(os.getpid(), signal.SIGSEGV)
    return {"x": sample["x"]}


def leave(sample: Dict[str, Any]) -> Dict[str, Any]:
    os._exit(7)


def other_shape_at_three(sample: Dict[str, Any]) -> Dict[str, Any]:
    return {"x": np.zeros(3 if sample["x"] == 3 else 2)}


def same_batch(batch: Dict[str, Any]) -> Dict[str, Any]:
    return batch


def sleep_long(sample: Dict[str, Any]) -> Dict[str, Any]:
    time.sleep(1000)
    return sample


class SlowStart:
    """A function that takes as long to load as the environment says."""

    def __call__(self, sample: Dict[str, Any]) -> Dict[str, Any]:
        return {"x": 1}

    def __reduce__(self) -> Any:
        return _start_slowly, ()


def _start_slowly() -> SlowStart:
    time.sleep(float(os.environ.get("STOKER_TEST_START_SECONDS", "0")))
    return SlowStart()


slow_start = SlowStart()
