"""Train a scorer of relevance by preference, from a composer that is trained already or from nothing."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from circlet.core import Benchmark, UsageError
from circlet.core.files import write_text
from circlet.models.learned.folder import CONFIG, RELEVANCE, load, read_config
from circlet.models.scorers.relevance import relevance_of
from circlet.train.calibration import calibration_error, first_scores, fit_odds
from circlet.train.fit import RESUME, Fitted, StepReport
from circlet.train.recipe import Recipe
from circlet.train.setup import Trained, TrainingSetup
from circlet.train.tasks.preference import DEFINED, FIRST, Negatives, PreferenceTask

MODEL = "qformer"
# Two steps: first which picture of a batch is the target, then the target above one that is hard.
BEGINNING = Recipe(rate=1e-3, batch=64, epochs=2, negatives=3, others=100)
# A trained network is hardly wrong about any picture: at a higher rate it forgets more than it learns.
RECIPE = Recipe(rate=5e-5, batch=64, epochs=6)


class Stands(NamedTuple):
    """What a scorer's scores stand for: the fitted odds, where they were fitted, and how far off they are."""

    odds: tuple[float, float]
    on: str
    error: float

    def __str__(self) -> str:
        return f"probabilities fitted on {self.on}, calibration error {self.error:.3f} there"


def begun_from(folder: Path, setup: TrainingSetup) -> Trained:
    """A trained composer to go on from."""
    method = load(folder, setup.encoder)
    return Trained(read_config(folder)["model"], method.network, method.language, Fitted(0.0, 0, ()))


def prefer(
    setup: TrainingSetup,
    begun: Trained,
    recipe: Recipe = RECIPE,
    *,
    negatives: Negatives = "self-paced",
    defined: int = DEFINED,
    first: int = FIRST,
    given: bool = False,
    about: Mapping[str, Any] | None = None,
    out: Path | None = None,
    progress: Callable[[StepReport], None] | None = None,
) -> Trained:
    """Train a network that has begun by preference: see `PreferenceTask` for what the options mean."""
    task = PreferenceTask(
        begun.network,
        setup.supply,
        recipe,
        negatives=negatives,
        defined=defined,
        first=first,
        given=given,
    )
    said = {"negatives of": "the file" if given else negatives, "defined": defined, "first": first}
    return setup.fit(begun, task, recipe, about={**said, **(about or {})}, out=out, progress=progress)


def stands_for(setup: TrainingSetup, trained: Trained, benchmark: Benchmark) -> Stands:
    """What the scores of a trained network stand for, fitted on this benchmark."""
    method = setup.method(trained)
    scores, truth = first_scores(relevance_of(method), method, benchmark, setup.features)
    odds = fit_odds(scores, truth)
    error = calibration_error(odds.likely(scores), truth)
    return Stands((odds.scale, odds.shift), benchmark.header(), error)


def train_relevance(
    setup: TrainingSetup,
    out: Path,
    recipe: Recipe = RECIPE,
    *,
    start: Path | None = None,
    beginning: Recipe = BEGINNING,
    width: int = 256,
    judged: Benchmark | None = None,
    progress: Callable[[str, StepReport], None] | None = None,
    **how: Any,
) -> tuple[Fitted, Stands]:
    """Train a scorer into a folder; without a `start` a Q-Former is first trained to find targets.

    Probabilities are fitted on `judged`, by its grades where it has them, else on the validation queries.
    Either step may be killed: the same call goes on from there.
    """

    def told(step: str) -> Callable[[StepReport], None] | None:
        return (lambda report: progress(step, report)) if progress else None

    if (out / CONFIG).exists() and RELEVANCE in read_config(out):
        raise UsageError(f"{out} already holds a finished scorer: name another folder, or delete it")
    if start is None:
        start = out / "start"
        if not (start / CONFIG).exists() or (start / RESUME).exists():
            setup.train(
                MODEL,
                replace(beginning, seed=recipe.seed, queries=recipe.queries),
                width=width,
                out=start,
                progress=told("beginning"),
            )
    begun = begun_from(start, setup)
    if not (out / CONFIG).exists() or (out / RESUME).exists():
        from_ = str(start.relative_to(out)) if start.is_relative_to(out) else str(start)
        begun = prefer(
            setup, begun, recipe, about={"start": from_}, out=out, progress=told("preferring"), **how
        )
    else:
        begun = begun_from(out, setup)
    stands = stands_for(setup, begun, judged or setup.validation)
    config = read_config(out)
    config[RELEVANCE] = {"odds": stands.odds, "on": stands.on, "calibration error": stands.error}
    write_text(out / CONFIG, json.dumps(config, indent=1, ensure_ascii=False) + "\n")
    return begun.fitted, stands
