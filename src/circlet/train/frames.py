"""Train a frame reader on the films of a tableaux set: an eye on their paint, gauges on it, and hearing."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from circlet import __version__
from circlet.core import Progress, UsageError, Vectors
from circlet.core.files import write_text
from circlet.data.tableaux.tasks.frame_truths import COLOURS, draw_sets, read_sets
from circlet.data.tableaux.world.kinds import kinds
from circlet.data.tableaux.world.settings import TIMES, WEATHERS, settings
from circlet.data.tableaux.world.words import place_of
from circlet.models.encoders.sentences import Sentences
from circlet.models.frames.eye import EyeSizes, FrameEye
from circlet.models.frames.frame_folder import write_frames
from circlet.models.frames.frame_reader import Known
from circlet.models.frames.gauges import Gauges, GaugeSizes
from circlet.models.frames.glimpse import CELLS
from circlet.models.learned.folder import CONFIG
from circlet.train.fit import RESUME, StepReport, fit
from circlet.train.frame_hearing import heard_right, learn_frame_hearing
from circlet.train.frame_sets import FrameSets, gathered
from circlet.train.recipe import Recipe
from circlet.train.tasks.looking import LookTask, overlap
from circlet.train.tasks.measuring import MeasureTask, looked_at, right

LOOKING = Recipe(optimizer="muon", rate=1e-2, warm=0.02, decay=0.02, batch=20, epochs=5)
MEASURING = Recipe(optimizer="muon", rate=2e-3, warm=0.05, decay=0.02, batch=8, epochs=6)
# The eye sees what it learned from better than anything else: from the rest of the sets only what stands on
# it learns, to know as well what it gives of pictures that it never saw.
_LOOKED_AT = 0.75
# Sets that are drawn beside those of train: the more different things an eye has seen, the better it sees.
DRAWN = 6000


@dataclass(frozen=True)
class FrameScore:
    """How well things are seen and words heard on val, in 100 (see `overlap`, `right` and `heard_right`)."""

    overlap: float
    measures: float
    heard: float

    def __str__(self) -> str:
        return (
            f"things overlap their paint by {self.overlap:.1f} of 100, measures {self.measures:.1f} of 100, "
            f"{self.heard:.1f} of 100 clauses heard"
        )


def known() -> Known:
    """What the tableaux world has: kinds, places, colours, times, weathers."""
    return Known(
        kinds={one.name: one.plural for one in kinds().values()},
        places={name: _bare(place_of(name)) for name in settings()},
        colours=COLOURS,
        times=TIMES,
        weathers=WEATHERS,
    )


def _bare(phrase: str) -> str:
    article, _, rest = phrase.partition(" ")
    return rest if article in ("a", "an", "the") else phrase


def open_frames(
    root: Path, *, sets: int = 0, drawn: int = DRAWN, workers: int = 1, progress: Progress | None = None
) -> tuple[FrameSets, FrameSets]:
    """Train and val of a tableaux set, or the first so many sets of each; train with more drawn for it."""
    train = read_sets(root, "train", CELLS, sets=sets, workers=workers)
    more = draw_sets(drawn, 0, CELLS, workers=workers)
    validation = read_sets(root, "val", CELLS, sets=sets, workers=workers)
    return gathered(train, more, progress=progress), gathered(validation, progress=progress)


def new_eye(names: Vectors, seed: int) -> FrameEye:
    """An eye that has seen nothing, for kinds of these names' vectors."""
    torch.manual_seed(seed)
    return FrameEye(
        EyeSizes(kinds=len(names), colours=len(COLOURS), names=names.shape[1]),
        torch.from_numpy(np.array(names)),
    )


def for_the_eye(sets: FrameSets) -> FrameSets:
    """The sets that an eye learns from."""
    return sets.first(max(1, round(_LOOKED_AT * len(sets))))


def check_free(out: Path) -> None:
    """Raise where a folder holds a finished reader: `check_free(Path("reader"))`, before long work."""
    if (out / CONFIG).exists() and not (out / RESUME).exists():
        raise UsageError(f"{out} already holds a finished reader: name another folder, or delete it")


def train_frames(
    train: FrameSets,
    validation: FrameSets,
    out: Path,
    looking: Recipe = LOOKING,
    measuring: Recipe = MEASURING,
    *,
    data: str = "",
    progress: Callable[[StepReport], None] | None = None,
) -> FrameScore:
    """Train on one split, choose by another; `out` is then a method. A training that was killed goes on."""
    check_free(out)
    eye = new_eye(Sentences().texts(list(kinds())), looking.seed)
    seen = fit(
        LookTask(eye, for_the_eye(train), looking),
        looking,
        validate=lambda network: overlap(network, validation),
        folder=out,
        about={"data": data, "sets": len(train), "sizes": asdict(eye.sizes)},
        progress=progress,
    )
    torch.manual_seed(measuring.seed)
    sizes = eye.sizes
    counts = (len(COLOURS), len(settings()), len(TIMES), len(WEATHERS))
    gauges = Gauges(GaugeSizes(sizes.key, sizes.told, sizes.width, *counts))
    held = MeasureTask(gauges, looked_at(eye, validation), validation, measuring)
    measured = fit(
        MeasureTask(gauges, looked_at(eye, train), train, measuring),
        measuring,
        validate=lambda network: right(held),
        progress=progress,
    )
    hearing = learn_frame_hearing(known())
    score = FrameScore(seen.best, measured.best, heard_right(hearing, known(), ["val"]))
    config = {
        **write_frames(out, eye, gauges, hearing),
        "circlet": __version__,
        "known": asdict(known()),
        "data": data,
        "sets": len(train),
        "training": {"looking": asdict(looking), "measuring": asdict(measuring)},
        "val": asdict(score),
    }
    write_text(out / CONFIG, json.dumps(config, indent=1, ensure_ascii=False) + "\n")
    (out / RESUME).unlink()
    return score
