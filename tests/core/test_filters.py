"""Filters say what they filter by, and whether they do at all."""

from datetime import datetime

import pytest

from circlet.core import ORIENTATIONS, Filters, UsageError


def test_an_unknown_orientation_is_refused_with_those_there_are() -> None:
    with pytest.raises(
        UsageError, match="unknown orientation 'tilted': pick one of landscape, portrait, square"
    ):
        Filters(orientation="tilted")  # type: ignore[arg-type]


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_every_orientation_that_is_listed_is_taken(orientation: str) -> None:
    assert Filters(orientation=orientation).orientation == orientation  # type: ignore[arg-type]


def test_filters_say_what_they_filter_by_and_paste_back() -> None:
    filters = Filters(folder="/p", min_size=100)
    assert repr(filters) == "Filters(folder='/p', min_size=100)"
    assert eval(repr(filters)) == filters
    assert repr(Filters()) == "Filters()"


@pytest.mark.parametrize(
    "said",
    [
        {"folder": ""},
        {"after": datetime(2020, 1, 1)},
        {"before": datetime(2020, 1, 1)},
        {"min_size": 0},
        {"max_size": 0},
        {"orientation": "square"},
    ],
)
def test_whatever_is_said_filters_even_a_nought(said: dict) -> None:
    assert Filters(**said)


def test_nothing_said_does_not_filter() -> None:
    assert not Filters()
