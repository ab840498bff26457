"""What is asked of scenes, held against sights made by hand."""

import numpy as np
import pytest

from circlet.models.scenes.holding import EVIDENCE, evidence, heard_holds, holds, kept, meant, stays, touched
from circlet.models.scenes.needs import SceneNeed
from circlet.models.scenes.sights import Seeable, Seen, Sights

KNOWN = Seeable(
    kinds={"dog": "dogs", "hut": "huts", "cat": "cats"},
    varying={"dog": ("colour", "column"), "hut": ("column",), "cat": ()},
    places={"beach": "beach"},
    things={
        "count": ("0", "1", "2", "3"),
        "colour": ("red", "blue"),
        "size": ("small", "medium", "large"),
        "column": ("left", "middle", "right"),
        "depth": ("front", "back"),
    },
    wholes={"time": ("day", "night"), "view": ("close", "normal", "wide"), "sign": ("", "OPEN")},
)
USUAL = {"count": "1", "colour": "red", "size": "medium", "column": "left", "depth": "front"}
WHOLE = {"time": "day", "view": "normal", "sign": ""}


def picture(wholes: dict[str, str] | None = None, **things: dict[str, str]) -> Sights:
    """A picture that is seen without any doubt."""

    def sure(values: dict[str, str], of: object) -> np.ndarray:
        assert isinstance(of, dict)
        return np.concatenate(
            [np.eye(len(known), dtype=np.float32)[known.index(values[name])] for name, known in of.items()]
        )

    numbers = [KNOWN.numbers[kind] for kind in things]
    absent = [number for number in range(3) if number not in numbers]
    rows = [sure(USUAL | looks, KNOWN.things) for looks in things.values()]
    rows += [sure(USUAL | {"count": "0"}, KNOWN.things) for _ in absent]
    whole = sure(WHOLE | (wholes or {}), KNOWN.wholes)
    return Sights(np.array([[*numbers, *absent]]), np.array([rows]), np.array([whole]))


def seen(*pictures: Sights) -> Seen:
    return Seen(Sights(*(np.concatenate(parts) for parts in zip(*pictures, strict=True))), KNOWN)


def held(need: SceneNeed, *candidates: Sights, before: Sights) -> list[float]:
    likely = holds(need, seen(*candidates), seen(before))
    assert likely is not None
    return [round(float(value), 1) for value in likely]


DOG = picture(dog={})
HUT = SceneNeed("add", "hut", count=1)
TWO = picture(dog={"count": "2"})


@pytest.mark.parametrize(
    ("need", "candidate", "expected"),
    [
        (SceneNeed("remove", "dog"), DOG, 0),
        (SceneNeed("remove", "hut"), DOG, 1),
        (SceneNeed("count", "dog", count=2), TWO, 1),
        (SceneNeed("count", "dog", count=3), TWO, 0),
        (SceneNeed("add", "dog", count=2, colour="blue"), TWO, 0),
        (SceneNeed("add", "dog", count=2, colour="red", column="left"), TWO, 1),
        (SceneNeed("replace", "cat", "dog", count=1), picture(cat={}), 1),
        (SceneNeed("replace", "cat", "dog", count=1), picture(cat={}, dog={}), 0),
        (SceneNeed("more", "dog"), TWO, 1),
        (SceneNeed("fewer", "dog"), TWO, 0),
        (SceneNeed("fewer", "dog"), picture(), 0),
        (SceneNeed("colour", "dog", value="blue"), picture(dog={"colour": "blue"}), 1),
        (SceneNeed("larger", "dog"), picture(dog={"size": "large"}), 1),
        (SceneNeed("larger", "dog"), DOG, 0),
        (SceneNeed("smaller", "dog"), picture(dog={"size": "small"}), 1),
        (SceneNeed("back", "dog"), picture(dog={"depth": "back"}), 1),
        (SceneNeed("left of", "dog", "hut"), picture(dog={}, hut={"column": "right"}), 1),
        (SceneNeed("left of", "hut", "dog"), picture(dog={}, hut={"column": "right"}), 0),
        (SceneNeed("time", value="night"), picture({"time": "night"}), 1),
        (SceneNeed("closer"), picture({"view": "close"}), 1),
        (SceneNeed("wider"), picture({"view": "close"}), 0),
        (SceneNeed("sign", value="OPEN"), picture({"sign": "OPEN"}), 1),
        (SceneNeed("no sign"), DOG, 1),
    ],
)
def test_a_need_holds_where_it_is_true(need: SceneNeed, candidate: Sights, expected: float) -> None:
    assert held(need, candidate, before=DOG) == [expected]


def test_what_names_no_value_cannot_be_checked() -> None:
    for need in (
        SceneNeed("remove"),
        SceneNeed("colour", "dog"),
        SceneNeed("time"),
        SceneNeed("left of", "dog"),
    ):
        assert holds(need, seen(DOG), seen(DOG)) is None


def test_what_is_kept_is_the_share_that_nobody_spoke_of() -> None:
    same, brought = picture(dog={}), picture(dog={}, hut={})
    blue, night = picture(dog={"colour": "blue"}), picture({"time": "night"}, dog={})
    found = kept(stays([], seen(same, blue, night, brought), seen(DOG)))
    # The dog, its number, colour and column, the time and the view: six facts.
    assert found == pytest.approx([1, 5 / 6, 5 / 6, 6 / 7], abs=0.01)
    # What is asked for is no loss.
    asked = [SceneNeed("colour", "dog", value="blue"), SceneNeed("time", value="night")]
    assert kept(stays(asked, seen(blue, night), seen(DOG))) == pytest.approx([1, 1], abs=0.01)
    assert kept(stays([HUT], seen(brought), seen(DOG))) == pytest.approx([1], abs=0.01)


def test_one_fact_that_is_off_makes_it_no_answer_however_much_is_kept() -> None:
    blue, brought = picture(dog={"colour": "blue"}), picture(dog={}, hut={})
    night = picture({"time": "night", "sign": "OPEN"}, dog={})
    found = evidence([], seen(DOG, blue, brought, night), seen(DOG))
    # Which evidence speaks against each: none, the colour, a hut that nobody asked for, the hour and a sign.
    against = [[EVIDENCE[row] for row in np.flatnonzero(column < -1)] for column in found.T]
    assert against == [[], ["colour"], ["unasked"], ["time", "sign"]]
    assert found.min() == pytest.approx(np.log(0.01), abs=0.02)
    assert evidence([{HUT: 1.0}], seen(brought), seen(DOG)) == pytest.approx(0, abs=0.02)
    lacking = evidence([{HUT: 1.0}], seen(DOG), seen(DOG))
    assert [EVIDENCE[row] for row in np.flatnonzero(lacking[:, 0] < -1)] == ["asked"]


def test_a_doubtful_clause_holds_by_all_that_it_may_mean() -> None:
    doubtful = {SceneNeed("colour", "dog", value="blue"): 0.6, SceneNeed("column", "dog", value="right"): 0.4}
    candidates = seen(picture(dog={"colour": "blue"}), picture(dog={"column": "right"}), DOG)
    found = heard_holds(doubtful, candidates, seen(DOG))
    assert found == pytest.approx([0.6, 0.4, 0], abs=0.02)
    assert heard_holds({SceneNeed("time"): 1.0}, candidates, seen(DOG)) is None
    # What is likely enough to be asked for is no loss; what is hardly likely is one.
    assert len(touched([doubtful], seen(DOG))) == 2
    hardly = {SceneNeed("colour", "dog", value="blue"): 0.95, SceneNeed("column", "dog", value="right"): 0.05}
    assert [need.about for need in touched([hardly], seen(DOG))] == ["colour"]


def test_what_is_asked_depends_on_what_is_there_already() -> None:
    heard = {
        SceneNeed("add", "dog", count=1, colour="blue"): 0.5,
        SceneNeed("colour", "dog", value="blue"): 0.4,
    }
    for before, expected in ((DOG, "colour"), (picture(hut={}), "add")):
        likely = meant(heard, seen(before))
        assert max(likely, key=lambda need: likely[need]).about == expected
        assert sum(likely.values()) == pytest.approx(0.9)
