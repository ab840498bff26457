"""Contributions add up to the score, for every composer and history, and name what they come from."""

import pytest

from circlet.core import Composer, MismatchError, Query, Turn
from circlet.dialogue import Average, Conversation, Feedback, Latest, Weighted, explain
from circlet.models import load_method

QUERY = Query(
    "q",
    (
        Turn(picture="beach people", text="at night", without=("people",), emphasis=(("night", 2.0),)),
        Turn(text="city", liked=("city", "dog")),
        Turn(disliked=("city people",)),
        Turn(picture="city night", text="a dog instead of the cat", shown=("city night", "city", "dog")),
    ),
)


@pytest.mark.parametrize("history", [None, Latest, Average, Weighted, Feedback, Conversation])
@pytest.mark.parametrize("name", ["text", "image", "sum", "slerp", "edits", "balanced"])
def test_contributions_add_up_to_the_score(toy, album, name: str, history) -> None:
    composer = load_method(name, toy)
    assert isinstance(composer, Composer)
    if history:
        composer = history(composer)
    scores = composer.scores([QUERY], album)[0]
    told = explain(composer, QUERY, album)
    assert [one.score for one in told] == pytest.approx(scores.tolist(), abs=1e-5)
    assert all(one.parts for one in told)


def test_the_parts_are_named_and_the_weightiest_comes_first(toy, album) -> None:
    query = Query("q", (Turn(picture="dog", text="night", without=("people",)),))
    parts = explain(load_method("sum", toy), query, album.subset(["city people"]), pictures=album)[0].parts
    assert (parts[0].kind, parts[0].what, parts[0].turn) == ("without", "people", 1)
    assert parts[0].score < 0
    assert {part.kind for part in parts} == {"picture", "words", "without"}


def test_feedback_names_its_likes_and_dislikes(toy, album) -> None:
    parts = explain(Feedback(load_method("edits", toy)), QUERY, album.subset(["city night"]), pictures=album)[
        0
    ].parts
    named = {(part.kind, part.turn) for part in parts}
    assert {("liked", 2), ("disliked", 3), ("passed over", 4), ("picture", 1), ("words", 2)} <= named


def test_a_composer_that_cannot_tell_names_the_turn(opaque: Composer, album) -> None:
    query = Query("q", (Turn(text="dog"), Turn(text="cat")))
    (part,) = explain(opaque, query, album.subset(["cat"]), pictures=album)[0].parts
    assert (part.kind, part.what, part.turn) == ("turn", "cat", 2)
    told = explain(Average(opaque), query, album.subset(["cat"]), pictures=album)[0].parts
    assert {(p.what, p.turn) for p in told} == {("dog", 1), ("cat", 2)}


def test_the_space_must_be_the_same(toy, album) -> None:
    album.fingerprint = "other"
    with pytest.raises(MismatchError):
        explain(load_method("sum", toy), QUERY, album.subset(["cat"]), pictures=album)


def test_a_method_that_is_no_composer_is_told_whole(toy, album) -> None:
    fused = load_method("text + image", toy)
    (told,) = explain(fused, QUERY, album.subset(["cat"]), pictures=album)
    assert told.parts == ()
    (cut,) = explain(load_method("sum % 3", toy), QUERY, album.subset(["cat"]), pictures=album)
    assert cut.parts, "a cut's scores are its composer's"
