"""The tree of exceptions and the codes with which the command ends."""

import pytest

from circlet.core import errors


def test_what_the_caller_has_to_change_ends_with_two() -> None:
    assert errors.UsageError.exit_code == 2


KINDS = [thing for thing in vars(errors).values() if isinstance(thing, type)]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not errors.UsageError])
def test_what_went_wrong_otherwise_ends_with_one(kind: type[errors.CircletError]) -> None:
    assert kind.exit_code == 1


def test_every_error_hangs_on_one_tree() -> None:
    kinds = {thing for thing in vars(errors).values() if isinstance(thing, type)}
    assert len(kinds) == 10
    assert all(issubclass(kind, errors.CircletError) for kind in kinds)
    assert issubclass(errors.BusyError, errors.StoreError)
    assert issubclass(errors.UnreadableError, errors.PictureError)


def test_an_error_says_its_line_and_nothing_else() -> None:
    assert (
        str(errors.DataError("a.json: no truths; name another file"))
        == "a.json: no truths; name another file"
    )
