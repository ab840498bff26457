"""How somebody looks at the collection: the method, the filters, folding. It stands in the URL too."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, get_args

from circlet.core import UsageError
from circlet.index import Filters

Orientation = Literal["landscape", "portrait", "square"]


@dataclass(frozen=True, kw_only=True)
class Look:
    """Everything about a search but its turns, as the URL spells it; what is empty does not narrow.

    `folder` is written from the collection's root, dates as 2024-12-31 with both ends included,
    and `fold="no"` shows each near-identical picture by itself.

    >>> Look(method="slerp", after="2024-01-01").params
    {'method': 'slerp', 'after': '2024-01-01'}
    """

    method: str = ""
    folder: str = ""
    after: str = ""
    before: str = ""
    min_size: int | None = None
    max_size: int | None = None
    orientation: Orientation | Literal[""] = ""
    fold: Literal["", "no"] = ""

    @classmethod
    def read(cls, values: Mapping[str, str]) -> "Look":
        """The look that a form or a link tells; anything that makes no sense is an error.

        >>> Look.read({"min_size": "640", "fold": "", "s": "…"})
        Look(method='', folder='', after='', before='', min_size=640, max_size=None, orientation='', fold='')
        """
        told: dict[str, Any] = {
            field.name: values[field.name] for field in fields(cls) if values.get(field.name, "")
        }
        for name in ("min_size", "max_size"):
            if name in told:
                told[name] = _pixels(told[name])
        for name, choices in (("orientation", get_args(Orientation)), ("fold", ("no",))):
            if told.get(name, choices[0]) not in choices:
                raise UsageError(f"{name} is one of {', '.join(choices)}, not {told[name]!r}")
        return cls(**told)

    @property
    def params(self) -> dict[str, str]:
        """What differs from the default, for a link."""
        told = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: str(value) for name, value in told if value not in ("", None)}

    @property
    def narrowed(self) -> int:
        """How many filters are set."""
        return len(self.params.keys() - {"method", "fold"})

    def filters(self, root: Path | None, roots: dict[str, Path]) -> Filters | None:
        """The same as the index understands it; a folder outside the collection is refused."""
        folder = self._within(root, roots) if self.folder else root
        before = _day(self.before)
        filters = Filters(
            folder=None if folder is None else str(folder),
            after=_day(self.after),
            before=None if before is None else before + timedelta(days=1),
            min_size=self.min_size,
            max_size=self.max_size,
            orientation=self.orientation or None,
        )
        return filters if filters else None

    def _within(self, root: Path | None, roots: dict[str, Path]) -> Path:
        if root is not None:
            base, inside = root, self.folder
        else:
            name, _, inside = self.folder.partition("/")
            base = roots.get(name) or _no_folder(self.folder)
        folder = Path(base, inside)
        if "\0" in inside or ".." in Path(inside).parts or not folder.is_relative_to(base):
            _no_folder(self.folder)
        return folder


def _no_folder(name: str) -> Path:
    raise UsageError(f"no folder {name!r} in this collection: pick one from the list")


def _pixels(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) <= 1_000_000:
        return int(text)
    raise UsageError(f"{text!r} is not a size: give a number of pixels")


def _day(text: str) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d")
    except ValueError:
        raise UsageError(f"{text!r} is not a day: write it as 2024-12-31") from None
