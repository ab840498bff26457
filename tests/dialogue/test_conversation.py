"""A conversation: pictures by the feedback rule, words as they change a picture."""

import numpy as np
import pytest

from circlet.core import Composer, Gallery, Query, Turn, UsageError, unit
from circlet.dialogue import Conversation, Feedback
from circlet.models import load_method


@pytest.fixture
def talk(toy) -> Conversation:
    return Conversation(load_method("edits", toy))


def first(talk: Conversation, album: Gallery, *turns: Turn) -> str:
    asked = [id for turn in turns for id in (turn.picture,) if id]
    return talk.rank([Query("q", turns)], album, exclude=[asked])[0].ids[0]


def test_words_after_a_picture_are_one_turn_of_both(talk, album) -> None:
    breaths = (Turn(picture="beach"), Turn(text="add people"), Turn(text="at night", without=("city",)))
    whole = Turn(picture="beach", text="add people\nat night", without=("city",))
    rows = talk.compose([Query("a", breaths), Query("b", (whole,))], album)
    assert np.allclose(rows[0], rows[1], atol=1e-6)
    assert np.allclose(rows[1], talk.composer.turns([whole], album)[0], atol=1e-6)


def test_pictures_alone_move_by_the_rule(talk, album) -> None:
    turns = (
        Turn(picture="beach"),
        Turn(liked=("city", "night")),
        Turn(disliked=("cat",)),
        Turn(picture="dog", shown=("dog", "cat", "city")),
    )
    strict = Feedback(talk.composer).compose([Query("q", turns)], album)
    assert np.allclose(talk.compose([Query("q", turns)], album), strict, atol=1e-6)


def test_a_pick_then_words_is_the_rule_then_the_joining(toy, album) -> None:
    talk = Conversation(load_method("sum", toy, balance=0.5))
    word = dict(zip(album.ids, album.vectors, strict=True))
    v = unit([word["dog"] + 0.08 * word["cat"] - 0.29 * word["city"] + 0.44 * word["cat"]])[0]
    v = unit([0.5 * v + 0.5 * toy.texts(["red"])[0]])[0]
    turns = (Turn(text="dog"), Turn(picture="cat", shown=("cat", "city"), text="red"))
    assert np.allclose(talk.compose([Query("q", turns)], album)[0], v, atol=1e-6)


def test_a_change_of_mind_wins_where_the_rule_alone_would_not_hear_it(talk, album) -> None:
    turns = (Turn(text="dog"), Turn(liked=("dog red", "dog")), Turn(text="but a cat"))
    assert first(talk, album, *turns).startswith("cat")
    strict = Feedback(talk.composer).rank([Query("q", turns)], album)[0].ids[0]
    assert strict.startswith("dog")


def test_what_words_rule_out_leaves_what_was_reached(toy, talk, album) -> None:
    people = toy.texts(["people"])[0]
    before = Query("q", (Turn(picture="beach people"), Turn(liked=("city people",))))
    row, ruled = talk.compose([before, before + Turn(text="without people")], album)
    assert row @ people > 0.5
    assert ruled @ people < 0


def test_later_words_have_the_last_word(talk, album) -> None:
    assert first(talk, album, Turn(text="red dog"), Turn(text="but a cat")) in ("cat", "cat red")
    assert (
        first(talk, album, Turn(picture="dog"), Turn(text="make it red"), Turn(text="make it blue"))
        == "dog blue"
    )


def test_a_dislike_after_words_is_felt(talk, album) -> None:
    said = Query("q", (Turn(text="dog"), Turn(text="at night")))
    before, after = talk.rank([said, said + Turn(disliked=("night",))], album)
    assert dict(after)["city night"] < dict(before)["city night"] - 0.1


def test_histories_of_several_shapes_go_in_one_batch(talk, album) -> None:
    queries = [
        Query("a", (Turn(text="dog"),)),
        Query(
            "b", (Turn(picture="beach", text="at night"), Turn(disliked=("city",)), Turn(text="no people"))
        ),
        Query("c", (Turn(liked=("cat",)), Turn(text="red", balance=0.9), Turn(emphasis=(("night", 2.0),)))),
        Query("d", (Turn(disliked=("cat",)),)),
    ]
    rows = talk.compose(queries, album)
    assert np.allclose(rows, [talk.compose([query], album)[0] for query in queries], atol=1e-6)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    with pytest.raises(UsageError, match="no turn yet"):
        talk.compose([Query("empty")], album)


def test_a_composer_that_takes_no_vectors_keeps_to_the_rule(opaque: Composer, album) -> None:
    query = Query("q", (Turn(text="dog"), Turn(text="cat")))
    assert np.allclose(
        Conversation(opaque).compose([query], album), Feedback(opaque).compose([query], album), atol=1e-6
    )


def test_a_later_turn_is_composed_by_the_same_gallery_alone_and_in_a_batch(toy, album) -> None:
    method = Conversation(load_method("balanced", toy))
    queries = [
        Query(str(n), (Turn(picture=id), Turn(text="at night"), Turn(text="without people")))
        for n, id in enumerate(album.ids)
    ]
    together = method.compose(queries, album)
    for query, row in zip(queries, together, strict=True):
        np.testing.assert_allclose(method.compose([query], album)[0], row, atol=1e-5)
    assert method.rank(queries[:1], album, exclude=[["beach"]])[0].ids[0] == "beach night"
