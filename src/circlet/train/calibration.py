"""From scores to probabilities: a scale and a shift of the odds, fitted where nothing was learned."""

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch.nn import functional

from circlet.core import Benchmark, Case, Gallery, Key, Method, Scorer, Vectors
from circlet.evaluate import rank
from circlet.models.odds import Odds

# So many of a method's first answers are what its probabilities are fitted to: where they are looked at.
DEEP = 100


def fit_odds(scores: ArrayLike, truth: ArrayLike) -> Odds:
    """The scale and shift under which the truth is likeliest; scores that lead astray tell nothing.

    >>> fitted = fit_odds([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], [0, 0, 1, 1, 1, 0])
    >>> [round(float(one), 2) for one in fitted.likely([0.0, 1.0])]
    [0.33, 0.67]
    >>> fit_odds([0.0, 1.0], [1, 0])
    Odds(scale=0.0, shift=0.0)
    """
    (scale,), shift = fit_weights(np.asarray(scores)[:, None], truth)
    if scale > 0:
        return Odds(scale, shift)
    share = np.clip(np.mean(np.asarray(truth)), 1e-6, 1 - 1e-6)
    return Odds(0.0, float(np.log(share / (1 - share))))


def fit_weights(several: ArrayLike, truth: ArrayLike) -> tuple[tuple[float, ...], float]:
    """The weights of several scores, a column each, and the shift, under which the truth is likeliest."""
    given = torch.as_tensor(np.asarray(several), dtype=torch.float64)
    told = torch.as_tensor(np.asarray(truth), dtype=torch.float64)
    spread = given.std(dim=0).clamp(min=1e-12)
    fitted = torch.zeros(given.shape[1] + 1, dtype=torch.float64, requires_grad=True)
    search = torch.optim.LBFGS([fitted], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        fitted.grad = None
        odds = (given / spread) @ fitted[:-1] + fitted[-1]
        loss = functional.binary_cross_entropy_with_logits(odds, told)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    search.step(closure)  # type: ignore[no-untyped-call]
    found = fitted.detach()
    return tuple((found[:-1] / spread).tolist()), float(found[-1])


def calibration_error(likely: Vectors, truth: ArrayLike, bins: int = 15) -> float:
    """The expected calibration error: how far probabilities are from what is true, bin by bin.

    >>> calibration_error(np.array([0.9, 0.9], np.float32), np.array([1.0, 0.0]))
    0.4
    """
    told = np.asarray(truth, np.float64)
    bin = np.minimum((likely * bins).astype(int), bins - 1)
    gaps = np.bincount(bin, likely, bins) - np.bincount(bin, told, bins)
    return round(float(np.abs(gaps).sum() / len(told)), 4)


def answers(case: Case) -> frozenset[str]:
    """What answers a query: by its grades what fits in full, else its truths."""
    full = [id for id, grade in case.grades.items() if grade >= 1]
    return frozenset(full or case.truths)


def first_scores(
    scorer: Scorer, finder: Method, benchmark: Benchmark, pictures: Gallery
) -> tuple[Vectors, Vectors]:
    """A scorer's word on the first `DEEP` that a method finds for each query, and whether each answers it."""
    run = rank(finder, benchmark, pictures, top=DEEP)
    found = [run.rankings[Key(case.id)].ids for case in benchmark.cases]
    scores = scorer.score(benchmark.queries, found, pictures)
    truth = [
        [id in right for id in ids] for ids, right in zip(found, map(answers, benchmark.cases), strict=True)
    ]
    return np.concatenate(scores), np.concatenate(truth).astype(np.float32)
