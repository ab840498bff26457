"""The methods of a collection, each made once over its encoder and kept: loading one takes a while."""

from collections.abc import Callable
from threading import RLock

from circlet.collection.options import SearchOptions
from circlet.core import DataError, Encoder, Method, MismatchError, Query, Scorer, UsageError, WeightsError

# Candidates that are ordered again by `rerank`.
RERANKED = 100
# Methods that are kept ready; a person uses a few.
_MOST = 100


class Methods:
    """`Methods(encoder, "default").of(options, query)`: what these options mean for this query."""

    def __init__(self, encoder: Callable[[], Encoder], usual: str | Method) -> None:
        self.encoder, self.usual = encoder, usual
        self._lock = RLock()
        self._made: dict[tuple[str | Method, str | Scorer, str], Method] = {}
        self._scorers: dict[str, Scorer] = {}

    def of(self, options: SearchOptions, query: Query | None = None) -> Method:
        """The method, reranked and with its history as the options say.

        For a query of one plain turn there is no history to join: the method stands as it is.
        """
        if query is not None and query.turns and query.together.last.empty:
            # Likes alone say nothing that a scorer could hold a picture against.
            options = options.but(rerank="")
        named = self.usual if options.method == "default" else options.method
        with self._lock:
            if len(self._made) > _MOST:
                # A server is asked for expressions without end: it must not hoard them.
                self._made = {}
            plain = named, options.rerank, ""
            if plain not in self._made:
                self._made[plain] = self._make(named, options.rerank)
            if query is not None and query.plain:
                return self._made[plain]
            joined = named, options.rerank, options.history
            if joined not in self._made:
                from circlet.dialogue import with_history

                self._made[joined] = with_history(self._made[plain], options.history)
            return self._made[joined]

    def _make(self, named: str | Method, rerank: str | Scorer) -> Method:
        from circlet.models.methods import load_method

        made = load_method(named, self.encoder()) if isinstance(named, str) else named
        return made % RERANKED >> self._scorer(rerank) if rerank else made

    def _scorer(self, named: str | Scorer) -> Scorer:
        """The scorer of this name, loaded once; one that does not fit here is a wrong option."""
        if isinstance(named, Scorer):
            return named
        if named not in self._scorers:
            from circlet.models.methods import load_scorer

            try:
                self._scorers[named] = load_scorer(named, self.encoder())
            except (DataError, MismatchError, WeightsError) as error:
                raise UsageError(str(error)) from error
        return self._scorers[named]
