"""Values that clauses name, given what they are about."""

import pytest

from circlet.models.scenes.needs import SceneNeed, left_of, need_of, subject_of
from circlet.models.scenes.scene_words import clause_of, tokens
from circlet.models.scenes.sights import Seeable

KNOWN = Seeable(
    kinds={
        "dog": "dogs", "hut": "huts", "sheep": "sheep", "fir tree": "fir trees", "man": "men",
        "present": "presents", "dress": "dresses", "camera": "cameras",
    },
    varying={},
    places={"beach": "beach", "street": "city street", "park": "park"},
    things={"colour": ("red", "blue", "pink"), "hair": ("black", "blond")},
    wholes={"sign": ("", "OPEN", "FAIR")},
)  # fmt: skip


@pytest.mark.parametrize(
    ("about", "words", "expected"),
    [
        ("remove", "no fir trees", SceneNeed("remove", "fir tree")),
        ("count", "four dogs", SceneNeed("count", "dog", count=4)),
        ("count", "exactly one sheep", SceneNeed("count", "sheep", count=1)),
        ("count", "the number of huts is 3", SceneNeed("count", "hut", count=3)),
        ("add", "a pink dog", SceneNeed("add", "dog", count=1, colour="pink")),
        ("add", "two dogs in the centre", SceneNeed("add", "dog", count=2, column="middle")),
        ("replace", "two blue huts for the dog", SceneNeed("replace", "hut", "dog", count=2, colour="blue")),
        ("colour", "red dogs", SceneNeed("colour", "dog", value="red")),
        ("column", "the dogs right now on the left", SceneNeed("column", "dog", value="left")),
        ("left of", "the dog to the left of the hut", SceneNeed("left of", "dog", "hut")),
        ("left of", "the dog on the right of the hut", SceneNeed("left of", "hut", "dog")),
        ("hair", "the man goes blonde", SceneNeed("hair", "man", value="blond")),
        ("time", "at sundown", SceneNeed("time", value="sunset")),
        ("time", "night rather than the present hour", SceneNeed("time", value="night")),
        ("weather", "on a rainy day", SceneNeed("weather", value="rain")),
        ("setting", "on a city street", SceneNeed("setting", value="street")),
        ("sign", "a board that reads FAIR", SceneNeed("sign", value="FAIR")),
        ("tone", "the man with pale skin", SceneNeed("tone", "man", value="light")),
        ("shirt", "dress the man in red", SceneNeed("shirt", "man", value="red")),
        ("front", "the dog closer to the camera", SceneNeed("front", "dog")),
        ("column", "park the dog on the right", SceneNeed("column", "dog", value="right")),
        ("colour", "make the dog blue instead of red", SceneNeed("colour", "dog", value="blue")),
        ("colour", "the dog is not red but blue", SceneNeed("colour", "dog", value="blue")),
        ("count", "from two to three dogs", SceneNeed("count", "dog", count=3)),
        ("add", "two small red dogs", SceneNeed("add", "dog", count=2, colour="red")),
        ("add", "a dog, a red one", SceneNeed("add", "dog", count=1, colour="red")),
        ("replace", "a hut for the red dog", SceneNeed("replace", "hut", "dog", count=1)),
        ("sign", "a board that says open", SceneNeed("sign", value="OPEN")),
        ("sign", "“fair” instead of ‘OPEN’", SceneNeed("sign", value="FAIR")),
    ],
)
def test_words_name_what_is_asked(about: str, words: str, expected: SceneNeed) -> None:
    assert need_of(about, clause_of(tokens(words, KNOWN))) == expected


def test_a_pronoun_is_what_was_spoken_of_before() -> None:
    said = clause_of(tokens("make it blue", KNOWN), "dog")
    assert need_of("colour", said) == SceneNeed("colour", "dog", value="blue")
    beside = clause_of(tokens("put it left of the hut", KNOWN), "dog")
    assert need_of("left of", beside) == SceneNeed("left of", "dog", "hut")
    assert not clause_of(tokens("make it blue", KNOWN)).pronoun


def test_needs_that_decide_the_same_are_told() -> None:
    assert subject_of(SceneNeed("more", "dog")) == subject_of(SceneNeed("count", "dog", count=2))
    assert subject_of(SceneNeed("more", "dog")) != subject_of(SceneNeed("more", "hut"))
    one, other = SceneNeed("left of", "dog", "hut"), SceneNeed("left of", "hut", "dog")
    assert subject_of(one) == subject_of(other)


def test_a_later_need_takes_back_what_an_earlier_one_said_of_the_same() -> None:
    red = SceneNeed("add", "dog", count=1, colour="red", column="left")
    assert left_of(red, SceneNeed("colour", "dog", value="blue")) == SceneNeed(
        "add", "dog", count=1, column="left"
    )
    assert left_of(red, SceneNeed("column", "dog", value="right")) == SceneNeed(
        "add", "dog", count=1, colour="red"
    )
    assert left_of(red, SceneNeed("replace", "hut", "dog")) is None
    assert left_of(red, SceneNeed("time", value="night")) == red
