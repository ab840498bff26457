"""Sets of ten frames: what is said of one is true of it, of no place in particular, and seen on the paint."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from tests.worlds import World

from circlet.data.analysis import stats
from circlet.data.published import PHENOMENA, beside
from circlet.data.tableaux.draw.render import SIDE, pixels, shot, thing_art
from circlet.data.tableaux.tasks.films import SET_SIZE, Film, read_films
from circlet.data.tableaux.tasks.frame_series import series_of
from circlet.data.tableaux.tasks.frames import Description, draw_set, frames_benchmark
from circlet.data.tableaux.world.families import SPLITS
from circlet.data.tableaux.world.layout import placed
from circlet.data.tableaux.world.scene import Scene
from circlet.language.frame_facts import TRUE, degrees, listen

Sets = Sequence[tuple[str, Film, list[Description]]]
LEARNED, TRIED = 190, 130


@pytest.fixture(scope="module")
def sets() -> Sets:
    return [draw_set("train", number, seed=5) for number in range(LEARNED + TRIED)]


def test_what_is_said_is_true_of_the_one_meant_and_fits_it_best(sets: Sets) -> None:
    several = 0
    for _, film, told in sets[:60]:
        series = series_of(film)
        for one in told:
            held = [degrees(fact, series) for fact in one.facts]
            true = np.all([each >= TRUE for each in held if each is not None], axis=0)
            assert one.place in one.true_of == frozenset(np.flatnonzero(true))
            assert listen([{fact: 1.0} for fact in one.facts], series).argmax() == one.place
            assert not re.search(r"[{}<>/]|  ", one.text), one.text
            several += len(one.true_of) > 1
    assert several > 40


def test_every_place_is_meant_as_often_as_another(sets: Sets) -> None:
    places = Counter(one.place for _, _, told in sets for one in told)
    assert set(places) == set(range(SET_SIZE))
    assert max(places.values()) < 1.45 * min(places.values())


def _blind_features(one: Description) -> list[str]:
    """All that can be known without pixels: the words, pairs of them, and which facts are told."""
    words = re.findall(r"[a-z]+", one.text.lower())
    return [*words, *map(" ".join, pairwise(words)), *(f.about for f in one.facts)]


def test_words_and_place_without_pixels_find_hardly_more_than_chance(sets: Sets) -> None:
    told = [
        [one for _, film, told in part if film.timed for one in told]
        for part in (sets[:LEARNED], sets[LEARNED:])
    ]
    seen: Counter[str] = Counter()
    at: Counter[tuple[str, int]] = Counter()
    for one in told[0]:
        for feature in set(_blind_features(one)):
            seen[feature] += 1
            at[feature, one.place] += 1

    def guess(one: Description) -> int:
        known = [feature for feature in set(_blind_features(one)) if seen[feature] > 3]
        odds = [
            sum(np.log((at[f, place] + 1) / (seen[f] + SET_SIZE)) for f in known) for place in range(SET_SIZE)
        ]
        return int(np.argmax(odds))

    assert len(told[1]) > 200
    assert np.mean([guess(one) == one.place for one in told[1]]) <= 0.15
    # The same guesser sees through what does give the place away.
    assert np.mean([guess(one) == one.place for one in told[0]]) > 0.2


def _visible(scene: Scene, name: str) -> tuple[float, float]:
    """The share of a thing's paint that shows and that is covered, painted by Pillow one over the other."""
    owner, alone = Image.new("L", (SIDE, SIDE)), Image.new("L", (SIDE, SIDE))
    whole = inside = 0
    for one in placed(scene):
        art = thing_art(one, (255, 255, 255), SIDE).getchannel("A").point(lambda a: 255 if a >= 128 else 0)
        corner = (pixels(one.left, SIDE), pixels(one.top, SIDE))
        owner.paste(255 if one.thing.kind == name else 0, corner, art)
        if one.thing.kind == name:
            only = Image.new("L", (SIDE, SIDE))
            only.paste(255, corner, art)
            alone.paste(255, corner, art)
            whole += art.histogram()[255]
            inside += only.histogram()[255]
    there = alone.histogram()[255]
    covered = 1 - owner.histogram()[255] / there if there else 0.0
    return inside / whole * (1 - covered), covered


def test_every_fact_of_visibility_agrees_with_the_paint(sets: Sets) -> None:
    limits = {
        "none": lambda share, covered: share < 0.05,
        "hidden": lambda share, covered: share < 0.05 and covered > 0.8,
        "partly": lambda share, covered: 0.1 < covered < 0.9,
        "half": lambda share, covered: 0.3 < share < 0.7,
        "sliver": lambda share, covered: 0 < share < 0.3,
        "most": lambda share, covered: 0.6 < share < 1,
        "clear": lambda share, covered: share > 0.95,
        "uncovered": lambda share, covered: covered < 0.08,
        "cut": lambda share, covered: 0.02 < share < 0.98,
    }
    checked: Counter[str] = Counter()
    for _, film, told in sets:
        for one in told:
            scene = film.frames[one.place].scene
            for fact in one.facts:
                if fact.about in limits:
                    share, covered = _visible(scene, fact.kind) if scene.thing(fact.kind) else (0.0, 0.0)
                    assert limits[fact.about](share, covered), (fact, share, covered)
                    checked[fact.about] += 1
                if fact.about in ("soon", "emerged"):
                    near = film.frames[one.place + (1 if fact.about == "soon" else -1)].scene
                    assert not near.thing(fact.kind) or _visible(near, fact.kind)[0] < 0.06
                    checked[fact.about] += 1
    assert set(limits) - {"hidden"} <= set(checked)
    assert min(checked["soon"], checked["emerged"]) > 5


def test_phenomena_are_about_as_frequent_as_in_imagecode(sets: Sets) -> None:
    found = stats(frames_benchmark("train", sets))
    for name, (_, video, static) in PHENOMENA.items():
        assert found.phenomena[name]["video"] == pytest.approx(video, abs=10), name
        # A share near nothing may be nothing.
        assert found.phenomena.get(name, {}).get("static", 0) == pytest.approx(static, abs=10), name
    assert 20 < found.length < 27
    assert len(beside(frames_benchmark("train", sets), found)) == 2 + 2 * len(PHENOMENA)


def test_nobody_speaks_of_other_pictures_and_every_split_has_words_of_its_own(world: World) -> None:
    for split in SPLITS:
        bench = world.bench("frames", split)
        assert len(bench) >= (100 if split == "test" else 30)
        for query in bench.queries:
            assert not re.search(r"\bother (picture|frame|image|shot)|\bthan (any|all|in)\b", query.last.text)
        assert {case.aspects[0] for case in bench.cases} == {"video", "static"}


def test_films_are_read_as_they_were_written_and_look_as_they_were_drawn(world: World) -> None:
    bench, films = world.bench("frames", "test"), read_films(world.root, "test")
    assert {name for name, _ in (id.rsplit("-", 1) for id in bench.images)} == set(films)
    dim = next((n, at, f) for n, film in films.items() for at, f in enumerate(film.frames) if f.light < 80)
    name, at, frame = dim
    drawn = np.asarray(Image.open(bench.images[f"{name}-{at}"]), float)
    assert np.abs(drawn - np.asarray(shot(frame), float)).mean() < 4
