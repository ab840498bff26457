"""What two-step validation says: which descriptions others found the picture by, and how people agree."""

from collections.abc import Sequence
from dataclasses import dataclass

from circlet.core import DataError
from circlet.data.retrievals import Description
from circlet.evaluate import Krippendorff


@dataclass(frozen=True)
class Validation:
    """The numbers of some descriptions; percentages, and None where there is nothing to tell them by.

    `accuracy` and the agreements are of the descriptions that are kept, as table 3 of paper 002 has them
    ("our final dataset"); `accuracy_of_all` counts every attempt. Places are names in sets of single
    pictures (`nominal`) and times in sets of frames (`interval`).
    """

    descriptions: int
    kept: int
    left_out: int
    open: int
    attempts: int
    share_left_out: float | None
    accuracy: float | None
    accuracy_of_all: float | None
    nominal: float | None
    interval: float | None


def validation(descriptions: Sequence[Description]) -> Validation:
    """The numbers of these descriptions.

    >>> found = Description("val", "static-1", 3, "open", {"ann": 3, "ben": 3, "cy": 4})
    >>> lost = Description("val", "static-1", 5, "shut", {"ann": 1, "ben": 5, "cy": 2})
    >>> told = validation([found, lost])
    >>> told.kept, told.share_left_out, round(told.accuracy, 1), told.accuracy_of_all
    (1, 50.0, 66.7, 50.0)
    """
    kept = [one for one in descriptions if one.verdict == "kept"]
    lost = sum(one.verdict == "left out" for one in descriptions)
    return Validation(
        descriptions=len(descriptions),
        kept=len(kept),
        left_out=lost,
        open=len(descriptions) - len(kept) - lost,
        attempts=sum(len(one.chosen) for one in descriptions),
        share_left_out=100 * lost / (len(kept) + lost) if kept or lost else None,
        accuracy=accuracy(kept),
        accuracy_of_all=accuracy(descriptions),
        nominal=agreement([one for one in kept if one.static], level="nominal"),
        interval=agreement([one for one in kept if not one.static], level="interval"),
    )


def accuracy(descriptions: Sequence[Description]) -> float | None:
    """How many of the attempts found the picture, in percent."""
    attempts = sum(len(one.chosen) for one in descriptions)
    return 100 * sum(one.found for one in descriptions) / attempts if attempts else None


def agreement(descriptions: Sequence[Description], *, level: str) -> float | None:
    """Krippendorff's α over the places that were chosen; None where fewer than two chose, or all the same."""
    several = [one.chosen for one in descriptions if len(one.chosen) > 1]
    try:
        return Krippendorff(level=level).of(several) if several else None
    except DataError:
        return None
