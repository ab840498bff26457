"""Families to learn from: they differ in one fact, in the train split, and are drawn once."""

import random
from pathlib import Path

from circlet.data.tableaux.tasks.kin import MEMBERS, draw_kin, kin
from circlet.data.tableaux.tasks.sayings import TableauxCaptions
from circlet.data.tableaux.world.families import fits
from circlet.data.tableaux.world.kinds import CROWD
from circlet.data.tableaux.world.truth import changes


def test_a_family_differs_from_its_first_scene_in_one_need_and_numbers_go_to_ten() -> None:
    rng = random.Random(0)
    numbers = set()
    painted = 0
    for _ in range(60):
        first, *others = kin(rng)
        assert len(others) == MEMBERS - 1
        for other in others:
            assert fits(other, "train")
            assert len(changes(first, other)) == 1, (first, other)
        painted += (
            len({tuple(thing.colour for thing in scene.things) for scene in (first, *others)}) == MEMBERS
        )
        numbers |= {thing.count for scene in (first, *others) for thing in scene.things}
    assert numbers == set(range(1, CROWD + 1))
    # A family in four has one thing in four colours.
    assert painted >= 10


def test_they_are_drawn_once_and_stand_beside_a_sets_own_pictures(tmp_path: Path) -> None:
    drawn = draw_kin(tmp_path, 2, lambda stage, done, of: None)
    before = {path: path.stat().st_mtime_ns for path in drawn.files.values()}
    again = draw_kin(tmp_path, 2, lambda stage, done, of: None)
    assert again.scenes == drawn.scenes
    assert {path: path.stat().st_mtime_ns for path in again.files.values()} == before
    # More of them begin with the same ones.
    assert list(draw_kin(tmp_path, 3, lambda stage, done, of: None).scenes.items())[:8] == list(
        drawn.scenes.items()
    )
    (tmp_path / "scenes.train.jsonl").write_text("", encoding="utf-8")
    captions = TableauxCaptions(tmp_path, "train", kin=drawn)
    assert captions.files == drawn.files
    assert captions.families == drawn.families
    assert [len(family) for family in drawn.families] == [MEMBERS, MEMBERS]
