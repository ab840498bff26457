"""Train a clause scorer on a tableaux set: features once, one small network, calibrated on val."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from circlet import __version__
from circlet.core import DataError, PictureEncoder, Progress, UsageError, Vectors
from circlet.core.files import write_text
from circlet.core.home import home
from circlet.data.tableaux.files import Stages
from circlet.data.tableaux.tasks.clauses import LookAlikes, draw_look_alikes, read_look_alikes
from circlet.models.features import FeatureStore
from circlet.models.learned.folder import CONFIG, WEIGHTS, write_tensors
from circlet.models.scorers.clause_network import ClauseNetwork, Sizes
from circlet.models.scorers.learned import FORMAT, KIND
from circlet.train.calibration import calibration_error, fit_odds
from circlet.train.fit import RESUME, Fitted, StepReport, fit
from circlet.train.recipe import Recipe
from circlet.train.tasks.questions import ClauseTask

RECIPE = Recipe(rate=1e-3, decay=0.05, batch=32, epochs=12, patience=0, every=3)
# Trials of each aspect that are drawn to learn from.
DRAWN = 400


@dataclass(frozen=True)
class ClauseScore:
    """How well probabilities fit the truth, in 100: answers on the right side, and the calibration error."""

    right: float
    calibration: float

    def __str__(self) -> str:
        return f"{self.right:.1f} of 100 clauses judged right, calibration error {self.calibration:.3f}"


def learned_from(root: Path, drawn: int = DRAWN, tell: Stages | None = None) -> LookAlikes:
    """What a scorer learns from: look-alikes drawn for it, or with none of them the train split of a set."""
    if not drawn:
        return read_look_alikes(root, "train")
    return draw_look_alikes(home() / "tableaux", drawn, tell or (lambda stage, done, of: None))


def open_clauses(data: LookAlikes, encoder: PictureEncoder, progress: Progress | None = None) -> Vectors:
    """The encoder's vectors of the pictures, in the order of `data.files`."""
    features, lost = FeatureStore().features(data.files, encoder, progress=progress)
    if lost:
        raise DataError(f"{data.name}: {next(iter(lost.values()))}; make the set again")
    return features.vectors_of(list(data.files))


def score(task: ClauseTask, draw: int = 0) -> ClauseScore:
    """Accuracy and expected calibration error over one question about every family, drawn anew."""
    logits, truth, _ = _judged(task, draw)
    return measured(logits.sigmoid().numpy(), truth.numpy())


def _judged(task: ClauseTask, draw: int) -> tuple[Tensor, Tensor, Tensor]:
    """The odds of every clause in every candidate, its truth, and whether it is an edit."""
    found = []
    with torch.no_grad():
        chance = np.random.default_rng(draw)
        for rows in task.order(0):
            batch = task.batch(rows, chance)
            there = ~batch.truth.isnan()
            edits = (batch.kinds > 0)[..., None].expand_as(there)
            found.append((*task.logits(batch), edits[there]))
    logits, truth, edits = (torch.cat(parts) for parts in zip(*found, strict=True))
    return logits, truth, edits


def calibrate(task: ClauseTask) -> None:
    """Fit the network's calibration to questions about these pictures, others than it is measured by."""
    logits, truth, edits = _judged(task, draw=1)
    for row, these in enumerate((~edits, edits)):
        task.network.calibration[row] = torch.tensor(fit_odds(logits[these], truth[these]))


def measured(likely: Vectors, truth: "np.ndarray[Any, Any]") -> ClauseScore:
    """Accuracy where the truth is plain, and the expected calibration error over all.

    >>> measured(np.array([0.9, 0.9], np.float32), np.array([1.0, 0.0])).calibration
    0.4
    """
    plain = (truth == 1) | (truth == 0)
    right = 100 * float(np.mean((likely[plain] >= 0.5) == (truth[plain] >= 0.5)))
    return ClauseScore(right, calibration_error(likely, truth))


def train_clauses(
    train: LookAlikes,
    validation: LookAlikes,
    vectors: tuple[Vectors, Vectors],
    encoder: PictureEncoder,
    out: Path,
    recipe: Recipe = RECIPE,
    *,
    progress: Callable[[StepReport], None] | None = None,
) -> tuple[Fitted, ClauseScore]:
    """Train on one split, stop by another; `out` is then a scorer. A training that was killed goes on."""
    if (out / CONFIG).exists() and not (out / RESUME).exists():
        raise UsageError(f"{out} already holds a finished scorer: name another folder, or delete it")
    torch.manual_seed(recipe.seed)
    network = ClauseNetwork(Sizes(vector=encoder.dim, start=getattr(encoder, "learned_from", 0)))
    about = {
        "encoder": encoder.fingerprint,
        "data": train.name,
        "validation": validation.name,
        "sizes": asdict(network.sizes),
    }
    checked = ClauseTask(network, validation, vectors[1], encoder, recipe)

    def validate(_: ClauseNetwork) -> float:
        return score(checked).right

    fitted = fit(
        ClauseTask(network, train, vectors[0], encoder, recipe),
        recipe,
        validate=validate,
        folder=out,
        about=about,
        progress=progress,
    )
    calibrate(checked)
    final = score(checked)
    write_tensors(out / WEIGHTS, network.state_dict())
    config = {
        "circlet_kind": KIND,
        "format": FORMAT,
        "circlet": __version__,
        **about,
        "training": asdict(recipe),
        "val": asdict(final),
        "history": [epoch._asdict() for epoch in fitted.history],
    }
    write_text(out / CONFIG, json.dumps(config, indent=1, ensure_ascii=False) + "\n")
    (out / RESUME).unlink()
    return fitted, final
