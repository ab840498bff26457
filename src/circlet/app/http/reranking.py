"""The scorers that a visitor may name: none but the one that the server was started with, and `clauses`."""

from pathlib import Path
from typing import Any

from circlet.core import UsageError

# What a visitor says who wants the method's own order.
OFF = "no"
_LINES = {
    "clauses": "each clause checked in each of the best 100, by the encoder alone",
    OFF: "the method's own order",
}


class Rerankers:
    """Names for visitors over what `circlet serve --rerank` was given, which may be a path.

    >>> known = Rerankers("/home/ada/models/relevance")
    >>> list(known.lines), known.resolved(""), known.resolved("no")
    (['relevance', 'clauses', 'no'], '/home/ada/models/relevance', '')
    >>> known.resolved("/home/ada/other")
    Traceback (most recent call last):
        ...
    circlet.core.errors.UsageError: unknown scorer '/home/ada/other': pick one of relevance, clauses, no
    """

    def __init__(self, served: str = "") -> None:
        self.served = served
        name = Path(served).name
        own = {name: "the best 100, by the scorer of this server"} if served and served != "clauses" else {}
        self.lines = own | {known: line for known, line in _LINES.items() if known not in own}
        self._scorers = {"clauses": "clauses"} | ({name: served} if served else {}) | {OFF: ""}

    def resolved(self, asked: str) -> str:
        """The scorer that a visitor means; whoever names none gets the server's own."""
        if not asked:
            return self.served
        if asked not in self._scorers:
            raise UsageError(f"unknown scorer {asked[:40]!r}: pick one of {', '.join(self.lines)}")
        return self._scorers[asked]

    def offered(self, chosen: str) -> list[dict[str, Any]]:
        """What the page's list has; nothing where the server has no scorer and nobody named one."""
        if not self.served and not chosen:
            return []
        # What an address means that names none.
        usual = next(iter(self.lines)) if self.served else OFF
        values = {name: "" if name == usual else name for name in self.lines}
        return [
            {"name": name, "line": line, "value": values[name], "chosen": chosen in (name, values[name])}
            for name, line in self.lines.items()
        ]
