"""`tableaux:judges`: simulated people who score and compare sets of five, in the form of CIRQRS's survey."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from circlet.core import Benchmark, Case, JudgedSet, Judgement
from circlet.data.tableaux.tasks.grades import Wish, likeness
from circlet.data.tableaux.tasks.relevance import wish_of
from circlet.data.tableaux.world.scene import Scene

SET = 5
JUDGES = 61
# One query in so many is judged by somebody else as well.
OVERLAP = 10
# A judge's own leaning and unsteadiness, in shares of the scale from a worthless set to a perfect one.
_LEANING, _UNSTEADY = 0.08, (0.05, 0.15)
# Two sets that both look worth less than this are flagged: they have nothing to do with the query.
_IRRELEVANT = 0.15
Floats = NDArray[np.float64]
# For each method, the ids that it found for each query, the best first.
Retrieved = Mapping[str, Mapping[str, Sequence[str]]]


def simulated(
    relevance: Benchmark, scenes: Mapping[str, Scene], seed: int
) -> dict[str, dict[str, list[str]]]:
    """What five methods of different character find: by looks, by words, by both, with and without care."""
    gallery = relevance.galleries[""]
    found: dict[str, dict[str, list[str]]] = {}
    for number, case in enumerate(relevance.cases):
        rng = np.random.default_rng([seed, *relevance.split.encode(), number])
        ids = [id for id in gallery if id not in case.exclude]
        wish = wish_of(case, scenes)
        for name, worth in _views(wish, case, [scenes[id] for id in ids], ids, rng).items():
            best = np.argsort(-worth, kind="stable")[:SET]
            found.setdefault(name, {})[case.id] = [ids[row] for row in best]
    return found


def _views(
    wish: Wish, case: Case, candidates: Sequence[Scene], ids: Sequence[str], rng: np.random.Generator
) -> dict[str, Floats]:
    looks = np.array([likeness(wish.reference, scene) for scene in candidates])
    words = np.array([wish.asked(scene) for scene in candidates])
    grades = np.array([case.grades.get(id, 0.0) for id in ids])

    def blurred(values: Floats, noise: float) -> Floats:
        return values + rng.normal(0, noise, len(values))

    return {
        "looks": blurred(looks, 0.05),
        "words": blurred(words, 0.05),
        "both": blurred((looks + words) / 2, 0.1),
        "careless": blurred(grades, 0.3),
        "careful": blurred(grades, 0.1),
    }


def judges_benchmark(relevance: Benchmark, retrieved: Retrieved, seed: int) -> Benchmark:
    """Two sets of five a query, of two methods, scored and compared by one judge, or now and then by two.

    A judge sees each set's mean grade through a leaning and an unsteadiness of his own, scores it from 1 to
    5, prefers what looks better at a second glance, and flags the query where neither set is to the point.
    """
    chance = np.random.default_rng([seed, *relevance.split.encode(), 0, 1])
    leanings = chance.normal(0, _LEANING, JUDGES)
    unsteady = chance.uniform(*_UNSTEADY, JUDGES)
    cases, flagged = [], 0
    for number, case in enumerate(relevance.cases):
        rng = np.random.default_rng([seed, *relevance.split.encode(), number, 2])
        names = [str(name) for name in rng.choice(sorted(retrieved), size=2, replace=False)]
        sets = [tuple(retrieved[name][case.id][:SET]) for name in names]
        worth = np.array([np.mean([case.grades.get(id, 0.0) for id in one]) for one in sets])
        people = rng.choice(JUDGES, size=2 if number % OVERLAP == 0 else 1, replace=False)
        for place, judge in enumerate(people):
            seen = worth + leanings[judge] + rng.normal(0, unsteady[judge], 2)
            again = worth + rng.normal(0, unsteady[judge], 2)
            if seen.max() < _IRRELEVANT:
                flagged += 1
                continue
            first, second = (JudgedSet(one, score) for one, score in zip(sets, _likert(seen), strict=True))
            id = case.id if not place else f"{case.id}-again"
            cases.append(
                Case(
                    query=type(case.query)(id, case.query.turns),
                    truths=case.truths,
                    subset=tuple(sorted({id for one in sets for id in one})),
                    grades={id: case.grades.get(id, 0.0) for one in sets for id in one},
                    judgement=Judgement((first, second), int(np.argmax(again)) + 1),
                    notes={"judge": int(judge), "models": names},
                )
            )
    return Benchmark(
        name="tableaux-judges",
        split=relevance.split,
        cases=tuple(cases),
        galleries={},
        protocol={"judges": str(JUDGES), "sets": f"two of {SET}", "invalid": "left-out"},
        measures=("Spearman()", "PreferenceRate()", "PreferenceRate(given='higher')"),
        extra={
            "findings": [f"{flagged} judgements were flagged as irrelevant and are left out"],
            "invalid": flagged,
        },
    )


def _likert(seen: Floats) -> list[int]:
    """Scores from 1 to 5: 1 is a set without worth, 5 five perfect pictures."""
    return [int(score) for score in np.clip(np.rint(1 + 4 * seen), 1, 5)]
