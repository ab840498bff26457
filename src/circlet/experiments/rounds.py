"""Methods against simulated users: a benchmark played round by round, and measured after some of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from circlet.core import Gallery, Method, Query
from circlet.dialogue.rounds import Played, Rules, play
from circlet.evaluate import FinalRecall, Hits, Judged, Measure, Result, measure
from circlet.evaluate.arrays import arrays_of

if TYPE_CHECKING:
    from circlet.dialogue.simulate import User
    from circlet.experiments.bench import Bench

# After these rounds, as papers 001 and 003 print them.
ROUNDS = (1, 3, 5)
CUTOFFS = (1, 5, 10)


def round_measures(rounds: int) -> tuple[Measure, ...]:
    """Recall after rounds 1, 3 and 5, of the last turn and of any turn so far.

    >>> round_measures(1)[:2], len(round_measures(5))
    ((FinalRecall(turn=1) @ 1, FinalRecall(turn=1) @ 5), 18)
    """
    after = [number for number in ROUNDS if number <= rounds]
    return tuple(
        kind(turn=number) @ cutoff for kind in (FinalRecall, Hits) for number in after for cutoff in CUTOFFS
    )


def judged_rounds(played: Played) -> Judged:
    """The ranks of played rounds as measures read them; of several truths the best stands for all."""
    arrays = arrays_of(played.benchmark)
    ranks = np.array([played.ranks[key.query][key.turn - 1] for key, _ in arrays.asks], np.int64)
    # Several truths with one rank would count as tied, and the best as that much nearer.
    own = np.where(arrays.target, ranks[arrays.ask], np.iinfo(np.int64).max)
    return Judged(arrays, own, np.full_like(own, np.iinfo(np.int64).max), ranked=frozenset({"gallery"}))


def rounds_row(
    bench: "Bench",
    method: Method,
    name: str,
    user: "User",
    rules: Rules,
    measures: Sequence[Measure] = (),
    *,
    top: int = 50,
) -> tuple[Result, Played]:
    """One row of a table of rounds, and how the sessions went."""
    here = bench.encoded
    played = play(method, user, here.benchmark, here.pictures, rules=rules, top=top)
    judged = replace(judged_rounds(played), coverage=here.coverage)
    result = measure(judged, played.benchmark, measures or round_measures(rules.rounds), method=name)
    return replace(result, fingerprint=here.pictures.fingerprint, seed=bench.seed), played


def brier(
    method: Method,
    queries: Sequence[Query],
    targets: Sequence[str],
    gallery: Gallery,
    exclude: Sequence[Sequence[str]] | None = None,
) -> float:
    """The mean Brier score of a belief over a gallery: 0 is sure and right, 1 knows nothing, 2 is wrong.

    Scores are taken for logarithms of the belief, as those of `Belief` are.
    """
    scores = method.score_all(queries, gallery, exclude=exclude).astype(np.float64)
    belief = np.exp(scores - scores.max(axis=1, keepdims=True))
    belief /= belief.sum(axis=1, keepdims=True)
    own = belief[np.arange(len(queries)), gallery.rows_of(targets)]
    return float(np.mean(1 - 2 * own + (belief**2).sum(axis=1)))
