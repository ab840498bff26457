"""Which pictures of a collection may be found: by folder, date, size and shape, and by what was seen."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Literal, get_args

from circlet.core.errors import UsageError

Orientation = Literal["landscape", "portrait", "square"]
ORIENTATIONS: tuple[Orientation, ...] = get_args(Orientation)


@dataclass(frozen=True, kw_only=True)
class Filters:
    """Which pictures may be found; what is left out does not filter.

    `after` is the first moment that counts and `before` the first that no longer does, compared
    with when the picture was taken (its file's time if no camera says). `min_size` and `max_size`
    are pixels of the longer edge. `people` is how many were seen at least and at most, `written` what
    was read, as `spelled` gives it; pictures that nobody looked at pass neither.

    >>> Filters(folder="/p", orientation="portrait")
    Filters(folder='/p', orientation='portrait')
    """

    folder: str | None = None
    after: datetime | None = None
    before: datetime | None = None
    min_size: int | None = None
    max_size: int | None = None
    orientation: Orientation | None = None
    people: tuple[int, int] | None = None
    written: str | None = None

    def __post_init__(self) -> None:
        if self.orientation is not None and self.orientation not in ORIENTATIONS:
            raise UsageError(
                f"unknown orientation {self.orientation!r}: pick one of {', '.join(ORIENTATIONS)}"
            )

    def __repr__(self) -> str:
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return f"Filters({', '.join(f'{name}={value!r}' for name, value in values if value is not None)})"

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) is not None for field in fields(self))
