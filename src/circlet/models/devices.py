"""Where models of torch run, in which precision, and how many pictures at once.

CIRCLET_DEVICE (`--device`) names the device; without it a GPU is taken where there is one.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from circlet.core.errors import UsageError
from circlet.core.vectors import Vectors

VARIABLE = "CIRCLET_DEVICE"
# What one picture needs on its way through a model, as a share of the weights: an upper bound.
_SHARE = 8

# A sequence, or an array of prepared pictures.
Items = TypeVar("Items", bound=Any)


def device() -> str:
    """The device that models run on: the one that was asked for, or the best that there is."""
    import torch

    asked = os.environ.get(VARIABLE, "")
    if not asked:
        if torch.cuda.is_available():
            return "cuda"
        return "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.zeros(1, device=asked)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        cause = str(error).strip().splitlines()[0].rstrip(".")
        raise UsageError(
            f"the device {asked} cannot be used ({cause}): name another, such as --device cpu"
        ) from error
    return asked


def precision(place: str) -> Any:
    """The numbers that a model computes with there: half as long on a GPU, full on a processor."""
    import torch

    if not place.startswith("cuda"):
        return torch.float32
    return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16


def free_memory(place: str) -> int | None:
    """The bytes that are free there; None where the system does not tell."""
    if place.startswith("cuda"):
        import torch

        return int(torch.cuda.mem_get_info(place)[0])
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def batch_for(weights: int, free: int | None, most: int) -> int:
    """How many pictures go through a model at once, given the bytes of its weights and those free.

    >>> batch_for(600_000_000, 8_000_000_000, 16), batch_for(4_000_000_000, 1_500_000_000, 16)
    (16, 3)
    """
    return most if free is None else max(1, min(most, free // max(1, weights // _SHARE)))


def fitting(model: Any, most: int) -> int:
    """How many pictures, `most` at the most, go through this model at once in the memory that is free now."""
    return batch_for(weight_of(model), free_memory(device()), most)


def weight_of(model: Any) -> int:
    """The bytes of a model's weights."""
    return sum(one.numel() * one.element_size() for one in model.parameters())


def in_batches(run: Callable[[Items], Vectors], items: Items, batch: int) -> list[Vectors]:
    """What `run` makes of the items, so many at once; where memory ends, half as many from there on.

    >>> in_batches(lambda some: np.full((len(some), 1), len(some)), "abcde", 2)[-1].tolist()
    [[1]]
    """
    made: list[Vectors] = []
    at = 0
    while at < len(items):
        try:
            made.append(run(items[at : at + batch]))
            at += batch
        except RuntimeError as error:
            if batch == 1 or not _out_of_memory(error):
                raise
            batch = batch // 2
    return made


def _out_of_memory(error: RuntimeError) -> bool:
    """Whether this is torch saying so, on a GPU or on a processor."""
    return type(error).__name__ == "OutOfMemoryError" or "not enough memory" in str(error).lower()


def joined(parts: Sequence[Vectors], dim: int) -> Vectors:
    """Batches as one array; none are no rows.

    >>> joined([], 3).shape
    (0, 3)
    """
    return np.concatenate(parts) if parts else np.zeros((0, dim), np.float32)
