"""What facts about one picture among a few mean, by degrees."""

from dataclasses import replace

import numpy as np
import pytest

from circlet.language.frame_facts import (
    ABOUTS,
    LOOKS,
    OF_FILMS,
    OF_ONE,
    OVERALL,
    SEEN,
    STATED,
    FrameFact,
    Series,
    degrees,
    likely_degrees,
    listen,
)


def seen(**columns: list[float]) -> np.ndarray:
    """What was seen of a thing, with everyday values where nothing else is said."""
    size = len(next(iter(columns.values())))
    usual = {"count": 1, "share": 1, "inside": 1, "covered": 0, "x": 0.5, "y": 0.7, "size": 0.3, "facing": 1}
    return np.array(
        [[columns.get(name, [usual[name]] * size)[row] for name in SEEN] for row in range(size)], float
    )


def series(*, timed: bool = True, blur: list[float] | None = None, **things: np.ndarray) -> Series:
    size = len(next(iter(things.values())))
    looks = np.tile([0.0, 1.0, 0.0], (size, 1))
    if blur:
        looks[:, LOOKS.index("blur")] = blur
    return Series(things, looks, timed)


def held(about: str, of: Series, **fact: str | int) -> list[float]:
    found = degrees(FrameFact(about, "dog", **fact), of)  # type: ignore[arg-type]
    assert found is not None
    return [round(float(value), 2) for value in found]


def test_a_number_is_true_of_more_and_meant_of_as_many() -> None:
    of = series(dog=seen(count=[1, 2, 3]))
    assert held("count", of, count=2) == [0, 1, 0.55]
    assert listen([{FrameFact("count", "dog", count=2): 1.0}], of).argmax() == 1


def test_what_shows_of_a_thing_has_a_word_for_each_share() -> None:
    of = series(dog=seen(share=[0, 0.08, 0.5, 0.8, 1]))
    for place, about in enumerate(("none", "sliver", "half", "most", "clear")):
        assert held(about, of) == [float(at == place) for at in range(5)]


def test_what_is_not_seen_is_nowhere() -> None:
    of = series(dog=seen(share=[0, 1], x=[np.nan, 0.1]), hut=seen(x=[0.6, 0.6]))
    for about, fact in (("column", {"value": "left"}), ("beside", {"value": "left", "other": "hut"})):
        assert held(about, of, **fact) == [0, 1]
    assert held("far", of, other="hut") == [0, pytest.approx(0.56, abs=0.01)]


def test_large_and_high_are_said_of_the_most_in_the_series() -> None:
    of = series(dog=seen(size=[0.2, 0.3, 0.4], y=[0.2, 0.5, 0.8]))
    assert held("large", of) == [0, 0.5, 1]
    assert held("small", of) == [1, 0.5, 0]
    assert held("high", of) == [1, 0.5, 0]
    assert held("low", of) == [0, 0.5, 1]
    assert held("large", series(dog=seen(size=[0.3, 0.31]))) == [0, 0]


def test_what_happens_needs_the_picture_before_or_after() -> None:
    of = series(dog=seen(count=[1, 2, 2, 1], share=[1, 0, 1, 1], facing=[1, 1, -1, -1]))
    assert held("arrived", of, count=2) == [0, 1, 0, 0]
    assert held("left", of, count=1) == [0, 0, 0, 1]
    assert held("soon", of) == [1, 0, 0, 0]
    assert held("emerged", of) == [0, 0, 1, 0]
    assert held("turned", of, value="left") == [0, 0, 1, 0]
    still = series(dog=seen(count=[1, 2]), timed=False)
    assert degrees(FrameFact("arrived", "dog", count=2), still) is None


def test_whoever_faces_the_other_comes_and_whoever_turns_the_back_goes() -> None:
    of = series(dog=seen(x=[0.2, 0.2, 0.8], facing=[1, -1, 1]), hut=seen(x=[0.5, 0.5, 0.5]))
    assert held("approaching", of, other="hut") == [1, 0, 0]
    assert held("leaving", of, other="hut") == [0, 1, 1]


def test_what_is_odd_and_was_not_mentioned_is_meant_less() -> None:
    of = series(dog=seen(x=[0.1, 0.1]), blur=[3, 0])
    left = FrameFact("column", "dog", value="left")
    assert listen([{left: 1.0}], of).argmax() == 1
    assert listen([{left: 1.0}, {FrameFact("blurry"): 1.0}], of).argmax() == 0


@pytest.mark.parametrize("about", [about for about in ABOUTS if about not in STATED])
def test_a_degree_is_between_nothing_and_all(about: str) -> None:
    chance = np.random.default_rng(0)
    thing = chance.random((10, len(SEEN)))
    thing[3, SEEN.index("x")] = np.nan
    of = series(dog=thing, hut=chance.random((10, len(SEEN))))
    found = degrees(FrameFact(about, "dog", "hut", "left"), of)
    assert found is not None
    assert found.shape == (10,)
    assert 0 <= found.min() <= found.max() <= 1


def test_what_is_told_outright_counts_as_much_as_what_is_seen() -> None:
    half = FrameFact("half", "dog")
    blind = Series({}, np.tile([0.0, 1.0, 0.0], (2, 1)), told={half: np.array([0.2, 0.9])})
    assert held("half", blind) == [0.2, 0.9]
    assert degrees(FrameFact("half", "cat"), blind) is None
    # By what something is covered does not change whether it is.
    partly = Series({}, blind.looks, told={FrameFact("partly", "dog"): np.array([0.1, 0.7])})
    assert held("partly", partly, other="hut") == [0.1, 0.7]
    both = Series({"dog": seen(share=[1, 0.5])}, blind.looks, told=blind.told)
    assert held("half", both) == [0.1, 0.95]


def test_facts_of_one_thing_are_all_that_need_no_other() -> None:
    of = series(dog=seen(count=[1, 2, 3]))
    for fact, of_films in zip(OF_ONE, OF_FILMS, strict=True):
        named = replace(fact, kind="dog")
        assert named == named.of_one
        assert degrees(named, of) is not None
        assert (degrees(named, replace(of, timed=False)) is None) == of_films
    assert {fact.about for fact in OF_ONE} == set(ABOUTS) - {*OVERALL, *STATED} - {
        "beside", "near", "far", "approaching", "leaving",
    }  # fmt: skip


def test_what_is_doubted_counts_by_how_likely_it_was_meant() -> None:
    dog = np.array([[1, 1.0, 1, 0, x, 0.8, 0.3, 1] for x in (0.1, 0.5, 0.9)])
    of = Series({"dog": dog}, np.tile([0.0, 1.0, 0.0], (3, 1)))
    left, right = FrameFact("edge", "dog", value="left"), FrameFact("edge", "dog", value="right")
    held = likely_degrees({left: 0.75, right: 0.25}, of)
    assert held is not None
    assert held.tolist() == pytest.approx([0.75 * 0.875, 0, 0.25 * 0.875])
    # What is left to certainty says the same of all: the order stays, and it counts less.
    doubted = likely_degrees({left: 0.5}, of)
    assert doubted is not None
    assert doubted.argmax() == 0
    assert doubted.min() > 0
    assert np.ptp(doubted) == pytest.approx(np.ptp(likely_degrees({left: 1.0}, of)) / 2)
    assert likely_degrees({FrameFact("half", "cat"): 1.0}, of) is None


def test_an_oddity_that_was_perhaps_mentioned_counts_in_between() -> None:
    of = Series({}, np.array([[0.0, 1.0, 0.0], [3.0, 1.0, 0.0]]))
    blurry, dark = FrameFact("blurry"), FrameFact("dark")
    assert listen([], of)[1] == pytest.approx(np.log(0.6))
    assert listen([{blurry: 1.0}], of)[1] == 0
    assert listen([{blurry: 0.5, dark: 0.5}], of)[1] == pytest.approx(np.log(0.5) + 0.5 * np.log(0.6))
