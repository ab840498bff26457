"""Train a scene reader on a tableaux set: an eye on single pictures, what things are like, what words ask."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from circlet import __version__
from circlet.core import Progress, Vectors
from circlet.core.files import write_text
from circlet.data.tableaux.tasks.scene_answers import scene_questions
from circlet.data.tableaux.tasks.scene_truths import (
    THINGS,
    WHOLES,
    drawn_scenes,
    further_scenes,
    scenes_of,
    varying,
)
from circlet.data.tableaux.world.kinds import kinds
from circlet.data.tableaux.world.scene import Scene
from circlet.models.encoders.sentences import Sentences
from circlet.models.frames.eye import FrameEye
from circlet.models.frames.glimpse import CELLS
from circlet.models.learned.folder import CONFIG
from circlet.models.scenes.holding import EVIDENCE, evidence
from circlet.models.scenes.listening import Listener
from circlet.models.scenes.needs import SceneNeed
from circlet.models.scenes.scene_folder import write_scenes
from circlet.models.scenes.sights import Seeable, Seen, Sights
from circlet.models.scenes.trust import Trust
from circlet.models.scenes.viewer import Viewer, ViewerSizes, sights_of, view
from circlet.train.calibration import fit_weights
from circlet.train.fit import RESUME, StepReport, fit
from circlet.train.frame_sets import FrameSets, gathered
from circlet.train.frames import check_free, for_the_eye, new_eye
from circlet.train.frames import known as known_frames
from circlet.train.recipe import Recipe
from circlet.train.scene_hearing import learn_listening, texts_heard
from circlet.train.tasks.looking import LookTask, overlap
from circlet.train.tasks.viewing import ViewTask, told_right, viewed

LOOKING = Recipe(optimizer="muon", rate=1e-2, warm=0.02, decay=0.02, batch=20, epochs=4)
VIEWING = Recipe(optimizer="muon", rate=2e-3, warm=0.05, decay=0.02, batch=64, epochs=4)
# Families of four scenes that are drawn beside those of train.
DRAWN = 2500
# Questions that say how far to trust what is read, and pictures that are looked at in one go for them.
_QUESTIONS, _BLOCK = 2000, 32


@dataclass(frozen=True, eq=False)
class SceneSets:
    """Scenes and what was taken in of their pictures, one a set."""

    scenes: tuple[Scene, ...]
    sets: FrameSets


@dataclass(frozen=True)
class SceneScore:
    """How well scenes are read on val, in 100: masks, each attribute, and what texts ask for."""

    overlap: float
    right: dict[str, float]
    heard: float

    def __str__(self) -> str:
        told = ", ".join(f"{name} {value:.0f}" for name, value in self.right.items())
        return (
            f"things overlap their paint by {self.overlap:.1f} of 100; right in 100: {told}; "
            f"{self.heard:.1f} of 100 texts heard exactly"
        )


def known() -> Seeable:
    """What the tableaux world has."""
    frames = known_frames()
    return Seeable(
        kinds=frames.kinds,
        varying={one.name: varying(one) for one in kinds().values()},
        places=frames.places,
        things=THINGS,
        wholes=WHOLES,
    )


def open_scenes(
    root: Path,
    split: str,
    *,
    most: int = 0,
    drawn: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> SceneSets:
    """The scenes of a split, or the first so many, and so many families drawn beside them."""
    every = [*scenes_of(root, split)[: most or None], *further_scenes(drawn)]
    sets = gathered(drawn_scenes(every, CELLS, workers=workers), progress=progress)
    return SceneSets(tuple(one.scene for one in every), sets)


def learn_to_hear(seed: int = 0) -> tuple[Listener, float]:
    """What texts ask for, learned from six writers and train; how often val's are heard exactly, in 100."""
    listener = learn_listening(known(), seed=seed)
    return listener, texts_heard(listener, "val")


def learn_trust(eye: FrameEye, viewer: Viewer, data: SceneSets, seed: int = 0) -> Trust:
    """How far each kind of evidence is to be trusted, by questions among scenes that nothing learned from."""
    blocks = [
        sights_of(viewer, view(eye, *data.sets.singles(at, _BLOCK)))
        for at in range(0, len(data.scenes), _BLOCK)
    ]
    sights, seeable = Sights(*map(np.concatenate, zip(*blocks, strict=True))), known()
    rows: list[Vectors] = []
    truth: list[bool] = []
    for one in scene_questions(data.scenes, _QUESTIONS, seed):
        seen, before = (Seen(sights.rows(which), seeable) for which in (one.candidates, [one.reference]))
        rows.append(evidence([{SceneNeed(**vars(need)): 1.0} for need in one.needs], seen, before))
        truth += one.answers
    if not rows:
        # Too few scenes to ask about: everything counts as it was read.
        return Trust.of(dict.fromkeys(EVIDENCE, 1.0), 0.0)
    weights, shift = fit_weights(np.concatenate(rows, axis=1).T, np.array(truth, np.float64))
    return Trust(weights, shift)


def train_scenes(
    train: SceneSets,
    validation: SceneSets,
    out: Path,
    looking: Recipe = LOOKING,
    viewing: Recipe = VIEWING,
    *,
    data: str = "",
    progress: Callable[[StepReport], None] | None = None,
) -> SceneScore:
    """Train on one split, choose by another; `out` is then a scorer. A training that was killed goes on."""
    check_free(out)
    eye = new_eye(Sentences().texts(list(kinds())), looking.seed)
    seen = fit(
        LookTask(eye, for_the_eye(train.sets), looking),
        looking,
        validate=lambda network: overlap(network, validation.sets),
        folder=out,
        about={"data": data, "scenes": len(train.scenes), "sizes": asdict(eye.sizes)},
        progress=progress,
    )
    torch.manual_seed(viewing.seed)
    things, wholes = ({name: len(values) for name, values in group.items()} for group in (THINGS, WHOLES))
    viewer = Viewer(ViewerSizes(things, wholes), eye.sizes)
    checked = ViewTask(viewer, viewed(eye, validation.sets, validation.scenes), validation.scenes, viewing)
    fit(
        ViewTask(viewer, viewed(eye, train.sets, train.scenes), train.scenes, viewing),
        viewing,
        validate=lambda network: float(np.mean(list(told_right(checked).values()))),
        progress=progress,
    )
    listener, heard = learn_to_hear(viewing.seed)
    trust = learn_trust(eye, viewer, validation, viewing.seed)
    score = SceneScore(seen.best, told_right(checked), heard)
    config = {
        **write_scenes(out, eye, viewer, listener),
        "circlet": __version__,
        "known": asdict(known()),
        "trust": {"weights": trust.named, "shift": trust.shift},
        "data": data,
        "scenes": len(train.scenes),
        "training": {"looking": asdict(looking), "viewing": asdict(viewing)},
        "val": asdict(score),
    }
    write_text(out / CONFIG, json.dumps(config, indent=1, ensure_ascii=False) + "\n")
    (out / RESUME).unlink()
    return score
