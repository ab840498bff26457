"""The first composers over a space that can be read off (one axis a word)."""

import numpy as np
import pytest

from circlet.core import Gallery, MismatchError, Query, Turn, UsageError
from circlet.models import METHODS, load_method

BLENDS = ["text", "image", "sum", "slerp"]


def ask(**turn) -> list[Query]:
    return [Query("q", (Turn(**turn),))]


def top(method, gallery: Gallery, keep: int = 1, **turn) -> tuple[str, ...]:
    return method.rank(ask(**turn), gallery, top=keep)[0].ids


@pytest.mark.parametrize("name", ["sum", "slerp"])
def test_a_picture_and_words_find_the_picture_changed(toy, album, name: str) -> None:
    assert top(load_method(name, toy), album, picture="beach", text="night") == ("beach night",)


@pytest.mark.parametrize("name", BLENDS)
def test_one_half_alone_is_that_half(toy, album, name: str) -> None:
    method = load_method(name, toy)
    assert top(method, album, picture="dog red") == ("dog red",)
    assert top(method, album, text="a red dog") == ("dog red",)


def test_the_baselines_hear_one_half(toy, album) -> None:
    assert top(load_method("text", toy), album, picture="dog", text="night") == ("night",)
    assert top(load_method("image", toy), album, picture="dog", text="night") == ("dog",)


@pytest.mark.parametrize("name", BLENDS)
def test_what_is_unwanted_sinks(toy, album, name: str) -> None:
    method = load_method(name, toy)
    with_people = [row for row, id in enumerate(album.ids) if "people" in id]
    asked = ask(picture="beach people", text="beach people")
    before = method.scores(asked, album)[0, with_people]
    asked = ask(picture="beach people", text="beach people", without=("people",))
    after = method.scores(asked, album)[0, with_people]
    assert (after < before - 0.2).all()
    assert top(method, album, picture="beach people", text="beach", without=("people",)) == ("beach",)


def test_only_something_unwanted_is_a_query(toy, album) -> None:
    ranking = load_method("sum", toy).rank(ask(without=("people",)), album, top=len(album))[0]
    assert {"people"} == set.intersection(*(set(id.split()) for id in ranking.ids[-3:])) & {"people"}


def test_emphasis_weighs_a_phrase(toy, album) -> None:
    method = load_method("text", toy)
    words = toy.texts(["city night", "night"])
    plain, strong = method.turns(
        [Turn(text="city night"), Turn(text="city night", emphasis=(("night", 3.0),))], album
    )
    assert np.allclose(plain, words[0])
    assert strong @ words[1] > plain @ words[1]
    absent = method.turns([Turn(text="city", emphasis=(("night", 1.0),))], album)[0]
    assert np.allclose(absent, words[0], atol=1e-6)


@pytest.mark.parametrize("name", ["sum", "slerp"])
def test_balance_goes_from_words_to_picture(toy, album, name: str) -> None:
    method = load_method(name, toy)
    shares = np.linspace(0, 1, 6)
    rows = method.turns([Turn(picture="dog", text="night", balance=float(s)) for s in shares], album)
    towards_picture = rows @ toy.texts(["dog"])[0]
    assert np.all(np.diff(towards_picture) > 0)
    assert towards_picture[0] == pytest.approx(0)
    assert towards_picture[-1] == pytest.approx(1)
    assert top(load_method(name, toy, balance=1.0), album, picture="dog", text="night") == ("dog",)


def test_slerp_walks_the_arc_evenly_and_straight_where_there_is_none(toy, album) -> None:
    method = load_method("slerp", toy)
    third = method.turns([Turn(picture="dog", text="night", balance=1 / 3)], album)[0]
    assert np.degrees(np.arccos(third @ toy.texts(["night"])[0])) == pytest.approx(30, abs=0.01)
    same = method.turns([Turn(picture="dog", text="dog")], album)[0]
    assert np.allclose(same, toy.texts(["dog"])[0])


@pytest.mark.parametrize("name", BLENDS)
def test_a_batch_is_its_single_turns(toy, album, name: str) -> None:
    method = load_method(name, toy)
    turns = [
        Turn(picture="dog", text="night"),
        Turn(text="cat", without=("red", "blue")),
        Turn(picture="city", emphasis=(("night", 2.0),)),
        Turn(picture="beach", balance=0.9, text="people"),
        Turn(liked=("cat",)),
    ]
    rows = method.turns(turns, album)
    singles = [method.turns([turn], album)[0] for turn in turns]
    assert np.allclose(rows, singles, atol=1e-6)
    assert np.allclose(np.linalg.norm(rows, axis=1), [1, 1, 1, 1, 0], atol=1e-5)


def test_names_and_options_that_are_not_there_are_errors(toy, album) -> None:
    with pytest.raises(UsageError, match=r"unknown method 'sun': pick one of default, .*slerp"):
        load_method("sun", toy)
    with pytest.raises(UsageError, match=r"does not take these options.*'salt'"):
        load_method("sum", toy, salt=1)
    with pytest.raises(MismatchError):
        load_method("sum", toy).rank(ask(text="dog"), Gallery(["a"], np.ones((1, 8), np.float32), "other"))


def test_every_method_has_a_line_for_the_list() -> None:
    assert all(line and "\n" not in line for _, line in METHODS.values())
