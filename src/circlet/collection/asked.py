"""A query that is ready to be ranked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from circlet.core import Filters, Method, Pictures, Query, Ranking, Searchable, UsageError
from circlet.images.addresses import id_of
from circlet.images.files import shown


@dataclass(frozen=True)
class Asked:
    """A query with its method, what is searched, the pictures it speaks of and what is left out.

    `asked.best(20)` is what its method finds, `asked.best(200, other)` what another one would.
    """

    query: Query
    method: Method
    space: Searchable
    pictures: Pictures
    gone: tuple[str, ...] = ()
    filters: Filters | None = None

    def best(self, top: int, method: Method | None = None) -> Ranking:
        """The best so many, less what is left out."""
        ranked = (method or self.method).rank(
            [self.query],
            self.space,
            top=top,
            pictures=self.pictures,
            exclude=[self.gone],
            filters=self.filters,
        )
        return ranked[0]


def own_pictures(query: Query) -> tuple[str, ...]:
    """The pictures a query is about: its references, and what it dislikes."""
    named = ((turn.picture, *turn.disliked) for turn in query.turns)
    return tuple(dict.fromkeys(id for ids in named for id in ids if id))


def within(folder: Path | None, filters: Filters | None, roots: Sequence[str]) -> Filters | None:
    """The filters, confined to a collection's folder, which must be one of the indexed `roots`.

    >>> within(Path("/p"), None, ["/p"]).folder == str(Path("/p"))
    True
    """
    if folder is None:
        return filters
    indexed = [Path(root) for root in roots]
    if not any(folder.is_relative_to(root) or root.is_relative_to(folder) for root in indexed):
        known = ", ".join(roots) or "nothing yet"
        raise UsageError(
            f"{shown(folder)} is not indexed: run circlet index {shown(folder)} first (indexed: {known})"
        )
    if str(folder) in roots and folder.is_file():
        raise UsageError(f"{shown(folder)} is a list, whose pictures lie anywhere: search without naming it")
    inner = Path(filters.folder) if filters and filters.folder is not None else folder
    if inner.is_relative_to(folder):
        return replace(filters or Filters(), folder=id_of(inner))
    if folder.is_relative_to(inner):
        return replace(filters or Filters(), folder=id_of(folder))
    raise UsageError(f"{inner} is not in {folder}: name a folder that is")
