"""Table 3 of paper 000, trained anew: the rows, the paper's numbers, and the claims to check."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from circlet.core import Benchmark, Method
from circlet.core.files import parse_json, write_text
from circlet.evaluate import Mean, Measure, RankMeasure, Recall, SubsetRecall, chance, judge, measure
from circlet.experiments.zero_shot import zero_shot
from circlet.models.learned import spec_of
from circlet.models.learned.folder import CONFIG
from circlet.train.fit import RESUME
from circlet.train.recipe import Recipe
from circlet.train.setup import Trained, TrainingSetup

# Of a picture's numbers, in the rows that are trained long.
HIDDEN = 0.2
# The learning rate that suits CIRPLANT's layers when none of them is pretrained, as found on val.
FAST = 7e-4
HEADLINE = Mean(Recall @ 5, SubsetRecall @ 1)
MEASURES: tuple[RankMeasure, ...] = (
    *(Recall @ k for k in (1, 5, 10, 50)),
    *(SubsetRecall @ k for k in (1, 2, 3)),
    HEADLINE,
)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table: a model, how it starts, and what the paper printed for it on CIRR."""

    key: str
    label: str
    model: str = ""
    pretrained: bool = True
    trained: bool = True
    own: bool = False
    """Trained with the loss and the optimiser of its own paper, and the batch's negatives alone."""
    long: bool = False
    """Trained on all queries for several epochs, with part of each picture hidden at each step."""
    method: str = ""
    """An untrained method by its name, which has no model."""
    joint: bool = False
    """Over the tableaux world's own encoder, trained on captions, in the place of `fine`."""
    learned_clauses: bool = False
    """Candidates of the untrained method, checked by clauses that were learned with this seed."""
    rate: float = 0.0
    """Another learning rate than its model's."""
    claimed: bool = False
    """What the claims compare: as many seeds as the budget has, where the other rows have one."""
    paper: tuple[float, ...] = ()


ROWS: tuple[Row, ...] = (
    Row(key="random", label="Random (theoretical)", trained=False,
        paper=(0.02, 0.12, 0.24, 1.20, 20.00, 40.00, 60.00, 10.06)),
    Row(key="init", label="Random (initial weights)", model="tirg", trained=False,
        paper=(7.18, 25.74, 36.91, 66.68, 20.84, 41.02, 61.65, 23.29)),
    Row(key="image-only", label="Image-only", model="image-only", claimed=True,
        paper=(13.73, 48.46, 65.81, 89.94, 20.93, 42.15, 63.26, 34.70)),
    Row(key="text-only", label="Text-only", model="text-only", claimed=True,
        paper=(3.90, 13.17, 20.43, 49.16, 39.69, 62.23, 78.52, 26.43)),
    Row(key="random-image", label="Random image + text", model="random-image",
        paper=(2.99, 11.91, 19.85, 46.97, 39.41, 62.33, 78.71, 25.66)),
    Row(key="concat", label="Concatenation", model="concat", claimed=True,
        paper=(12.44, 40.24, 57.52, 87.29, 23.74, 45.12, 65.50, 31.99)),
    Row(key="tirg", label="TIRG", model="tirg", claimed=True,
        paper=(14.61, 48.37, 64.08, 90.03, 22.67, 44.97, 65.14, 35.52)),
    Row(key="tirg-lastconv", label="TIRG, last convolution", model="tirg-lastconv",
        paper=(11.04, 35.68, 51.27, 83.29, 23.82, 45.65, 64.55, 29.75)),
    Row(key="maaf", label="MAAF", model="maaf", claimed=True,
        paper=(10.31, 33.03, 48.30, 80.06, 21.05, 41.81, 61.60, 27.04)),
    Row(key="maaf-bert", label="MAAF + BERT", model="maaf-bert",
        paper=(10.12, 33.10, 48.01, 80.57, 22.04, 42.41, 62.14, 27.57)),
    Row(key="maaf-it", label="MAAF − IT", model="maaf-it",
        paper=(9.90, 32.86, 48.83, 80.27, 21.17, 42.04, 60.91, 27.02)),
    Row(key="maaf-rp", label="MAAF − RP", model="maaf-rp",
        paper=(10.22, 33.32, 48.68, 81.84, 21.41, 42.17, 61.60, 27.37)),
    Row(key="cirplant-no-init", label="CIRPLANT (no init)", model="cirplant", pretrained=False, claimed=True,
        paper=(15.18, 43.36, 60.48, 87.64, 33.81, 56.99, 75.40, 38.59)),
    Row(key="cirplant", label="CIRPLANT (pretrained)", model="cirplant", claimed=True,
        paper=(19.55, 52.55, 68.39, 92.38, 39.20, 63.03, 79.49, 45.88)),
    Row(key="sum", label="Weighted sum, untrained", method="sum", trained=False),
    Row(key="cirplant-no-init-fast", label=f"CIRPLANT (no init), rate {FAST:g}", model="cirplant",
        pretrained=False, rate=FAST, claimed=True),
    Row(key="cirplant-no-init-start", label="CIRPLANT (no init), before the first step", model="cirplant",
        pretrained=False, trained=False),
    Row(key="cirplant-start", label="CIRPLANT (pretrained), before the first step", model="cirplant",
        trained=False),
    Row(key="cirplant-long", label="CIRPLANT (pretrained), trained long", model="cirplant", long=True),
    Row(key="tirg-own", label="TIRG, soft triplet and SGD, negatives of the batch", model="tirg", own=True),
    Row(key="cirplant-own", label="CIRPLANT (pretrained), soft triplet, negatives of the batch",
        model="cirplant", own=True),
    Row(key="mrn", label="MRN", model="mrn"),
    Row(key="film", label="FiLM", model="film"),
    Row(key="relationship", label="Relationship", model="relationship"),
    Row(key="val", label="VAL", model="val"),
    Row(key="combiner", label="Combiner", model="combiner"),
    Row(key="pic2word", label="Pic2Word (no triplets)", model="pic2word"),
    Row(key="image-joint", label="Image-only, tableaux encoder", method="image", trained=False, joint=True),
    Row(key="text-joint", label="Text-only, tableaux encoder", method="text", trained=False, joint=True),
    Row(key="sum-joint", label="Weighted sum, tableaux encoder", method="sum", trained=False, joint=True),
    Row(key="caption-joint", label="CIReVL, tableaux encoder", method="caption", trained=False, joint=True),
    Row(key="pic2word-joint", label="Pic2Word, tableaux encoder", model="pic2word", joint=True),
)  # fmt: skip


# What a table has, whichever rows are asked for.
ALWAYS = ("random", "sum")


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How much is spent, the same on every row: `Budget(queries=8000, epochs=3, seeds=3)`."""

    size: str
    queries: int
    validation: int
    epochs: int
    seeds: int
    width: int = 256
    batch: int = 32
    layers: int = 3
    """Of the language model, in every row that has one."""
    long: int = 3
    """Epochs of the rows that are trained long."""
    drawn: int = 400
    """Trials of each aspect that clauses are learned from."""


FULL = Budget(size="standard", queries=20_000, validation=600, epochs=1, seeds=3)
QUICK = Budget(size="small", queries=600, validation=240, epochs=2, seeds=1, drawn=40)


class Spread(NamedTuple):
    """A number over seeds: its mean and the interval from the lowest to the highest seed."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """The spread of these values."""
        return cls(sum(values) / len(values), min(values), max(values))

    def __str__(self) -> str:
        half = (self.high - self.low) / 2
        return f"{self.mean:.2f}" + (f" ± {half:.2f}" if half else "")


TableNumbers = Mapping[str, Mapping[str, Spread]]


def sample(benchmark: Benchmark, count: int) -> Benchmark:
    """The first queries of a benchmark with only the pictures they need in its gallery."""
    cases = benchmark.cases[:count]
    needed = {id for case in cases for id in (*case.query.pictures, *case.truths, *case.subset)}
    galleries = {name: tuple(id for id in ids if id in needed) for name, ids in benchmark.galleries.items()}
    return replace(benchmark, cases=cases, galleries=galleries)


def recipe_of(row: Row, budget: Budget, seed: int) -> Recipe:
    """The same for all rows, but for the learning rate, and for what a row is there to show."""
    spec = spec_of(row.model)
    optimizer = spec.optimizer if row.own else Recipe.optimizer
    recipe = Recipe(
        optimizer=optimizer,
        rate=row.rate or spec.rate(optimizer),
        batch=budget.batch,
        epochs=budget.epochs,
        queries=budget.queries,
        seed=seed,
    )
    if row.long:
        return replace(recipe, epochs=budget.long, queries=0, hidden=HIDDEN)
    return replace(recipe, loss=spec.loss, negatives=0, others=0) if row.own else recipe


def numbers_of(
    row: Row,
    seed: int,
    budget: Budget,
    setup: TrainingSetup,
    test: Benchmark,
    out: Path,
    measures: Sequence[Measure] = MEASURES,
) -> dict[str, float]:
    """The row's measures on the test split for one seed; what was finished before is read back."""
    if row.key == "random":
        return dict(chance(test, measures).measures)
    if row.method:
        return measured_by(zero_shot(row.method, setup.encoder), setup, test, measures)
    place = out / "results" / f"{row.key}.{seed}.json"
    about = _about(row, budget, setup, test, seed)
    if place.exists():
        held = parse_json(place.read_text(encoding="utf-8"))
        if held["about"] == about and held["test"].keys() == {repr(one) for one in measures}:
            return held["test"]
    trained = _trained(row, budget, setup, seed, out)
    numbers = measured_by(setup.method(trained), setup, test, measures)
    held = {
        "about": about,
        "validation": trained.fitted.best,
        "epoch": trained.fitted.epoch,
        "history": [epoch._asdict() for epoch in trained.fitted.history],
        "test": numbers,
    }
    write_text(place, json.dumps(held, indent=1) + "\n")
    return numbers


def measured_by(
    method: Method, setup: TrainingSetup, test: Benchmark, measures: Sequence[Measure]
) -> dict[str, float]:
    """A method's measures on a test split, by name."""
    return dict(measure(judge(method, test, setup.features), test, measures).measures)


def jobs(budget: Budget, rows: Sequence[Row] = ROWS) -> list[tuple[Row, int]]:
    """What there is to do: the longest first, then one seed after the other.

    So no core waits long for another at the end, and a table is whole before the next seed begins.

    >>> [(row.key, seed) for row, seed in jobs(QUICK, ROWS[:2])]
    [('random', 0), ('init', 0)]
    """
    todo = [(row, seed) for seed in range(budget.seeds) for row in rows if seed == 0 or row.claimed]
    return sorted(todo, key=lambda job: not job[0].long)


def _about(row: Row, budget: Budget, setup: TrainingSetup, test: Benchmark, seed: int) -> dict[str, Any]:
    recipe = recipe_of(row, budget, seed) if row.trained else None
    return {
        "recipe": repr(recipe),
        "pretrained": row.pretrained,
        "width": budget.width,
        "layers": budget.layers,
        "queries": len(setup.triplets),
        "validation": len(setup.validation),
        "encoder": setup.features.fingerprint,
        "train": f"{setup.train_benchmark.header()} {setup.train_benchmark.revision}",
        "test": f"{test.header()} {test.revision}",
        "seed": seed,
    }


def _trained(row: Row, budget: Budget, setup: TrainingSetup, seed: int, out: Path) -> Trained:
    if not row.trained:
        return setup.start(row.model, seed=seed, pretrained=row.pretrained, width=budget.width)
    place = out / "checkpoints" / f"{row.key}.{seed}"
    # Finished, but its result was not written or is of another test split: nothing to continue.
    if (place / CONFIG).exists() and not (place / RESUME).exists():
        shutil.rmtree(place)
    return setup.train(
        row.model, recipe_of(row, budget, seed), pretrained=row.pretrained, width=budget.width, out=place
    )


def spreads(rows: Mapping[str, Sequence[Mapping[str, float]]]) -> TableNumbers:
    """Each row's measures over its seeds."""
    return {
        key: {name: Spread.of([numbers[name] for numbers in seeds]) for name in seeds[0]}
        for key, seeds in rows.items()
        if seeds
    }
