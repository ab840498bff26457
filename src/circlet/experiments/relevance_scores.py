"""What scorers of relevance say of pictures: each by itself, and several together by weights of val."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from circlet.core import Benchmark, Case, Gallery, Query, Vectors
from circlet.evaluate.arrays import Floats
from circlet.models.learned.composer import Learned
from circlet.models.odds import Odds
from circlet.models.scenes.scene_clauses import SceneClauses, expected_grade
from circlet.models.scorers.clauses import ClauseScorer
from circlet.train.calibration import answers, fit_odds, fit_weights

# What one scorer says of some pictures for a query.
Says = Callable[[Case, Sequence[str]], Vectors]
# Queries with candidates of theirs.
Asked = Sequence[tuple[Case, Sequence[str]]]
# What each of several methods found for each query.
Found = Mapping[str, Mapping[str, Sequence[str]]]
# What clauses and scenes say of a picture.
COLUMNS = ("product", "mean", "grade", "seen", "in full")
WHOLE, BELOW = "whole", "whole, below the gallery's best"
BOTH, NEAR = "whole and clauses", "whole and clauses, below the gallery's best"
GRADE, EVERY, GRADED = "scenes, √(asked · kept)", "whole, clauses and scenes", "all of it, as a grade"
# What knows the gallery beyond the pictures that it is asked about.
KNOWS_THE_BEST = (BELOW, NEAR, GRADED)
_LEAST = 1e-6


class Checked:
    """What clauses and scenes say of pictures, in `COLUMNS`: asked once, whatever network goes with them."""

    def __init__(self, clauses: ClauseScorer, scenes: SceneClauses, pictures: Gallery) -> None:
        self._clauses, self._scenes, self._pictures = clauses, scenes, pictures
        self._known: dict[tuple[str, str], dict[str, Vectors]] = {}

    def __call__(self, query: Query, ids: Sequence[str]) -> Vectors:
        """A row for each picture."""
        known = self._known.setdefault((query.last.text, str(query.last.picture)), {})
        if new := [id for id in dict.fromkeys(ids) if id not in known]:
            known |= zip(new, self._ask(query, new), strict=True)
        return np.array([known[id] for id in ids], np.float32).reshape(-1, len(COLUMNS))

    def _ask(self, query: Query, ids: list[str]) -> Vectors:
        of_clauses = _logs(self._clauses.check(query, ids, self._pictures).probabilities, 1.0)
        scenes = self._scenes.check(query, ids, self._pictures)
        columns = (
            of_clauses.sum(axis=0),
            of_clauses.mean(axis=0),
            expected_grade(scenes),
            _logs(scenes.probabilities, 0.5).mean(axis=0),
            self._scenes.answers(query, ids, self._pictures),
        )
        return np.stack(columns, axis=1)


def _logs(likely: Vectors, unknown: float) -> Vectors:
    return np.log(np.clip(np.nan_to_num(likely, nan=unknown), _LEAST, 1))


class Scores:
    """What scorers say of the pictures of a graded gallery: the learned whole, its clauses, and scenes."""

    def __init__(self, relevance: Benchmark, whole: Learned, checked: Checked, features: Gallery) -> None:
        self.relevance, self.checked = relevance, checked
        gallery = features.subset(relevance.galleries[""])
        self.column = {id: column for column, id in enumerate(gallery.ids)}
        self.row = {case.id: row for row, case in enumerate(relevance.cases)}
        gone = [case.exclude for case in relevance.cases]
        cosines = whole.score_all(relevance.queries, gallery, pictures=features, exclude=gone)
        self.table = cosines * float(whole.network.scale.detach().square())
        ordered = -np.sort(-self.table, axis=1)
        self.best = ordered[:, :5].mean(axis=1)

    def whole(self, case: Case, ids: Sequence[str]) -> Vectors:
        """Equation 1 of the paper."""
        return self.table[self._row(case), [self.column[id] for id in ids]]

    def below_best(self, case: Case, ids: Sequence[str]) -> Vectors:
        """The same, less what the gallery's five best have: comparable from query to query."""
        return self.whole(case, ids) - self.best[self._row(case)]

    def product(self, case: Case, ids: Sequence[str]) -> Vectors:
        """The probability that every clause holds and the rest is kept, as a logarithm."""
        return self._of("product", case, ids)

    def mean(self, case: Case, ids: Sequence[str]) -> Vectors:
        """The mean logarithm of these probabilities."""
        return self._of("mean", case, ids)

    def grade(self, case: Case, ids: Sequence[str]) -> Vectors:
        """√(asked · kept), as far as it is seen in the pictures."""
        return self._of("grade", case, ids)

    def grade_odds(self, case: Case, ids: Sequence[str]) -> Vectors:
        """The same as if it were a probability: the logarithm of its odds."""
        share = np.clip(self.grade(case, ids), 0.01, 0.99)
        return np.log(share / (1 - share))

    def seen(self, case: Case, ids: Sequence[str]) -> Vectors:
        """The mean logarithm of how likely each clause is by what is seen, and of what is kept."""
        return self._of("seen", case, ids)

    def in_full(self, case: Case, ids: Sequence[str]) -> Vectors:
        """The odds that all that is asked holds and all else stayed, by what is seen, as a logarithm."""
        return self._of("in full", case, ids)

    def candidates(self, count: int) -> list[tuple[Case, list[str]]]:
        """Each query with the first so many by the learned whole."""
        ids = list(self.column)
        return [
            (case, [ids[column] for column in np.argsort(-row, kind="stable")[:count]])
            for case, row in zip(self.relevance.cases, self.table, strict=True)
        ]

    def _row(self, case: Case) -> int:
        return self.row[case.id.removesuffix("-again")]

    def _of(self, column: str, case: Case, ids: Sequence[str]) -> Vectors:
        return self.checked(case.query, ids)[:, COLUMNS.index(column)]


class Mixed(NamedTuple):
    """Several scores as one, by weights that were fitted: odds, as a logarithm."""

    weights: tuple[float, ...]
    shift: float

    def __call__(self, several: Sequence[Vectors]) -> Vectors:
        total = sum(weight * one for weight, one in zip(self.weights, several, strict=True))
        return np.asarray(total + self.shift, np.float32)

    def share(self, several: Sequence[Vectors]) -> Vectors:
        """The same as a share of one: a probability, or a grade."""
        return Odds(1.0, 0.0).likely(self(several))


def shown(relevance: Benchmark, found: Found, count: int) -> Asked:
    """Each graded query with the first so many of every method, good ones and bad ones, each picture once."""
    return [
        (case, list(dict.fromkeys(id for by in found.values() for id in by[case.id][:count])))
        for case in relevance.cases
    ]


def told(asked: Asked, *says: Says) -> tuple[Floats, Floats]:
    """What scorers say of the candidates of queries, a column each, and whether each answers its query."""
    truth = [id in answers(case) for case, ids in asked for id in ids]
    return _rows(asked, says), np.array(truth, np.float64)


def _rows(asked: Asked, says: Sequence[Says]) -> Floats:
    return np.concatenate([np.stack([one(case, ids) for one in says], axis=1) for case, ids in asked])


def mixed(asked: Asked, says: Sequence[Says]) -> Mixed:
    """The weights under which these scores together tell best what answers a query among its candidates."""
    return Mixed(*fit_weights(*told(asked, *says)))


def mixed_grade(asked: Asked, says: Sequence[Says]) -> Mixed:
    """The weights under which the `share` of these scores together is nearest to the grades."""
    grades = [case.grades.get(id, 0.0) for case, ids in asked for id in ids]
    return Mixed(*fit_weights(_rows(asked, says), grades))


def odds_of(asked: Asked, say: Says) -> Odds:
    """What a scorer's scores stand for among these candidates: the odds of an answer."""
    given, truth = told(asked, say)
    return fit_odds(given[:, 0], truth)


class Mixtures(NamedTuple):
    """Scores together: odds of an answer among the first by the whole, and grades of what methods show."""

    both: Mixed
    near: Mixed
    every: Mixed
    graded: Mixed

    @classmethod
    def fitted(cls, val: Scores, several: Asked) -> "Mixtures":
        """The weights of val, whose methods show `several` pictures for each query."""
        first = val.candidates(50)
        return cls(
            both=mixed(first, [val.whole, val.mean]),
            near=mixed(first, [val.below_best, val.mean]),
            every=mixed(first, _every(val)),
            graded=mixed_grade(several, _graded(val)),
        )

    def says(self, here: Scores) -> dict[str, Says]:
        """The whole, its clauses, what is seen of scenes, and several together, by name."""
        return {
            WHOLE: here.whole,
            BELOW: here.below_best,
            "clauses, product": here.product,
            "clauses, mean": here.mean,
            BOTH: _joined(self.both, [here.whole, here.mean]),
            NEAR: _joined(self.near, [here.below_best, here.mean]),
            GRADE: here.grade,
            "scenes, mean": here.seen,
            "scenes, in full": here.in_full,
            EVERY: _joined(self.every, _every(here)),
            GRADED: lambda case, ids: self.graded.share([one(case, ids) for one in _graded(here)]),
        }


def _every(here: Scores) -> list[Says]:
    return [here.whole, here.mean, here.seen, here.in_full]


def _graded(here: Scores) -> list[Says]:
    return [here.below_best, here.mean, here.grade_odds, here.seen, here.in_full]


def _joined(mixture: Mixed, several: Sequence[Says]) -> Says:
    return lambda case, ids: mixture([one(case, ids) for one in several])
