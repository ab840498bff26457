"""What scorers of relevance are held against: judges, true grades, targets, and nothing that matches."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from circlet.core import Benchmark, Gallery, Method, Vectors
from circlet.data.tableaux.tasks.relevance import full_matches
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.truth import Need
from circlet.evaluate import Mean, Recall, SubsetRecall, judge
from circlet.evaluate.arrays import Floats
from circlet.evaluate.certainty import correlated
from circlet.evaluate.compare import randomisation
from circlet.evaluate.measures.agreement import PreferenceRate, average_ranks
from circlet.evaluate.measures.judgements import Judgements
from circlet.evaluate.people import true_scores
from circlet.experiments.relevance_scores import Asked, Says
from circlet.models.odds import Odds
from circlet.models.scorers.clauses import ClauseScorer

DEEP = (10, 50)


def agreement(judged: Benchmark, says: Says) -> dict[str, float]:
    """Equations 7 to 9: set scores against what people said; preference in percent."""
    sets = [[one.images for one in case.judgement.sets] for case in judged.cases if case.judgement]
    table = np.array(
        [
            [float(np.mean(says(case, ids))) for ids in both]
            for case, both in zip(judged.cases, sets, strict=True)
        ]
    )
    return agreed(judged, table)


def agreed(judged: Benchmark, table: Floats) -> dict[str, float]:
    """The same from scores of set 1 and set 2."""
    people = Judgements.of(judged)
    found = correlated(table, people)
    return {
        "Spearman": found.value,
        "low": found.low,
        "high": found.high,
        "p": found.p,
        "preferred": PreferenceRate().of(table, people),
        "preferred, both sides": PreferenceRate(sides="both").of(table, people),
        "preferred, recall equal": PreferenceRate(given="higher").of(table, people),
    }


def yardsticks(judged: Benchmark) -> dict[str, dict[str, float]]:
    """Recall of the sets, and the grades themselves: what a judge without noise would say."""
    grades = true_scores(judged)
    assert grades is not None, "every judged picture has a grade"
    return {
        "Recall@5": agreed(judged, Judgements.of(judged).recalls),
        "ceiling (the grades themselves)": agreed(judged, grades),
    }


def order(
    relevance: Benchmark, found: Mapping[str, Mapping[str, Sequence[str]]], says: Mapping[str, Says]
) -> dict[str, dict[str, float]]:
    """Table 6: each method by its true grade, by recall of the target, and by what scorers say of it."""
    rows = {}
    for name, by in found.items():
        row = {"grade @ 10": _each(relevance, by, 10, lambda c, ids: [c.grades.get(id, 0.0) for id in ids])}
        row["Recall @ 10"] = 100 * _each(relevance, by, 10, lambda c, ids: [float(c.target in ids)])
        for scorer, say in says.items():
            row |= {f"{scorer} @ {k}": _each(relevance, by, k, say) for k in DEEP}
        rows[name] = row
    return rows


def _each(relevance: Benchmark, by: Mapping[str, Sequence[str]], k: int, say: Any) -> float:
    return float(np.mean([np.mean(say(case, by[case.id][:k])) for case in relevance.cases]))


def kendall(one: Sequence[float], two: Sequence[float]) -> float:
    """Kendall's τ-b: how far two orders agree, ties counted as neither.

    >>> kendall([1, 2, 3], [1, 2, 3]), round(kendall([1, 2, 3], [1, 3, 2]), 3)
    (1.0, 0.333)
    """
    first, second = (np.sign(np.subtract.outer(x, x)) for x in (np.asarray(one), np.asarray(two)))
    upper = np.triu_indices(len(first), 1)
    first, second = first[upper], second[upper]
    return float((first * second).sum() / np.sqrt((first**2).sum() * (second**2).sum()))


def auroc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """How often what is right scores above what is wrong, ties as half.

    >>> auroc([0.9, 0.5], [0.5, 0.1])
    0.875
    """
    ranks = average_ranks([*right, *wrong])[: len(right)]
    return float((ranks.sum() / len(right) - (len(right) + 1) / 2) / len(wrong))


# By which needs an aspect is asked for; several needs at once are the sixth.
_ASPECTS = {
    "cardinality": ("count", "more", "fewer"),
    "addition": ("add", "sign"),
    "negation": ("remove", "no sign"),
    "background": ("setting", "time", "weather", "closer", "wider"),
}


def clause_auroc(
    asked: Asked, features: Gallery, scenes: Mapping[str, Scene], scorer: ClauseScorer
) -> dict[str, float]:
    """By aspect: is a clause likelier in those of a query's candidates in which it is true?

    Only texts in which as many clauses were heard as were said count: elsewhere nothing says which is which.
    """
    found: dict[str, tuple[list[float], list[float]]] = {}
    for case, ids in asked:
        needs = [Need(**need) for need in case.notes["needs"]]
        # Of what nobody checked, one is as likely as the other.
        likely = np.nan_to_num(scorer.check(case.query, ids, features).probabilities[1:], nan=0.5)
        if len(likely) != len(needs):
            continue
        was = scenes[str(case.query.last.picture)]
        holds = np.array([[need.holds(was, scenes[id]) for id in ids] for need in needs])
        for need, row, true in zip(needs, likely, holds, strict=True):
            aspect = next((name for name, about in _ASPECTS.items() if need.about in about), "change")
            _sort(found.setdefault(aspect, ([], [])), row, true)
        if len(needs) > 1:
            _sort(found.setdefault("several", ([], [])), likely.prod(axis=0), np.asarray(holds.all(axis=0)))
    return {aspect: auroc(*both) for aspect, both in sorted(found.items()) if all(both)}


def _sort(into: tuple[list[float], list[float]], likely: Vectors, true: "np.ndarray[Any, Any]") -> None:
    into[0].extend(likely[true].tolist())
    into[1].extend(likely[~true].tolist())


def look_alikes(aspects: Benchmark, scorer: ClauseScorer, features: Gallery) -> dict[str, float]:
    """By aspect, and harder: the answer of each query against the one that fails in that aspect alone."""
    found: dict[str, tuple[list[float], list[float]]] = {}
    for case in aspects.cases:
        ids = [*case.truths, *(id for id in case.members if id not in case.truths)]
        clauses = scorer.check(case.query, ids, features).probabilities[1:]
        # Of what nobody heard or checked, one is as likely as the other.
        known = np.nan_to_num(clauses, nan=0.5) if len(clauses) else np.full((1, len(ids)), 0.5)
        likely = np.exp(np.log(np.clip(known, 1e-6, 1)).mean(axis=0))
        for aspect in case.aspects:
            _sort(found.setdefault(aspect, ([], [])), likely, np.array([id in case.truths for id in ids]))
    return {aspect: auroc(*both) for aspect, both in sorted(found.items()) if all(both)}


def nothing_matches(asked: Asked, say: Says, odds: Odds | None = None) -> float:
    """With every answer taken out for every other query: is an answer then less likely to be there? AUROC.

    By the best score that is left or, with the `odds` that scores stand for, by how likely any answers.
    """
    found: tuple[list[float], list[float]] = ([], [])
    for number, (case, ids) in enumerate(asked):
        gone = number % 2
        full = set(full_matches(case)) if gone else set()
        left = say(case, [id for id in ids if id not in full])
        found[gone].append(float(np.max(left)) if odds is None else any_answers(odds.likely(left)))
    return auroc(*found)


def any_answers(likely: Vectors) -> float:
    """How likely any of several pictures answers, each of them this likely by itself: −log of that none does.

    >>> round(any_answers(np.array([0.5, 0.5])), 3)
    1.386
    """
    return float(-np.log1p(-np.minimum(np.asarray(likely, np.float64), 1 - 1e-9)).sum())


def retrieval(method: Method, benchmark: Benchmark, features: Gallery) -> dict[str, float]:
    """Table 7: the target found by the scores alone."""
    judged = judge(method, benchmark, features)
    measures = (Recall @ 1, Recall @ 5, SubsetRecall @ 1, Mean(Recall @ 5, SubsetRecall @ 1))
    return {repr(one): one.value(judged) for one in measures}


def reranked(asked: Asked, say: Says, *, seed: int = 0) -> dict[str, float]:
    """R@1 of somebody's first fifty before and after a scorer puts them into its order, and p of that."""
    before, after = [], []
    for case, ids in asked:
        best = ids[int(np.argmax(say(case, ids)))]
        before.append(float(ids[0] == case.target))
        after.append(float(best == case.target))
    p = randomisation(np.array(after) - np.array(before), seed=seed)
    return {"before": 100 * float(np.mean(before)), "after": 100 * float(np.mean(after)), "p": p}
