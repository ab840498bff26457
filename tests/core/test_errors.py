"""The tree of exceptions and the codes with which the command ends."""

import pytest

from circlet.core import (
    BusyError,
    CircletError,
    DataError,
    MismatchError,
    PictureError,
    ServiceError,
    StoreError,
    UnreadableError,
    UsageError,
    WeightsError,
    errors,
)


def test_what_the_caller_has_to_change_ends_with_two() -> None:
    assert UsageError.exit_code == 2


@pytest.mark.parametrize(
    "kind",
    [
        BusyError, CircletError, DataError, MismatchError, PictureError, ServiceError, StoreError,
        UnreadableError, WeightsError,
    ],
)  # fmt: skip
def test_what_went_wrong_otherwise_ends_with_one(kind: type[CircletError]) -> None:
    assert kind.exit_code == 1


def test_every_error_hangs_on_one_tree() -> None:
    kinds = {thing for thing in vars(errors).values() if isinstance(thing, type)}
    assert len(kinds) == 10
    assert all(issubclass(kind, CircletError) for kind in kinds)
    assert issubclass(BusyError, StoreError)
    assert issubclass(UnreadableError, PictureError)


def test_an_error_says_its_line_and_nothing_else() -> None:
    assert str(DataError("a.json: no truths; name another file")) == "a.json: no truths; name another file"
