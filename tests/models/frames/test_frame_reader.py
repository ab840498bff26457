"""Ranking by facts over hand-made series, and facts in a few words."""

import numpy as np
import pytest
import torch

from circlet.core import Gallery, Query, UsageError
from circlet.language.frame_facts import ABOUTS, SEEN, FrameFact, Series
from circlet.models.few import MOST
from circlet.models.frames.eye import EyeSizes, FrameEye
from circlet.models.frames.frame_hearing import FrameHearing
from circlet.models.frames.frame_reader import FrameReader, Known, heard_in, held_in, phrase
from circlet.models.frames.gauges import Gauges, GaugeSizes
from circlet.models.frames.glimpse import SIDE, glimpse
from circlet.testing import ToyEncoder

PLAIN = np.tile([0.0, 1.0, 0.0], (3, 1))


def seen(**columns: list[float]) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    usual = {"count": 1, "share": 1, "inside": 1, "covered": 0, "x": 0.5, "y": 0.5, "size": 0.3, "facing": 1}
    return np.array([np.broadcast_to(columns.get(name, usual[name]), 3) for name in SEEN], float).T


def test_what_is_meant_is_what_holds_best_over_all_draws() -> None:
    draws = [
        Series({"dog": seen(share=[1.0, 0.5, 0.1]), "hut": seen(x=[0.9, 0.9, 0.9])}, PLAIN),
        Series({"dog": seen(share=[0.9, 0.6, 0.0]), "hut": seen(x=[0.9, 0.9, 0.9])}, PLAIN),
    ]
    half = {FrameFact("half", "dog"): 1.0}
    assert heard_in([half], draws).argmax() == 1
    held = held_in(half, draws)
    assert held is not None
    assert held[1] == pytest.approx(np.mean([1.0, 1.0]))
    # One draw sees a sliver in the third, the other nothing.
    assert 0.3 < held_in({FrameFact("none", "dog"): 1.0}, draws)[2] < 0.7  # type: ignore[index]
    assert held_in({FrameFact("half", "cat"): 1.0}, draws) is None


def test_every_fact_has_its_words() -> None:
    for about in ABOUTS:
        words = phrase(FrameFact(about, "dog", "hut", "left", 2))
        assert words
        assert "{" not in words
    assert phrase(FrameFact("column", "dog", value="middle")) == "the dog in the middle"


def reader_of(*places: str) -> FrameReader:
    torch.manual_seed(1)
    known = Known({"dog": "dogs"}, {place: place for place in places}, ["red", "blue"], ["day"], ["clear"])
    sizes = EyeSizes(kinds=1, colours=2)
    gauges = Gauges(GaugeSizes(sizes.key, sizes.told, sizes.width, 2, len(places), 1, 1))
    return FrameReader(FrameEye(sizes), gauges, FrameHearing(), known, ToyEncoder(), name="r")


def test_the_place_and_the_colours_of_a_film_are_the_same_in_all_frames() -> None:
    reader = reader_of("beach", "park")
    pictures = np.random.default_rng(0).integers(0, 256, (3, SIDE, SIDE, 3), np.uint8)
    view = (glimpse(pictures), pictures)
    film, apart = (reader.draws((view, view), ["dog"], in_time)[0].stated for in_time in (True, False))
    for of in (("setting", "", "park"), ("colour", "dog", "red")):
        assert np.ptp(apart[of]) > 0
        assert film[of].shape == (3,)
        assert np.ptp(film[of]) == 0


def test_more_than_a_few_pictures_are_refused_with_the_remedy() -> None:
    reader = reader_of("beach")
    many = [str(number) for number in range(MOST + 1)]
    with pytest.raises(UsageError, match="cut first"):
        reader.scores([Query("q")], Gallery(many, np.zeros((len(many), 3), np.float32), "toy"))
