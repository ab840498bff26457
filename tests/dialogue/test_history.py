"""History aggregation and the feedback rule of paper 003, checked against the equations by hand."""

import numpy as np
import pytest

from circlet.core import Query, Turn, UsageError, unit
from circlet.dialogue import Average, Conversation, Feedback, Latest, Weighted
from circlet.models import load_method


@pytest.fixture
def composer(toy):
    return load_method("sum", toy, balance=0.5)


THREE = Query("q", (Turn(text="beach"), Turn(text="night"), Turn(text="people")))


def test_the_three_aggregations_are_the_papers(toy, album, composer) -> None:
    beach, night, people = toy.texts(["beach", "night", "people"])
    expected = {
        Latest(composer): people,
        Average(composer): unit([beach + night + people])[0],
        Weighted(composer): unit([0.64 * beach + 0.8 * night + people])[0],
    }
    for history, row in expected.items():
        assert np.allclose(history.compose([THREE], album)[0], row, atol=1e-6), history


@pytest.mark.parametrize("kind", [Latest, Average, Weighted, Feedback, Conversation])
def test_one_turn_is_the_composers_own(album, composer, kind) -> None:
    query = Query("q", (Turn(picture="dog", text="night"),))
    assert np.allclose(kind(composer).compose([query], album), composer.compose([query], album), atol=1e-6)


@pytest.mark.parametrize("kind", [Latest, Average, Weighted, Feedback, Conversation])
def test_histories_of_several_lengths_go_in_one_batch(album, composer, kind) -> None:
    history = kind(composer)
    queries = [THREE, THREE.undo(), Query("p", (Turn(picture="cat"), Turn(disliked=("dog",))))]
    rows = history.compose(queries, album)
    singles = [history.compose([query], album)[0] for query in queries]
    assert np.allclose(rows, singles, atol=1e-6)
    with pytest.raises(UsageError, match="no turn yet"):
        history.compose([Query("empty")], album)


def test_feedback_is_equation_nine(toy, album, composer) -> None:
    first = Turn(picture="beach", text="people")
    second = Turn(picture="dog", text="red", shown=("dog", "cat", "city"))
    third = Turn(text="night", disliked=("cat blue",))
    word = dict(zip(album.ids, album.vectors, strict=True))
    v = unit([word["beach"] + toy.texts(["people"])[0]])[0]
    h = unit([word["dog"] + toy.texts(["red"])[0]])[0]
    v = unit([v + 0.08 * word["dog"] - 0.29 * (word["cat"] + word["city"]) / 2 + 0.44 * h])[0]
    v = unit([v - 0.29 * word["cat blue"] + 0.44 * toy.texts(["night"])[0]])[0]
    row = Feedback(composer).compose([Query("q", (first, second, third))], album)[0]
    assert np.allclose(row, v, atol=1e-6)


def test_liked_pictures_are_chosen_and_understood(album, composer) -> None:
    word = dict(zip(album.ids, album.vectors, strict=True))
    query = Query("q", (Turn(picture="beach"), Turn(liked=("dog", "cat"), shown=("dog", "cat", "city"))))
    expected = unit([word["beach"] + (0.08 + 0.44) * (word["dog"] + word["cat"]) / 2])[0]
    assert np.allclose(Feedback(composer).compose([query], album)[0], expected, atol=1e-6)


def test_a_dislike_is_felt(album, composer) -> None:
    query = Query("q", (Turn(text="dog"),))
    before = Feedback(composer).rank([query], album)[0]
    after = Feedback(composer).rank([query + Turn(disliked=("dog red",))], album)[0]
    assert after.ids.index("dog red") > after.ids.index("dog blue")
    assert dict(after)["dog red"] < dict(before)["dog red"] - 0.15


def test_weights_are_adjustable_and_checked(album, composer) -> None:
    query = Query("q", (Turn(text="dog"), Turn(text="night")))
    assert np.allclose(
        Feedback(composer, gamma=0).compose([query], album),
        composer.compose([query.undo()], album),
        atol=1e-6,
    )
    with pytest.raises(UsageError, match="beta"):
        Feedback(composer, beta=-1)
    with pytest.raises(UsageError, match="alpha"):
        Weighted(composer, alpha=0)
    assert repr(Feedback(composer)).endswith("alpha=0.08, beta=0.29, gamma=0.44)")
