"""The set on disk: nothing leaks, nothing gives the target away, and the same call writes the same bytes."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.worlds import World, run_make

import circlet
from circlet.build import DRAWN
from circlet.build.tableaux import ASPECTS
from circlet.core import Benchmark, Query, ranks
from circlet.data import write_benchmark
from circlet.data.tableaux.colour_grid import ColourGrid
from circlet.data.tableaux.files import finished, scenes_recipe
from circlet.data.tableaux.world.families import SPLITS, home
from circlet.data.tableaux.world.grammar import parse
from circlet.data.tableaux.world.truth import satisfies

CIR_WORDS = ("cir", "aspects")


def test_no_two_splits_share_a_scene_graph(world: World) -> None:
    keys = {split: [scene.key for scene in world.scenes[split].values()] for split in SPLITS}
    for split in SPLITS:
        assert len(keys[split]) > 120
    assert not set(keys["train"]) & set(keys["val"])
    assert not set(keys["train"]) & set(keys["test"])
    assert not set(keys["val"]) & set(keys["test"])


def test_no_two_splits_share_a_wording(world: World) -> None:
    said = {}
    for split in SPLITS:
        benches = [world.bench(kind, split) for kind in (*CIR_WORDS, "frames")]
        said[split] = {
            "skeletons": {case.notes["skeleton"] for bench in benches for case in bench.cases},
            "texts": {query.last.text.lower() for bench in benches for query in bench.queries},
        }
    for what in ("skeletons", "texts"):
        assert len(said["train"][what]) > 100
        assert not said["train"][what] & said["test"][what]
        assert not said["train"][what] & said["val"][what]
        assert not said["val"][what] & said["test"][what]


def test_test_scenes_hold_a_combination_that_training_never_shows(world: World) -> None:
    together = {
        split: {(name, scene.setting) for scene in world.scenes[split].values() for name in scene.kinds}
        for split in SPLITS
    }
    for split in ("val", "test"):
        for scene in world.scenes[split].values():
            assert {(name, scene.setting) for name in scene.kinds} - together["train"], scene
    assert all(home(*combination) == "train" for combination in together["train"])


@pytest.mark.parametrize("split", SPLITS)
def test_a_text_singles_out_its_target_within_the_subset(world: World, split: str) -> None:
    bench, scenes = world.bench("cir", split), world.scenes[split]
    for query in bench.queries[:: max(1, len(bench) // 60)]:
        needs = parse(query.last.text)
        reference = scenes[str(query.last.picture)]
        right = [id for id in bench.case(query.id).subset if satisfies(needs, reference, scenes[id])]
        assert right == list(bench.case(query.id).truths), query.last.text


def test_pairs_are_the_nine_of_the_paper(world: World) -> None:
    drawn = Counter(tuple(case.notes["ranks"]) for case in world.bench("cir", "train").cases)
    assert set(drawn) == set(DRAWN)
    assert min(drawn.values()) > 0.6 * max(drawn.values())


def test_nothing_about_the_files_gives_the_target_away(world: World) -> None:
    bench = world.bench("cir", "train")
    sizes = {id: path.stat().st_size for id, path in bench.images.items()}

    def share(choose) -> float:  # type: ignore[no-untyped-def]
        hits = 0
        for query in bench.queries:
            others = [id for id in bench.case(query.id).subset if id != query.last.picture]
            hits += choose(query, others) == bench.case(query.id).truths[0]
        return hits / len(bench.queries)

    guesses = {
        "first by name": lambda query, others: min(others),
        "last by name": lambda query, others: max(others),
        "first listed": lambda query, others: others[0],
        "next by name": lambda query, others: min(others, key=lambda id: (id < str(query.last.picture), id)),
        "largest file": lambda query, others: max(others, key=sizes.__getitem__),
        "smallest file": lambda query, others: min(others, key=sizes.__getitem__),
        "nearest size": lambda query, others: min(
            others, key=lambda id: abs(sizes[id] - sizes[str(query.last.picture)])
        ),
    }
    # Chance is 20 %; three deviations of 600 correlated guesses are about 7 points.
    for name, choose in guesses.items():
        assert 0.12 < share(choose) < 0.28, name


def _ranked(bench: Benchmark, inside: bool) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """The target's rank by plain likeness to the reference, in the gallery or in the subset."""
    ids = bench.galleries[""]
    row = {id: number for number, id in enumerate(ids)}
    vectors = ColourGrid().images([Image.open(bench.images[id]) for id in ids])
    found = []
    for query in bench.queries:
        reference = row[str(query.last.picture)]
        scores = vectors[reference] @ vectors.T
        allowed = bench.case(query.id).subset if inside else ids
        masked = np.full_like(scores, -np.inf)
        masked[[row[id] for id in allowed if row[id] != reference]] = scores[
            [row[id] for id in allowed if row[id] != reference]
        ]
        found.append(ranks(masked[None], np.array([row[bench.case(query.id).truths[0]]]))[0])
    return np.array(found)


def test_likeness_alone_finds_the_neighbourhood_and_not_the_target(world: World) -> None:
    bench = world.bench("cir", "train")
    assert 0.13 < np.mean(_ranked(bench, inside=True) == 1) < 0.28
    assert np.mean(_ranked(bench, inside=False) <= 10) > 4 * 10 / len(bench.galleries[""])


def _digests(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_a_run_that_was_stopped_goes_on_and_writes_the_same_bytes(world: World) -> None:
    before = _digests(world.root)
    for name in [name for name in before if name.endswith("3.jpg")][:20]:
        (world.root / name).unlink()
    (world.root / "cir.val.jsonl").unlink()
    assert run_make(world.root).returncode == 0
    assert _digests(world.root) == before


def test_a_set_from_before_grows_its_aspects_and_nothing_else(world: World, tmp_path: Path) -> None:
    after = _digests(world.root)
    root = tmp_path / "before"
    shutil.copytree(world.root, root)
    aspects = world.bench("aspects", "test")
    first = {id for case in aspects.cases[:18] for id in (*case.query.pictures, *case.subset)}
    assert len(aspects) == 36
    write_benchmark(aspects.only(aspects.queries[:18]), root / "aspects.test.jsonl")
    for id in set(aspects.images) - first:
        (root / "images" / "aspects-test" / f"{id}.jpg").unlink()
    recipe = json.loads((root / "recipe.json").read_text(encoding="utf-8"))
    before = {name: value for name, value in recipe.items() if name != "aspects"}
    (root / "recipe.json").write_text(json.dumps(before, indent=2) + "\n", encoding="utf-8")
    assert scenes_recipe(root) == scenes_recipe(world.root)
    assert not finished(root, aspects=ASPECTS)
    assert run_make(root).returncode == 0
    assert finished(root, aspects=ASPECTS)
    assert _digests(root) == after


def test_a_folder_that_holds_another_set_is_refused(world: World) -> None:
    done = run_make(world.root, "--seed", "1")
    assert done.returncode == 2
    assert "made otherwise" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_size_is_wrong_usage(tmp_path: Path) -> None:
    done = run_make(tmp_path, "--size", "huge")
    assert done.returncode == 2
    assert "pick one of small, standard, large" in done.stderr


def test_benchmarks_name_only_pictures_that_are_there(world: World) -> None:
    for kind in ("cir", "aspects", "frames", "relevance", "judges"):
        for split in SPLITS:
            bench = world.bench(kind, split)
            assert bench.queries
            assert all(isinstance(query, Query) for query in bench.queries)
            assert set(bench.images) == set(bench.pictures)
            assert all(path.is_file() for path in bench.images.values())


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="reads the children of a process from /proc")
def test_those_who_draw_end_with_the_process_that_asked_them(tmp_path: Path) -> None:
    drawing = f"""
from pathlib import Path
from circlet.data.tableaux.world.scene import Scene, Thing
from circlet.data.tableaux.files import draw
if __name__ == "__main__":
    scene = Scene(setting="beach", things=(Thing(kind="car", colour="red", facing="left"),))
    draw(Path({str(tmp_path)!r}), {{f"a-{{n:06d}}": scene for n in range(5000)}}, 224, 2, lambda *told: None)
"""
    script = tmp_path / "drawing.py"
    script.write_text(drawing, encoding="utf-8")
    env = os.environ | {"PYTHONPATH": str(Path(circlet.__file__).parents[1])}
    asked = subprocess.Popen([sys.executable, str(script)], env=env)
    listed = Path(f"/proc/{asked.pid}/task/{asked.pid}/children")
    until = time.monotonic() + 120
    while not list(tmp_path.rglob("*.jpg")) and asked.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    drawers = [Path("/proc") / pid for pid in listed.read_text().split()]
    asked.kill()
    asked.wait()
    assert len(drawers) >= 2
    while any(map(_alive, drawers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(_alive, drawers))


def _alive(process: Path) -> bool:
    """Whether a process runs; one that nobody has buried yet does not."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
