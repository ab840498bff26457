"""Picture towers of hub checkpoints in ONNX Runtime: exported once, kept, and only where that is faster.

What is kept was held against torch: no number of a unit vector differs by more than `ALLOWED`. Where it
would, where a tower cannot be exported, or where torch is faster on this machine, a note is kept instead.
"""

import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from circlet.core import Prepared, WeightsError
from circlet.core.vectors import Vectors, unit
from circlet.models.artefacts import folder, kept, session
from circlet.models.devices import weight_of

ALLOWED = 1e-3
# One file of this form holds no more than two gigabytes.
_LARGEST = 1_800_000_000
_OPSET = 17
_PASSES = 3

Run = Callable[[Prepared], Vectors]


def exported(model: Any, see: Callable[[Any], Any], stack: Prepared, name: str) -> Run | None:
    """What turns stacks like this one into unit rows, in place of `see`, which does it with torch's tensors.

    `see` uses weights of `model`. None where torch stays: the note `NAME.txt` beside the prepared models
    says why.
    """
    note = folder() / f"{name}.txt"
    if weight_of(model) > _LARGEST or note.is_file():
        return None

    def make(half: Path) -> None:
        """Write the graph and hold it against torch; what is not worth keeping never gets its name."""
        _write(model, see, stack, half)
        run, plain = _runner(session(half)), _plain(see)
        if (apart := float(np.abs(run(stack) - plain(stack)).max())) > ALLOWED:
            raise _Left(f"it differs from torch by {apart:.2g}")
        if (share := seconds(run, stack) / seconds(plain, stack)) >= 1:
            raise _Left(f"it takes {share:.2f} of torch's time here")

    try:
        return _runner(kept(f"{name}.onnx", make, session))
    except WeightsError:
        return None  # there is no room to keep it, or no right to
    except Exception as error:  # whatever an exporter raises, torch can do without it
        why = str(error) if isinstance(error, _Left) else f"it cannot be exported: {type(error).__name__}"
        with suppress(OSError):
            note.write_text(f"{why}\n", encoding="utf-8")
        return None


class _Left(Exception):
    """Why torch stays."""


def seconds(run: Run, stack: Prepared) -> float:
    """The processor's seconds for a stack, of its fastest pass."""
    spent = []
    for _ in range(_PASSES):
        began = time.process_time()
        run(stack)
        spent.append(time.process_time() - began)
    return max(min(spent), 1e-9)


def _runner(graph: Any) -> Run:
    return lambda stack: unit(graph.run(None, {"pixels": stack})[0])


def _plain(see: Callable[[Any], Any]) -> Run:
    import torch

    def run(stack: Prepared) -> Vectors:
        with torch.inference_mode():
            return unit(see(torch.from_numpy(stack)).numpy())

    return run


def _write(model: Any, see: Callable[[Any], Any], stack: Prepared, path: Path) -> None:
    """Write the tower as a graph whose first dimension is free."""
    import torch

    class Tower(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model  # whose weights are then the graph's, not constants of a trace

        def forward(self, pixels: Any) -> Any:
            return see(pixels)

    # Two pictures, so that nothing takes a stack of one for a constant.
    two = torch.from_numpy(np.concatenate([stack, stack])[:2])
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Tower().eval(),
            (two,),
            str(path),
            input_names=["pixels"],
            output_names=["rows"],
            dynamic_axes={"pixels": {0: "pictures"}, "rows": {0: "pictures"}},
            opset_version=_OPSET,
            dynamo=False,
        )
