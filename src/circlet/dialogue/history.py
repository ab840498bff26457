"""How the turns of a history join: Latest, Average and Weighted of paper 003, section 6.3."""

from collections.abc import Callable, Sequence

import numpy as np

from circlet.core import Composer, Contributions, Gallery, Method, Pictures, Query, Turn, UsageError, Vectors


class History(Composer):
    """A composer of whole histories around a composer of single turns."""

    def __init__(self, composer: Composer) -> None:
        self.composer = composer
        self.fingerprint = composer.fingerprint
        self.projects = composer.projects

    def over(self, wrap: Callable[[Composer], Method]) -> Method:
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.composer!r})"

    def picture_share(self, query: Query) -> float | None:
        last = next((turn for turn in reversed(query.turns) if turn.both), None)
        return None if last is None else self.composer.share(last)

    def turns(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
        return self.composer.turns(turns, pictures)

    def contributions(self, turns: Sequence[Turn], pictures: Pictures) -> Contributions:
        return self.composer.contributions(turns, pictures)

    def project(self, gallery: Gallery) -> Gallery:
        return self.composer.project(gallery)

    def compose(self, queries: Sequence[Query], pictures: Pictures) -> Vectors:
        return self.query_contributions(queries, pictures).sums()


def flat(queries: Sequence[Query]) -> tuple[list[Turn], list[int], list[int]]:
    """Every turn of every query in one batch, with its query's row and its number from one."""
    for query in queries:
        _ = query.last  # a query without a turn is an error that says so
    turns = [turn for query in queries for turn in query.turns]
    owners = [row for row, query in enumerate(queries) for _ in query.turns]
    numbers = [number for query in queries for number in range(1, len(query.turns) + 1)]
    return turns, owners, numbers


class Latest(History):
    """The last turn speaks alone."""

    def query_contributions(self, queries: Sequence[Query], pictures: Pictures) -> Contributions:
        return self.composer.query_contributions(queries, pictures)

    def picture_share(self, query: Query) -> float | None:
        return self.composer.picture_share(query)


class Weighted(History):
    """Later turns weigh more: turn l' of l weighs alpha to the power of l − l'."""

    def __init__(self, composer: Composer, alpha: float = 0.8) -> None:
        super().__init__(composer)
        if not 0 < alpha <= 1:
            raise UsageError(f"alpha is above 0 and at most 1, not {alpha}")
        self.alpha = alpha

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.composer!r}, alpha={self.alpha})"

    def query_contributions(self, queries: Sequence[Query], pictures: Pictures) -> Contributions:
        turns, owners, numbers = flat(queries)
        parts = self.composer.contributions(turns, pictures)
        lengths = [len(queries[owner].turns) for owner in owners]
        ages = np.array(lengths) - np.array(numbers)
        parts = parts.scaled(np.power(self.alpha, ages, dtype=np.float32))
        # The sum is scaled to unit length, so the paper's division by the weights' total cancels.
        return parts.regroup(len(queries), np.array(owners), numbers).unit()


class Average(Weighted):
    """Every turn weighs the same."""

    def __init__(self, composer: Composer) -> None:
        super().__init__(composer, alpha=1.0)

    def __repr__(self) -> str:
        return f"Average({self.composer!r})"
