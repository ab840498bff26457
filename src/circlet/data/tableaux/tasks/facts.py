"""Pairs of scenes that differ in one fact only: does a caption know its own picture from the other?"""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from circlet.core import Benchmark, Query, Turn, cases_of
from circlet.data.tableaux.tasks.sayings import elsewhere
from circlet.data.tableaux.world.families import EDITS, fits, random_scene
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.words import caption


class FactPair(NamedTuple):
    """A scene and one that differs from it in this fact, and in nothing else that words could say."""

    fact: str
    target: Scene
    other: Scene


FACTS: Mapping[str, Callable[[Scene, random.Random], Scene]] = {
    "count": EDITS["count"][1],
    "colour": EDITS["colour"][1],
    "place": EDITS["column"][1],
    "setting": elsewhere,
    "time": EDITS["time"][1],
}


def fact_pairs(split: str, each: int, seed: int = 0) -> list[FactPair]:
    """So many pairs of each fact, of this split's scenes; their captions differ as well.

    >>> pair = fact_pairs("val", 1)[0]
    >>> pair.fact, pair.target.setting == pair.other.setting
    ('count', True)
    """
    rng = random.Random(f"facts {seed} {split}")
    pairs: list[FactPair] = []
    for fact, change in FACTS.items():
        while sum(pair.fact == fact for pair in pairs) < each:
            scene = random_scene(rng, split)
            other = replace(change(scene, rng), jitter=rng.randrange(1 << 30))
            if caption(other) != caption(scene) and fits(other, split):
                pairs.append(FactPair(fact, scene, other))
    return pairs


def facts_benchmark(split: str, pairs: list[FactPair]) -> tuple[Benchmark, dict[str, Scene]]:
    """Captions as queries, each against the picture that differs in one fact; and the scenes by id."""
    scenes: dict[str, Scene] = {}
    queries, truths, subsets, aspects = [], {}, {}, {}
    for number, pair in enumerate(pairs):
        # The names must not tell which of the two is asked for.
        ids = [f"facts-{split}-{2 * number + place:06d}" for place in (0, 1)]
        target, other = ids if random.Random(f"{split} {number}").random() < 0.5 else ids[::-1]
        scenes |= {target: pair.target, other: pair.other}
        id = f"{split}-{pair.fact}-{number}"
        queries.append(Query(id, (Turn(text=caption(pair.target)),)))
        truths[id], subsets[id], aspects[id] = (target,), tuple(ids), (pair.fact,)
    benchmark = Benchmark(
        name="tableaux-facts",
        split=split,
        cases=cases_of(queries, truths=truths, subsets=subsets, aspects=aspects),
        galleries={"": tuple(sorted(scenes))},
        protocol={"gallery": "all"},
        measures=tuple(f"Within('{fact}', SubsetRecall @ 1)" for fact in FACTS),
    )
    return benchmark, scenes
