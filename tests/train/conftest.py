"""A world of twenty-four pictures in which words move a picture along known axes."""

from typing import Any

import numpy as np
import pytest

from circlet.core import Benchmark, Query, Turn, cases_of, unit
from circlet.models.features import Features
from circlet.train.batches import TripletBatches
from circlet.train.tasks.triplets import Triplets

EDITS = ("red", "night", "two")


def made() -> tuple[Benchmark, Features]:
    """Eight scenes, each plain, red, at night and two of them; four of a kind are a subset."""
    chance = np.random.default_rng(0)
    scenes = chance.normal(size=(8, 6))
    axes = chance.normal(size=(3, 6)) * 1.5
    ids, rows, queries, truths, subsets = [], [], [], {}, {}
    for number, scene in enumerate(scenes):
        names = [f"{number}", *(f"{number}-{edit}" for edit in EDITS)]
        ids += names
        rows += [scene, *(scene + axis for axis in axes)]
        for edit, name in zip(EDITS, names[1:], strict=True):
            queries.append(Query(name, (Turn(picture=names[0], text=edit),)))
            truths[name], subsets[name] = (name,), tuple(names)
    bench = Benchmark(
        name="eight",
        split="train",
        cases=cases_of(
            queries,
            truths=truths,
            subsets=subsets,
            exclusions={query.id: (query.last.picture or "",) for query in queries},
        ),
        galleries={"": tuple(ids)},
    )
    tokens = np.repeat(np.asarray(rows, np.float16)[:, None], 4, axis=1)
    return bench, Features(ids, unit(np.array(rows)), "toy:6", tokens=tokens)


@pytest.fixture(scope="session")
def world() -> tuple[Benchmark, Features]:
    return made()


@pytest.fixture(scope="session")
def supply(world: tuple[Benchmark, Features], language: Any) -> TripletBatches:
    bench, features = world
    return TripletBatches(Triplets.of(bench, features.ids), features, language)
