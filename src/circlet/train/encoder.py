"""Train an encoder on pictures with captions: features once, two heads, the mixture with the base."""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from circlet import __version__
from circlet.core import DataError, PictureEncoder, Progress, UsageError, Vectors
from circlet.core.files import replacing, write_text
from circlet.data.captions import Captions, OwnCaptions, Saying
from circlet.models.encoders.classes import classes
from circlet.models.encoders.load import anywhere
from circlet.models.features import FeatureStore
from circlet.models.joint.encoder import BASE, CONFIG, FORMAT, KIND, PICTURES, TAUGHT, WORDS, mixed
from circlet.models.joint.export import write_heads
from circlet.models.joint.heads import Heads, Sizes
from circlet.models.joint.reading import embedded, familiar, taught
from circlet.train.fit import RESUME, Fitted, StepReport, fit
from circlet.train.recipe import Recipe
from circlet.train.tasks.captions import CaptionTask, true_of

# A training of so many steps, whatever the number of pictures, with about so many validations on the way.
STEPS, VALIDATIONS = 456, 6
LARGEST_BATCH, SMALLEST_BATCH = 256, 32
# From so many pictures on their own captions say enough; below, MiniLM's knowledge of phrases helps.
MANY = 5_000
# Of the base's numbers so many are kept at most, beside the learned ones.
KEPT = 512
# The shares of the learned part that are tried on val; what loses no more than this is good enough.
MIXES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_LOSS = 0.5
# Nine in ten captions' own pictures reach the cut-off.
_MISSED = 0.1
_BATCH = 256


def base_for(pictures: int) -> str:
    """The encoder to build on: the finest eye needs many captions to learn what to look at.

    >>> base_for(1000), base_for(10_000)
    ('fine', 'finest')
    """
    return "fine" if pictures < MANY else "finest"


def recipe_for(pictures: int, **given: Any) -> Recipe:
    """How to train on so many pictures; what is given counts instead.

    >>> recipe = recipe_for(1000)
    >>> recipe.batch, recipe.epochs, recipe_for(10_000, seed=2).epochs
    (125, 57, 12)
    """
    batch = given.get("batch") or min(LARGEST_BATCH, max(SMALLEST_BATCH, pictures // 8))
    epochs = given.get("epochs") or max(1, round(STEPS / max(1, round(pictures / batch))))
    usual = {"rate": 1.5e-3, "decay": 0.05, "patience": 3, "every": max(1, epochs // VALIDATIONS)}
    return Recipe(**{**usual, **given, "batch": batch, "epochs": epochs})


class CaptionScore(NamedTuple):
    """How well captions find pictures: how many have a true one among the first 1, 5 and 10; MAP @ 10."""

    first: float
    five: float
    ten: float
    precision: float

    def __str__(self) -> str:
        return f"R@1 {self.first:.1f}, R@5 {self.five:.1f}, R@10 {self.ten:.1f}, MAP@10 {self.precision:.1f}"


@dataclass(frozen=True)
class CaptionSet:
    """One split: captions, and the base's vectors of its pictures."""

    captions: Captions
    vectors: Vectors

    @cached_property
    def sayings(self) -> list[Saying]:
        """Each different whole caption, once."""
        said = [self.captions.whole(id) for id in self.captions.files]
        return list({one.text: one for one in said}.values())

    @cached_property
    def true(self) -> NDArray[np.bool_]:
        """Which of the sayings is true of which picture."""
        return true_of(self.sayings, [self.captions.facts(id) for id in self.captions.files])

    def score(self, texts: Vectors, pictures: Vectors) -> CaptionScore:
        """How well these rows of `sayings` find these rows of pictures."""
        true = self.true
        order = np.argsort(-(texts @ pictures.T), axis=1, kind="stable")[:, :10]
        hits = np.take_along_axis(true, order, axis=1)
        first, five, ten = (100 * float(hits[:, :k].any(axis=1).mean()) for k in (1, 5, 10))
        ranks = np.arange(1, hits.shape[1] + 1)
        precision = (np.cumsum(hits, axis=1) / ranks * hits).sum(axis=1)
        precision /= np.minimum(true.sum(axis=1), len(ranks))
        return CaptionScore(first, five, ten, 100 * float(precision.mean()))


def open_set(
    captions: Captions, base: PictureEncoder, *, progress: Progress | None = None
) -> tuple[CaptionSet, dict[str, str]]:
    """The captions with the base's vectors of their pictures; and what could not be opened, with why."""
    features, lost = FeatureStore().features(captions.files, base, progress=progress)
    if lost and isinstance(captions, OwnCaptions):
        kept = {id: path for id, path in captions.files.items() if id not in lost}
        captions = replace(captions, files=kept)
    elif lost:
        raise DataError(f"{captions.name}: {next(iter(lost.values()))}; make the set again")
    if len(captions.files) < 2:
        raise DataError(f"{captions.name}: fewer than two pictures can be read; there is nothing to learn")
    return CaptionSet(captions, features.vectors_of(list(captions.files))), lost


@dataclass(frozen=True)
class TrainedEncoder:
    """What came of a training: on val, before by the base alone and after."""

    fitted: Fitted
    before: CaptionScore
    after: CaptionScore


def train_encoder(
    train: CaptionSet,
    validation: CaptionSet,
    base: PictureEncoder,
    out: Path,
    recipe: Recipe,
    *,
    dim: int = 256,
    layers: int = 1,
    meanings: bool | None = None,
    progress: Callable[[StepReport], None] | None = None,
) -> TrainedEncoder:
    """Train heads over the base's vectors; `out` is then an encoder. A training that was killed goes on."""
    if (out / CONFIG).exists() and not (out / RESUME).exists():
        raise UsageError(f"{out} already holds a finished encoder: name another folder, or delete it")
    torch.manual_seed(recipe.seed)
    places, channels = getattr(base, "places", (0, 0))
    if meanings is None:
        meanings = len(train.captions.files) < MANY
    heads = Heads(
        Sizes(
            vector=base.dim,
            places=places,
            channels=channels,
            dim=dim,
            layers=layers,
            meanings=meanings,
        )
    )
    about = {
        "base": base.fingerprint,
        "data": train.captions.name,
        "pictures": len(train.captions.files),
        "validation": validation.captions.name,
        "sizes": asdict(heads.sizes),
    }
    texts = [one.text for one in validation.sayings]

    def validate(heads: Heads) -> float:
        return validation.score(said(heads, texts), seen(heads, validation.vectors)).precision

    fitted = fit(
        CaptionTask(heads, train.captions, train.vectors, recipe),
        recipe,
        validate=validate,
        folder=out,
        about=about,
        progress=progress,
    )
    return _kept(heads, train, validation, base, out, {**about, **asdict(recipe)}, fitted)


def said(heads: Heads, texts: Sequence[str]) -> Vectors:
    """The learned rows of texts."""
    starts = range(0, len(texts), _BATCH)
    with torch.inference_mode():
        return np.concatenate([heads.texts(texts[at : at + _BATCH]).numpy() for at in starts])


def seen(heads: Heads, vectors: Vectors) -> Vectors:
    """The learned rows of pictures, given those of the base."""
    with torch.inference_mode():
        return heads.picture(torch.from_numpy(np.ascontiguousarray(vectors, np.float32))).numpy()


def _kept(
    heads: Heads,
    train: CaptionSet,
    validation: CaptionSet,
    base: PictureEncoder,
    out: Path,
    training: dict[str, Any],
    fitted: Fitted,
) -> TrainedEncoder:
    """Mix with the base, find the cut-off, write the folder: last the configuration that makes it whole."""
    dim = heads.sizes.dim
    turn = _directions(base, train.vectors, min(KEPT, max(1, base.dim - dim)))
    texts = [one.text for one in validation.sayings]
    known = taught(_said(train.captions))
    spoken = base.texts(texts)
    before = validation.score(spoken, validation.vectors)
    learned = said(heads, texts) * familiar(texts, embedded(known))[:, None], seen(heads, validation.vectors)

    def rows(mix: float) -> tuple[Vectors, Vectors]:
        return mixed(spoken @ turn, learned[0], mix), mixed(validation.vectors @ turn, learned[1], mix)

    scores = {mix: validation.score(*rows(mix)) for mix in MIXES}
    best = max(score.precision for score in scores.values())
    # As much of the base as costs the captions next to nothing.
    mix = next(mix for mix in MIXES if scores[mix].precision >= best - _LOSS)
    write_heads(heads, out / PICTURES, out / WORDS)
    for name, array in ((BASE, turn), (TAUGHT, known)):
        with replacing(out / name) as half, half.open("wb") as file:
            np.save(file, array, allow_pickle=False)
    config = {
        "circlet_kind": KIND,
        "format": FORMAT,
        "circlet": __version__,
        "base": anywhere(getattr(base, "name", repr(base))),
        "over": base.fingerprint,
        "dim": dim,
        "meanings": heads.sizes.meanings,
        "mix": mix,
        "cutoff": _cutoff(validation, *rows(mix)),
        "validation": {"before": before._asdict(), "after": scores[mix]._asdict()},
        "training": {**training, "score": fitted.best, "epoch": fitted.epoch},
        "history": [epoch._asdict() for epoch in fitted.history],
    }
    write_text(out / CONFIG, json.dumps(config, indent=1, ensure_ascii=False) + "\n")
    (out / RESUME).unlink()
    return TrainedEncoder(fitted, before, scores[mix])


def _said(captions: Captions) -> list[str]:
    """What is said of each picture: its caption, and one thing more."""
    chance = random.Random(0)
    return [
        text for id in captions.files for text in (captions.whole(id).text, captions.say(id, chance).text)
    ]


def _directions(base: PictureEncoder, pictures: Vectors, count: int) -> Vectors:
    """The directions that words of all kinds and these pictures use most, (base's numbers, count)."""
    names = base.texts([one.names[0] for one in classes()])
    some = pictures[np.linspace(0, len(pictures) - 1, min(len(pictures), len(names))).astype(int)]
    rows = np.concatenate([part / np.sqrt(len(part)) for part in (names, some)]).astype(np.float64)
    # There are fewer rows than numbers in a row, so the smaller of the two products has it all.
    spread, mixes = np.linalg.eigh(rows @ rows.T)
    chosen = np.flatnonzero(spread > spread[-1] * 1e-9)[::-1][:count]
    directions = rows.T @ (mixes[:, chosen] / np.sqrt(spread[chosen]))
    # The sign of a direction is a whim of the linear algebra library: settle it.
    largest = np.abs(directions).argmax(axis=0)
    return (directions * np.sign(directions[largest, np.arange(len(chosen))])).astype(np.float32)


def _cutoff(validation: CaptionSet, texts: Vectors, pictures: Vectors) -> float:
    """The score that the best true picture reaches for nine in ten captions."""
    best = np.where(validation.true, texts @ pictures.T, -np.inf).max(axis=1)
    return round(float(np.quantile(best, _MISSED)), 4)
