"""What scorers of relevance are held against: judges, true grades, targets, and nothing that matches."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from circlet.core import Benchmark, Case, Gallery, Key, Method, Vectors
from circlet.data.tableaux.tasks.relevance import full_matches
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.truth import Need
from circlet.evaluate import Mean, Recall, SubsetRecall, judge
from circlet.evaluate.arrays import Floats
from circlet.evaluate.certainty import correlated
from circlet.evaluate.compare import randomisation
from circlet.evaluate.measures.agreement import PreferenceRate, average_ranks
from circlet.evaluate.measures.judgements import Judgements
from circlet.experiments.relevance import Scores
from circlet.models.odds import Odds
from circlet.models.scorers.clauses import ClauseScorer
from circlet.train.calibration import answers, calibration_error

# What one scorer says of some pictures for a query.
Says = Callable[[Case, Sequence[str]], Vectors]
DEEP = (10, 50)


class Mixed(NamedTuple):
    """Several scores as one: the odds of an answer, fitted to the first of every graded query of val."""

    weights: tuple[float, ...]
    shift: float

    def __call__(self, several: Sequence[Vectors]) -> Vectors:
        total = sum(weight * one for weight, one in zip(self.weights, several, strict=True))
        return np.asarray(total + self.shift, np.float32)


def candidates(scores: Scores, count: int) -> list[list[str]]:
    """Of each graded query the first so many by the learned whole."""
    ids = list(scores.column)
    return [[ids[column] for column in np.argsort(-row, kind="stable")[:count]] for row in scores.table]


def mixed(asked: Iterable[tuple[Case, Sequence[str]]], says: Sequence[Says]) -> Mixed:
    """The weights under which these scores together tell best what answers a query among its candidates."""
    rows, truth = [], []
    for case, ids in asked:
        rows.append(np.stack([one(case, ids) for one in says], axis=1))
        truth += [float(id in answers(case)) for id in ids]
    given = torch.from_numpy(np.concatenate(rows)).double()
    told = torch.tensor(truth, dtype=torch.float64)
    spread = given.std(dim=0)
    fitted = torch.zeros(len(says) + 1, dtype=torch.float64, requires_grad=True)
    search = torch.optim.LBFGS([fitted], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        fitted.grad = None
        odds = (given / spread) @ fitted[:-1] + fitted[-1]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(odds, told)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    search.step(closure)  # type: ignore[no-untyped-call]
    found = fitted.detach()
    return Mixed(tuple((found[:-1] / spread).tolist()), float(found[-1]))


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
    people = Judgements.of(judged)
    return {
        "Recall@5": agreed(judged, people.recalls),
        "ceiling (the grades themselves)": agreement(
            judged, lambda case, ids: np.array([case.grades.get(id, 0.0) for id in ids])
        ),
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


def calibration(scores: Scores, say: Says, odds: Odds) -> float:
    """The calibration error of probabilities over the first hundred of every graded query."""
    likely, truth = [], []
    for case, ids in zip(scores.relevance.cases, candidates(scores, 100), strict=True):
        likely.append(odds.likely(say(case, ids)))
        truth += [float(id in answers(case)) for id in ids]
    return calibration_error(np.concatenate(likely), np.array(truth))


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
    scores: Scores, scenes: Mapping[str, Scene], scorer: ClauseScorer, count: int = 50
) -> dict[str, float]:
    """By aspect: is a clause likelier in those of the first so many in which it is true?

    Only texts in which as many clauses were heard as were said count: elsewhere nothing says which is which.
    """
    told: dict[str, tuple[list[float], list[float]]] = {}
    for case, ids in zip(scores.relevance.cases, candidates(scores, count), strict=True):
        needs = [Need(**need) for need in case.notes["needs"]]
        likely = scorer.check(case.query, ids, scores.features).probabilities[1:]
        if len(likely) != len(needs):
            continue
        was = scenes[str(case.query.last.picture)]
        holds = np.array([[need.holds(was, scenes[id]) for id in ids] for need in needs])
        for need, row, true in zip(needs, likely, holds, strict=True):
            aspect = next((name for name, about in _ASPECTS.items() if need.about in about), "change")
            _sort(told.setdefault(aspect, ([], [])), row, true)
        if len(needs) > 1:
            _sort(told.setdefault("several", ([], [])), likely.prod(axis=0), np.asarray(holds.all(axis=0)))
    return {aspect: auroc(*both) for aspect, both in sorted(told.items()) if all(both)}


def _sort(into: tuple[list[float], list[float]], likely: Vectors, true: "np.ndarray[Any, Any]") -> None:
    into[0].extend(likely[true].tolist())
    into[1].extend(likely[~true].tolist())


def look_alikes(aspects: Benchmark, scorer: ClauseScorer, features: Gallery) -> dict[str, float]:
    """By aspect, and harder: the answer of each query against the one that fails in that aspect alone."""
    told: dict[str, tuple[list[float], list[float]]] = {}
    for case in aspects.cases:
        ids = [*case.truths, *(id for id in case.members if id not in case.truths)]
        found = scorer.check(case.query, ids, features).probabilities[1:]
        if not len(found):
            continue
        likely = np.exp(np.log(np.clip(np.nan_to_num(found, nan=0.5), 1e-6, 1)).mean(axis=0))
        for aspect in case.aspects:
            _sort(told.setdefault(aspect, ([], [])), likely, np.array([id in case.truths for id in ids]))
    return {aspect: auroc(*both) for aspect, both in told.items() if all(both)}


def nothing_matches(scores: Scores, says: Mapping[str, Says]) -> dict[str, float]:
    """With every answer taken out for every other query: is the best score then lower?"""
    first, found = candidates(scores, 50), {}
    for name, say in says.items():
        best: tuple[list[float], list[float]] = ([], [])
        for number, (case, ids) in enumerate(zip(scores.relevance.cases, first, strict=True)):
            gone = number % 2
            left = [id for id in ids if id not in full_matches(case)] if gone else ids
            best[gone].append(float(np.max(say(case, left[:20]))))
        found[name] = auroc(*best)
    return found


def retrieval(method: Method, benchmark: Benchmark, features: Gallery) -> dict[str, float]:
    """Table 7: the target found by the scores alone."""
    judged = judge(method, benchmark, features)
    measures = (Recall @ 1, Recall @ 5, SubsetRecall @ 1, Mean(Recall @ 5, SubsetRecall @ 1))
    return {repr(one): one.value(judged) for one in measures}


def reranked(
    benchmark: Benchmark, firsts: Mapping[Key, Iterable[str]], say: Says, *, seed: int = 0
) -> dict[str, float]:
    """R@1 of somebody's first fifty before and after a scorer puts them into its order, and p of that."""
    before, after = [], []
    for case in benchmark.cases:
        ids = list(firsts[Key(case.id)])
        best = ids[int(np.argmax(say(case, ids)))]
        before.append(float(ids[0] == case.target))
        after.append(float(best == case.target))
    p = randomisation(np.array(after) - np.array(before), seed=seed)
    return {"before": 100 * float(np.mean(before)), "after": 100 * float(np.mean(after)), "p": p}
