"""Graded relevance and judges: every grade is right by the scene graphs, signs included."""

from collections import Counter
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from tests.worlds import World

from circlet.core import Benchmark, Case
from circlet.data.tableaux.files import known_scenes
from circlet.data.tableaux.tasks.grades import Wish, likeness
from circlet.data.tableaux.tasks.judges import judges_benchmark
from circlet.data.tableaux.tasks.relevance import full_matches, share_matched
from circlet.data.tableaux.world.families import belongs
from circlet.data.tableaux.world.layout import honest
from circlet.data.tableaux.world.scene import Scene, Thing
from circlet.data.tableaux.world.truth import Need

CRABS = Scene(setting="beach", things=(Thing(kind="crab", count=3),))
TWO = [Need(about="count", kind="crab", count=2)]


def test_likeness_counts_what_holds_of_the_wanted_graph() -> None:
    # Nine facts: four of the backdrop and the view, and crab, count, size, column, depth.
    assert likeness(CRABS, CRABS) == 1
    assert likeness(CRABS, CRABS.changed("crab", count=2, column="left")) == round(7 / 9, 3)
    shells = Scene(setting="beach", things=(*CRABS.things, Thing(kind="shell", column="left")))
    assert likeness(CRABS, shells) == 0.9
    assert likeness(CRABS, Scene(setting="moon", things=(Thing(kind="robot"),))) == round(3 / 10, 3)


def test_neither_what_was_asked_nor_what_stays_makes_up_for_the_other() -> None:
    wish = Wish(CRABS, TWO)
    two = CRABS.changed("crab", count=2)
    assert wish.grade(CRABS) == 0
    assert wish.grade(two) == 1
    # Eight facts stay: all but the count.
    assert wish.grade(replace(two, time="night")) == round(sqrt(7 / 8), 3)
    assert wish.grade(replace(two, things=(*two.things, Thing(kind="shell", column="left")))) == round(
        sqrt(8 / 9), 3
    )


def test_half_of_what_was_asked_is_half_of_it() -> None:
    wish = Wish(CRABS, [*TWO, Need(about="time", value="night")])
    assert wish.asked(CRABS.changed("crab", count=2)) == 0.5
    assert wish.grade(CRABS.changed("crab", count=2)) == round(sqrt(0.5), 3)


@pytest.mark.parametrize(
    ("was", "need", "right", "wrong"),
    [
        ("", Need(about="sign", value="HOTEL"), "HOTEL", ""),
        ("", Need(about="sign", value="HOTEL"), "HOTEL", "SALE"),
        ("SALE", Need(about="no sign"), "", "SALE"),
    ],
)
def test_a_sign_that_is_asked_for_counts(was: str, need: Need, right: str, wrong: str) -> None:
    wish = Wish(replace(CRABS, sign=was), [need])
    assert wish.grade(replace(CRABS, sign=right)) == 1
    assert wish.grade(replace(CRABS, sign=wrong)) == 0


def test_a_sign_that_nobody_spoke_of_stays_and_none_comes() -> None:
    two = CRABS.changed("crab", count=2)
    signed = Wish(replace(CRABS, sign="SALE"), TWO)
    assert signed.grade(replace(two, sign="SALE")) == 1
    assert signed.grade(two) == signed.grade(replace(two, sign="ZOO")) == round(sqrt(8 / 9), 3)
    assert Wish(CRABS, TWO).grade(replace(two, sign="ZOO")) == round(sqrt(8 / 9), 3)


@pytest.fixture(scope="module")
def graded(world: World) -> Benchmark:
    return world.bench("relevance", "test")


def _slow_grade(case: Case, scenes: dict[str, Scene], id: str) -> float:
    """The grade once more, fact by fact and from the notes alone."""
    was, now = scenes[str(case.query.last.picture)], scenes[id]
    needs = [Need(**need) for need in case.notes["needs"]]
    asked = sum(need.holds(was, now) for need in needs) / len(needs)
    free_kinds = {kind for need in needs if need.about in ("add", "remove", "replace")
                  for kind in (need.kind, need.other) if kind}  # fmt: skip
    spoken = {(kind, need.about) for need in needs for kind in (need.kind, need.other)}
    names = {"time": "time", "weather": "weather", "setting": "setting", "view": "closer wider"}
    stays, held = 0, 0
    for name, abouts in names.items():
        if not any(("", about) in spoken for about in abouts.split()):
            stays, held = stays + 1, held + (getattr(was, name) == getattr(now, name))
    if was.sign and not {("", "sign"), ("", "no sign")} & spoken:
        stays, held = stays + 1, held + (was.sign == now.sign)
    about = {
        "count": "count more fewer", "colour": "colour shirt", "size": "larger smaller",
        "column": "column left_of", "depth": "front back", "facing": "facing", "tone": "tone", "hair": "hair",
    }  # fmt: skip
    for thing in was.things:
        if thing.kind in free_kinds:
            continue
        other = now.thing(thing.kind)
        stays, held = stays + 1, held + (other is not None)
        for name, abouts in about.items():
            if getattr(thing, name) and not any(
                (thing.kind, one.replace("_", " ")) in spoken for one in abouts.split()
            ):
                same = other is not None and getattr(other, name) == getattr(thing, name)
                stays, held = stays + 1, held + same
    extra = sum(kind not in was.kinds and kind not in {need.kind for need in needs} for kind in now.kinds)
    extra += bool(now.sign and not was.sign and ("", "sign") not in spoken)
    kept = held / (stays + extra) if stays + extra else 1
    return round(sqrt(asked * kept), 3)


def test_every_grade_agrees_with_the_graphs(world: World, graded: Benchmark) -> None:
    scenes = known_scenes(world.root, "test")
    for case in graded.cases:
        for id in graded.galleries[""]:
            if id not in case.exclude:
                assert case.grades.get(id, 0) == _slow_grade(case, scenes, id), (case.id, id)


def test_every_query_has_several_answers_and_its_target_is_one(graded: Benchmark) -> None:
    assert share_matched(graded.cases) >= 0.9
    for case in graded.cases:
        assert case.target in full_matches(case)
        assert set(case.grades) <= set(graded.galleries[""])
        assert not set(case.grades) & set(case.exclude)


def test_words_alone_lead_astray(world: World, graded: Benchmark) -> None:
    scenes, astray = known_scenes(world.root, "test"), []
    for case in graded.cases:
        needs = [Need(**need) for need in case.notes["needs"]]
        was = scenes[str(case.query.last.picture)]
        said = {id for id in graded.galleries[""] if all(need.holds(was, scenes[id]) for need in needs)}
        astray.append(any(case.grades.get(id, 0) < 0.8 for id in said - set(case.exclude)))
    # Where the words name all that there is, nothing is left to stand elsewhere.
    assert np.mean(astray) >= 0.6


def test_what_is_drawn_for_graded_queries_belongs_to_the_split(world: World) -> None:
    drawn = {id: s for id, s in known_scenes(world.root, "test").items() if id.startswith("graded-")}
    assert len(drawn) > 100
    assert all(belongs(scene, "test") and honest(scene) for scene in drawn.values())


def test_judges_lean_towards_better_sets_each_with_his_own_noise(world: World) -> None:
    judged = [case for split in ("val", "test") for case in world.bench("judges", split).cases]
    worth, scores, agreed = [], [], []
    for case in judged:
        judgement = case.judgement
        assert judgement is not None
        means = [np.mean([case.grades[id] for id in one.images]) for one in judgement.sets]
        worth += means
        scores += [one.score for one in judgement.sets]
        agreed.append(means[judgement.preferred - 1] >= max(means))
        assert all(len(one.images) == 5 for one in judgement.sets)
    assert set(scores) <= {1, 2, 3, 4, 5}
    assert len(set(scores)) > 2
    assert np.corrcoef(worth, scores)[0, 1] > 0.5
    assert 0.6 < np.mean(agreed) < 1


def test_one_query_in_ten_is_judged_twice_and_noise_differs_between_splits(world: World) -> None:
    val, test = (world.bench("judges", split) for split in ("val", "test"))
    twice = [case for case in test.cases if case.id.endswith("-again")]
    assert len(twice) == 2
    for case in twice:
        first = test.case(case.id.removesuffix("-again"))
        assert first.notes["judge"] != case.notes["judge"]
        assert first.judgement is not None
        assert case.judgement is not None
        assert [one.images for one in first.judgement.sets] == [one.images for one in case.judgement.sets]
    firsts = [[case.notes["judge"] for case in bench.cases[:12]] for bench in (val, test)]
    assert firsts[0] != firsts[1]


def test_sets_without_worth_are_flagged_and_left_out(graded: Benchmark) -> None:
    worst = [id for id in graded.galleries[""] if id.startswith("test-")]
    nothing = {
        case.id: [id for id in worst if not case.grades.get(id) and id not in case.exclude][:5]
        for case in graded.cases
    }
    best = {case.id: sorted(case.grades, key=lambda id: -case.grades[id])[:5] for case in graded.cases}
    judged = judges_benchmark(graded, {"nothing": nothing, "nothing else": nothing}, 0)
    assert len(judged.cases) < len(graded.cases) / 2
    assert "flagged" in judged.extra["findings"][0]
    fine = judges_benchmark(graded, {"nothing": nothing, "best": best}, 0)
    preferred = Counter(
        case.notes["models"][case.judgement.preferred - 1] for case in fine.cases if case.judgement
    )
    assert preferred == {"best": len(fine.cases)}
