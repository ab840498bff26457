"""Everything about a search but its turns: one value, from which options, addresses and schemas are made."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any, get_type_hints

from circlet.core import ORIENTATIONS, Filters, Method, Orientation, Scorer, UsageError

# The most pixels that an edge may be asked for.
WIDEST = 1_000_000
_DAY = timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """How to search: the method, what reranks it, how turns join, what may be found, how much is shown.

    `after` is the first moment that counts and `before` the first that no longer does.

    >>> SearchOptions(method="slerp", top=5)
    SearchOptions(method='slerp', top=5)
    """

    method: str | Method = field(
        default="default", metadata={"line": "How picture and words join: a name, a folder, an expression."}
    )
    rerank: str | Scorer = field(
        default="", metadata={"line": "What orders the best 100 again: a trained folder, clauses, a name."}
    )
    history: str = field(default="belief", metadata={"line": "How the turns join."})
    folder: str = field(
        default="", metadata={"filter": True, "line": "Only pictures in this folder or under it."}
    )
    after: datetime | None = field(
        default=None,
        metadata={"filter": True, "line": "Only pictures taken at this date or later: 2024, 2024-07-31."},
    )
    before: datetime | None = field(
        default=None, metadata={"filter": True, "line": "Only pictures taken before this date."}
    )
    min_size: int | None = field(
        default=None, metadata={"filter": True, "line": "Longer edge at least this, in pixels."}
    )
    max_size: int | None = field(
        default=None, metadata={"filter": True, "line": "Longer edge at most this, in pixels."}
    )
    orientation: Orientation | None = field(
        default=None, metadata={"filter": True, "line": "The shape of the picture."}
    )
    fold: bool = field(
        default=True, metadata={"line": "Show near-identical pictures as one.", "off": "no-fold"}
    )
    keep: bool = field(
        default=False,
        metadata={
            "command": True,
            "line": "Do not leave the asked picture out of the results.",
            "on": "keep-reference",
        },
    )
    top: int = field(default=20, metadata={"command": True, "line": "How many results.", "least": 1})
    start: int = field(
        default=0, metadata={"command": True, "line": "How many results to pass over first.", "least": 0}
    )

    def __post_init__(self) -> None:
        if self.top < 1 or self.start < 0:
            raise UsageError(f"top is at least 1 and start at least 0, not {self.top} and {self.start}")
        for name in ("min_size", "max_size"):
            size = getattr(self, name)
            if size is not None and not 0 < size <= WIDEST:
                raise UsageError(f"{size!r} is not a size: give a number of pixels up to {WIDEST:,}")
        if self.orientation is not None and self.orientation not in ORIENTATIONS:
            raise UsageError(f"orientation is one of {', '.join(ORIENTATIONS)}, not {self.orientation!r}")

    def __repr__(self) -> str:
        return f"SearchOptions({', '.join(f'{name}={value!r}' for name, value in self.changed.items())})"

    @property
    def changed(self) -> dict[str, Any]:
        """What differs from the default."""
        values = {one.name: (getattr(self, one.name), one.default) for one in fields(self)}
        return {name: value for name, (value, default) in values.items() if value != default}

    def but(self, **changes: Any) -> "SearchOptions":
        """The same options with some changed; an option that there is not is an error that lists them."""
        known = [one.name for one in fields(self)]
        if unknown := sorted(set(changes) - set(known)):
            raise UsageError(f"a search has no option {', '.join(unknown)}; it has {', '.join(known)}")
        return replace(self, **changes)

    @property
    def filters(self) -> Filters | None:
        """What narrows the search, as an index understands it; None where nothing does."""
        values = {one.name: getattr(self, one.name) for one in _FILTERS if getattr(self, one.name)}
        return Filters(**values) if values else None

    # As an address says it: texts, dates as days with both ends included, what is not said left out.

    @classmethod
    def read(cls, values: Mapping[str, str]) -> "SearchOptions":
        """The options that an address or a form tells; anything that makes no sense is an error.

        >>> SearchOptions.read({"min_size": "640", "before": "2024-12-31", "fold": "no", "s": "…"})
        SearchOptions(before=datetime.datetime(2025, 1, 1, 0, 0), min_size=640, fold=False)
        """
        named = {one.name: values[one.name] for one in _IN_ADDRESS if values.get(one.name)}
        return cls(**{name: _READ.get(_KINDS[name], str)(name, text) for name, text in named.items()})

    @property
    def params(self) -> dict[str, str]:
        """What differs from the default, for an address.

        >>> SearchOptions.read({"before": "2024-12-31", "method": "sum"}).params
        {'method': 'sum', 'before': '2024-12-31'}
        """
        shown = {one.name for one in _IN_ADDRESS}
        return {name: _written(name, value) for name, value in self.changed.items() if name in shown}

    @property
    def unfiltered(self) -> "SearchOptions":
        """The same options with nothing that narrows.

        >>> SearchOptions(method="sum", folder="animals").unfiltered
        SearchOptions(method='sum')
        """
        return self.but(**{one.name: one.default for one in _FILTERS})

    @property
    def narrowed(self) -> int:
        """How many filters are set."""
        return len(self.changed.keys() & {one.name for one in _FILTERS})


# What narrows a search, and what an address may say: all but what pages through the results.
_FILTERS = [one for one in fields(SearchOptions) if one.metadata.get("filter")]
_IN_ADDRESS = [one for one in fields(SearchOptions) if not one.metadata.get("command")]
_KINDS: dict[str, Any] = get_type_hints(SearchOptions)


def _flag(name: str, text: str) -> bool:
    if text not in ("yes", "no"):
        raise UsageError(f"{name} is yes or no, not {text!r}")
    return text == "yes"


def _pixels(name: str, text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 8:
        return int(text)
    raise UsageError(f"{text[:20]!r} is not a size: give a number of pixels")


def _day(name: str, text: str) -> datetime:
    try:
        day = datetime.strptime(text, "%Y-%m-%d")
        return day + _DAY if name == "before" else day
    except (ValueError, OverflowError):
        raise UsageError(f"{text[:20]!r} is not a day: write it as 2024-12-31") from None


def _text(name: str, text: str) -> str:
    return text


_READ: dict[Any, Any] = {
    bool: _flag,
    int | None: _pixels,
    datetime | None: _day,
    str: _text,
    str | Method: _text,
    str | Scorer: _text,
    Orientation | None: _text,
}


def _written(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return (value - _DAY if name == "before" else value).strftime("%Y-%m-%d")
    return str(value)
