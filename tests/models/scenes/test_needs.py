"""Values that clauses name, given what they are about."""

import pytest
import torch

from circlet.models.encoders.sentences import Sentences
from circlet.models.phrases import Reading
from circlet.models.scenes.needs import ABOUTS, Hearing, SceneNeed, hear, need_of
from circlet.models.scenes.sights import Seeable

KNOWN = Seeable(
    kinds={"dog": "dogs", "hut": "huts", "sheep": "sheep", "fir tree": "fir trees"},
    varying={},
    places={"beach": "beach", "street": "city street"},
    things={"colour": ("red", "blue"), "hair": ("black", "blond")},
    wholes={"sign": ("", "OPEN", "ZOO")},
)


@pytest.mark.parametrize(
    ("about", "phrases", "expected"),
    [
        ("remove", ("", "fir trees", "fir trees"), SceneNeed("remove", "fir tree")),
        ("count", ("four dogs", "", "dogs"), SceneNeed("count", "dog", count=4)),
        ("count", ("one sheep", "", "sheep"), SceneNeed("count", "sheep", count=1)),
        ("add", ("pink dog", "", "pink dog"), SceneNeed("add", "dog", count=1, colour="pink")),
        (
            "replace",
            ("two blue huts", "dogs", "dogs"),
            SceneNeed("replace", "hut", "dog", count=2, colour="blue"),
        ),
        ("colour", ("red dogs", "", "dogs"), SceneNeed("colour", "dog", value="red")),
        ("column", ("dogs on the right", "", "dogs"), SceneNeed("column", "dog", value="right")),
        ("left of", ("dog to the left of the hut", "", "dog"), SceneNeed("left of", "dog", "hut")),
        ("left of", ("dog on the right of the hut", "", "dog"), SceneNeed("left of", "hut", "dog")),
        ("time", ("at sunset", "", ""), SceneNeed("time", value="sunset")),
        ("weather", ("under a cloudy sky", "", ""), SceneNeed("weather", value="cloudy")),
        ("setting", ("on a city street", "", ""), SceneNeed("setting", value="street")),
        ("sign", ("board that reads ZOO", "", ""), SceneNeed("sign", value="ZOO")),
        ("tone", ("man dark skin", "", "man"), SceneNeed("tone", value="dark")),
        ("closer", ("get closer with the camera", "", ""), SceneNeed("closer")),
    ],
)
def test_words_name_what_is_asked(about: str, phrases: tuple[str, str, str], expected: SceneNeed) -> None:
    assert need_of(about, Reading("describe", phrases), KNOWN) == expected


def test_what_is_taken_away_is_never_heard_as_something_to_be_there() -> None:
    hearing = Hearing()
    with torch.no_grad():
        hearing.about.weight.zero_()
        hearing.about.bias[:] = torch.tensor([float(about == "sign") for about in ABOUTS])
    clauses = [Reading("remove", ("", "sign", "sign")), Reading("add", ("sign ZOO", "", "sign"))]
    with torch.no_grad():
        hearing.about.bias[ABOUTS.index("no sign")] = 0.5
    first, second = hear(clauses, KNOWN, hearing, Sentences())
    assert (first.about, second) == ("no sign", SceneNeed("sign", value="ZOO"))
