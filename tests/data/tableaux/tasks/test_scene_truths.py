"""The truth of single scenes."""

from circlet.data.tableaux import Scene, Thing
from circlet.data.tableaux.tasks.scene_truths import (
    THINGS,
    WHOLES,
    DrawnScene,
    drawn_scenes,
    further_scenes,
    truth_of,
)
from circlet.data.tableaux.world.kinds import kinds

CRABS = Scene(setting="beach", things=(Thing(kind="crab", count=3, column="left"),))


def test_values_have_their_numbers_and_what_is_not_there_has_none() -> None:
    told = truth_of(CRABS, ["crab", "dog"])
    assert told["count"] == [3, 0]
    assert told["column"] == [THINGS["column"].index("left"), -1]
    assert told["hair"] == [-1, -1]
    assert set(told) == set(THINGS)
    assert all(getattr(CRABS, name) in values for name, values in WHOLES.items())


def test_a_scene_is_a_set_of_one_picture_with_its_paint() -> None:
    count, drawn = drawn_scenes([DrawnScene(CRABS)], 28)
    (one,) = drawn
    assert count == 1
    assert one.pictures.shape == (1, 224, 224, 3)
    assert one.truths.kinds[0] == list(kinds()).index("crab")
    assert one.truths.filled[0, 0].any()
    # The crabs stand on the left.
    assert one.truths.filled[0, 0][:, :14].sum() > one.truths.filled[0, 0][:, 14:].sum()


def test_further_scenes_are_the_same_each_time() -> None:
    assert further_scenes(2) == further_scenes(2)
    assert further_scenes(1) != further_scenes(1, seed=1)
