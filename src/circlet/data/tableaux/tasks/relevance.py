"""`tableaux:relevance` and `tableaux:judges`: how much of the wanted graph each picture has, and
simulated judges who score and compare sets of five, in the form of CIRQRS's survey."""

import random
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from circlet.core import Benchmark, Case, JudgedSet, Judgement, Query
from circlet.data.tableaux.world.scene import Scene

Atom = tuple[str, ...]
SET = 5
JUDGES = 61
# Four simulated retrieval models, from careless to careful: the noise in what they see.
_MODELS = (0.45, 0.3, 0.2, 0.12)


def atoms(scene: Scene) -> frozenset[Atom]:
    """What a scene is made of, fact by fact: its backdrop, its light, and each thing's attributes."""
    facts: set[Atom] = {(name, str(getattr(scene, name))) for name in ("setting", "time", "weather", "view")}
    for thing in scene.things:
        facts.add((thing.kind,))
        facts |= {
            (thing.kind, name, str(getattr(thing, name)))
            for name in ("count", "colour", "size", "column", "depth", "facing", "tone", "hair")
            if getattr(thing, name)
        }
    return frozenset(facts)


def grade(wanted: Scene, candidate: Scene) -> float:
    """The share of the wanted graph that holds in the candidate; what is there besides takes some back.

    One is the wanted scene itself, or another picture of the same graph.

    >>> from circlet.data.tableaux import Thing
    >>> crabs = Scene(setting="beach", things=(Thing(kind="crab", count=3),))
    >>> grade(crabs, crabs), grade(crabs, crabs.changed("crab", count=2))
    (1.0, 0.889)
    """
    ours, theirs = atoms(wanted), atoms(candidate)
    extra = sum(kind not in wanted.kinds for kind in candidate.kinds)
    return round(len(ours & theirs) / (len(ours) + extra), 3)


def relevance_benchmark(
    cir: Benchmark, scenes: Mapping[str, Scene], seed: int, *, most_queries: int, most_pictures: int
) -> Benchmark:
    """A sample of `cir`'s queries with a grade for every picture of its gallery."""
    rng = random.Random(f"relevance {seed} {cir.split}")
    queries, gallery = _sampled(cir, rng, most_queries, most_pictures)
    cases = []
    for query in queries:
        truths = cir.case(query.id).truths
        grades = {id: grade(scenes[truths[0]], scenes[id]) for id in gallery}
        cases.append(Case(query=query, truths=truths, exclude=query.pictures, grades=grades))
    return Benchmark(
        name="tableaux-relevance",
        split=cir.split,
        cases=tuple(cases),
        galleries={"": gallery},
        protocol={"reference": "removed", "grades": "share of the wanted graph"},
        measures=("NDCG @ 10", "NDCG @ 50", "Recall @ 10"),
        images={id: cir.images[id] for id in gallery},
    )


def _sampled(
    cir: Benchmark, rng: random.Random, most_queries: int, most_pictures: int
) -> tuple[tuple[Query, ...], tuple[str, ...]]:
    """Queries whose subsets fit into a gallery of bounded size, and that gallery."""
    every = list(cir.queries)
    rng.shuffle(every)
    gallery: dict[str, None] = {}
    queries: list[Query] = []
    for query in every:
        wanted = dict.fromkeys(cir.case(query.id).subset)
        if len(queries) < most_queries and len(gallery | wanted) <= most_pictures:
            queries.append(query)
            gallery |= wanted
    for id in cir.galleries[""]:
        if len(gallery) < most_pictures:
            gallery[id] = None
    return tuple(queries), tuple(sorted(gallery))


def judges_benchmark(relevance: Benchmark, seed: int) -> Benchmark:
    """Two sets of five a query, retrieved by simulated models, scored and compared by one judge.

    A judge sees each set's mean grade through noise and a leaning of his own, scores it from 1 to 5,
    and prefers the set he sees as better: not always the one he scored higher, as people do.
    """
    gallery = relevance.galleries[""]
    cases = []
    leanings = np.random.default_rng(seed).normal(0, 0.06, JUDGES)
    for number, query in enumerate(relevance.queries):
        rng = np.random.default_rng([seed, number])
        given = relevance.case(query.id).grades
        ids = [id for id in gallery if id not in query.pictures]
        truth = np.array([given[id] for id in ids])
        models = rng.choice(len(_MODELS), size=2, replace=False)
        sets = [_retrieved(ids, truth, _MODELS[model], rng) for model in models]
        judge = number % JUDGES
        worth = np.array([np.mean([given[id] for id in one]) for one in sets])
        seen = worth + leanings[judge] + rng.normal(0, 0.08, 2)
        preferred = int(np.argmax(worth + rng.normal(0, 0.06, 2))) + 1
        scores = _likert(seen, truth)
        first, second = (JudgedSet(tuple(one), score) for one, score in zip(sets, scores, strict=True))
        cases.append(
            Case(
                query=query,
                truths=relevance.case(query.id).truths,
                subset=tuple(sorted({id for one in sets for id in one})),
                judgement=Judgement((first, second), preferred),
                notes={"judge": judge, "models": [int(model) for model in models]},
            )
        )
    used = {id for case in cases for id in (*case.subset, *case.query.pictures)}
    return Benchmark(
        name="tableaux-judges",
        split=relevance.split,
        cases=tuple(cases),
        galleries={},
        protocol={"judges": str(JUDGES), "sets": f"two of {SET}"},
        measures=("Spearman()", "PreferenceRate()", "PreferenceRate(given='higher')"),
        images={id: relevance.images[id] for id in sorted(used)},
    )


def _retrieved(
    ids: list[str], truth: NDArray[np.float64], noise: float, rng: np.random.Generator
) -> list[str]:
    """The five that a model with this much noise takes for the best."""
    best = np.argsort(-(truth + rng.normal(0, noise, len(truth))), kind="stable")[:SET]
    return [ids[row] for row in best]


def _likert(seen: NDArray[np.float64], truth: NDArray[np.float64]) -> list[int]:
    """Scores from 1 to 5: 1 is what a picture drawn at random is worth, 5 five perfect ones."""
    low, high = float(np.median(truth)), 0.92
    scores = 1 + 4 * (seen - low) / max(high - low, 0.05)
    return [int(score) for score in np.clip(np.rint(scores), 1, 5)]
