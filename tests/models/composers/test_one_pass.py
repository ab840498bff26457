"""Method `joint`: what reaches the model, and what the turns of a query become."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from circlet.core import Gallery, Query, Turn, UsageError, Vectors, unit
from circlet.dialogue import with_history
from circlet.models import load_method
from circlet.testing import ToyEncoder


class Reading(ToyEncoder):
    """The toy with one pass over everything: a picture is its words; it notes what it was given."""

    def __init__(self) -> None:
        self.heard: list[tuple[list[str], str]] = []

    def together(self, parts: Sequence[Sequence[str]], *, instruction: str = "") -> Vectors:
        self.heard += [(list(query), instruction) for query in parts]
        return unit(self.texts([" ".join(query) for query in parts]))


class Album(Gallery):
    """Pictures that open as their own names."""

    def open(self, id: str, side: int | None = None) -> Any:
        return f"<{id}>"


@pytest.fixture
def encoder() -> Reading:
    return Reading()


@pytest.fixture
def shelf(encoder: Reading, album: Gallery) -> Album:
    return Album(album.ids, album.vectors, album.fingerprint)


def test_a_turn_is_one_pass_with_its_instruction(encoder: Reading, shelf: Album) -> None:
    method = load_method("joint?instruction=Find this, but changed", encoder)
    turn = Turn(picture="beach", text="at night", without=("people",), emphasis=(("snow", 2.0),))
    (ranking,) = method.rank([Query("q", (turn,))], shelf)
    assert encoder.heard == [(["<beach>", "at night, snow, without people"], "Find this, but changed")]
    assert "night" in ranking.ids[0]


def test_a_picture_alone_is_its_own_vector_and_is_not_opened(encoder: Reading, shelf: Album) -> None:
    (ranking,) = load_method("joint", encoder).rank([Query("q", (Turn(picture="dog red"),))], shelf)
    assert ranking.ids[0] == "dog red"
    assert not encoder.heard


def test_turns_are_joined_by_a_history_or_read_all_at_once(encoder: Reading, shelf: Album) -> None:
    query = Query("q") + Turn(text="a dog") + Turn(picture="cat", text="red") + Turn(text="at night")
    with_history(load_method("joint", encoder), "average").rank([query], shelf)
    assert [parts for parts, _ in encoder.heard] == [["a dog"], ["<cat>", "red"], ["at night"]]
    encoder.heard.clear()
    with_history(load_method("joint?turns=all", encoder), "average").rank([query], shelf)
    assert [parts for parts, _ in encoder.heard] == [["a dog", "<cat>", "red", "at night"]]
    encoder.heard.clear()
    again = query + Turn(text="a city", instead=True)
    load_method("joint?turns=all", encoder).rank([again], shelf)
    assert [parts for parts, _ in encoder.heard] == [["a city"]], "what was taken back is not read"


def test_it_stands_in_expressions_with_its_instruction_in_quotes(encoder: Reading, shelf: Album) -> None:
    method = load_method("'joint?instruction=Find a dog' % 3 >> text", encoder)
    (ranking,) = method.rank([Query("q", (Turn(picture="dog", text="cat"),))], shelf)
    assert len(ranking.ids) == 3
    assert encoder.heard == [(["<dog>", "cat"], "Find a dog")]
    assert repr(load_method("joint?turns=all", encoder)) == "OnePass(ToyEncoder(), turns='all')"


def test_what_joint_cannot_do_is_said(encoder: Reading) -> None:
    with pytest.raises(UsageError, match=r"which ToyEncoder\(\) cannot: take an encoder"):
        load_method("joint", ToyEncoder())
    with pytest.raises(UsageError, match="turns is one of each, all, not 'some'"):
        load_method("joint?turns=some", encoder)
    with pytest.raises(UsageError, match="joint has no option prompt; it has instruction, turns"):
        load_method("joint?prompt=x", encoder)


def test_scores_are_those_of_the_composed_vector(encoder: Reading, shelf: Album) -> None:
    method = load_method("joint", encoder)
    scores = method.scores([Query("q", (Turn(text="dog red"),))], shelf)
    np.testing.assert_allclose(scores[0], shelf.vectors @ unit(encoder.texts(["dog red"]))[0], atol=1e-6)
