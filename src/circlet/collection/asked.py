"""A query that is ready to be ranked."""

from dataclasses import dataclass

from circlet.core import Filters, Method, Pictures, Query, Ranking, Searchable


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
