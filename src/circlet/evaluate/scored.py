"""What a scorer makes of the first pictures of every ranking: evidence for `Relevance @ K`."""

from dataclasses import dataclass

import numpy as np

from circlet.core import UsageError
from circlet.evaluate.arrays import Floats


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores of the first pictures of every ranking that was asked for, best ranked first.

    `table` has a row for each ask. A place that the run leaves empty has the worst that can be; a place
    that no candidate could take, and a query whose own picture is missing, has none (NaN). `likely`
    says whether the scores are probabilities.

    >>> Scored("clauses", np.array([[0.9, 0.1, np.nan]]), likely=True).first(2).tolist()
    [0.5]
    """

    by: str
    table: Floats
    likely: bool
    remarks: tuple[str, ...] = ()

    def first(self, k: int) -> Floats:
        """The mean score of each ask's first k; NaN where there is none."""
        if k > self.table.shape[1]:
            raise UsageError(
                f"the first {self.table.shape[1]} were scored: score more of them to measure the first {k}"
            )
        part = self.table[:, :k]
        told = ~np.isnan(part)
        amount = told.sum(axis=1)
        total = np.where(told, part, 0).sum(axis=1)
        return np.divide(total, amount, out=np.full(len(part), np.nan), where=amount > 0)

    @property
    def said(self) -> str:
        """What the numbers are, in a sentence."""
        what = "a probability × 100" if self.likely else "its raw score, for which no probability was fitted"
        return f"Relevance is by {self.by}: {what}"
