"""Benchmarks of judgements, made for tests: what people say follows a hidden worth, with noise."""

import numpy as np

from circlet.core import Benchmark, Case, JudgedSet, Judgement, Key, Query, Ranking, Run, Turn


def survey(
    amount: int = 40, *, seed: int = 0, graded: bool = True, twice: int = 0, targets: bool = True
) -> Benchmark:
    """Two sets of two a query; the first `twice` queries are judged by a second judge, sets swapped."""
    rng = np.random.default_rng(seed)
    cases = []
    for number in range(amount):
        ids = [f"{number}-{letter}" for letter in "abcd"]
        grades = {id: round(float(worth), 3) for id, worth in zip(ids, rng.random(4), strict=True)}
        sets = (tuple(ids[:2]), tuple(ids[2:]))
        for judge in ("ann", "bob") if number < twice else ("ann",):
            worth = [np.mean([grades[id] for id in one]) + rng.normal(0, 0.1) for one in sets]
            scores = [int(np.clip(np.rint(1 + 4 * one), 1, 5)) for one in worth]
            both = [JudgedSet(one, score) for one, score in zip(sets, scores, strict=True)]
            better = int(np.argmax(worth)) + 1
            if judge == "bob":
                both, better = both[::-1], 3 - better
            cases.append(
                Case(
                    query=Query(f"{number}/{judge}", (Turn(picture="r", text=f"wish {number}"),)),
                    truths=(ids[number % 4],) if targets else (),
                    subset=tuple(ids),
                    grades=grades if graded else {},
                    judgement=Judgement((both[0], both[1]), better),
                    notes={"judge": judge},
                )
            )
    return Benchmark(
        name="survey",
        split="val",
        cases=tuple(cases),
        galleries={},
        measures=("Spearman()", "PreferenceRate()", "PreferenceRate(given='higher')"),
    )


def noisy(benchmark: Benchmark, noise: float, *, seed: int = 1) -> Run:
    """A run whose scores are the grades, seen through so much noise."""
    rng = np.random.default_rng(seed)
    subsets = {}
    for case in benchmark.cases:
        scores = np.array([case.grades[id] for id in case.subset]) + rng.normal(0, noise, len(case.subset))
        order = np.argsort(-scores)
        subsets[Key(case.id)] = Ranking([case.subset[place] for place in order], scores[order])
    return Run(method=f"noise {noise}", subsets=subsets)
