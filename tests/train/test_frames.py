"""A frame reader from drawings to a method: it sees what it was shown, is kept, and ranks ten pictures."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
import torch

from circlet.core import Query, Turn, UsageError
from circlet.data.tableaux.draw.render import encoded, shot
from circlet.data.tableaux.files import picture_file
from circlet.data.tableaux.tasks.films import Film, lookalikes, video, write_films
from circlet.data.tableaux.tasks.frame_truths import COLOURS, draw_sets, read_sets
from circlet.data.tableaux.world.kinds import kinds
from circlet.models import load_method
from circlet.models.features import Features
from circlet.models.frames.eye import EyeSizes, FrameEye
from circlet.models.frames.frame_reader import FrameReader
from circlet.testing import ToyEncoder
from circlet.train.fit import fit
from circlet.train.frame_sets import FrameSets, gathered
from circlet.train.frames import train_frames
from circlet.train.recipe import Recipe
from circlet.train.tasks.looking import LookTask, overlap

CELLS = 28


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sets of ten, drawn."""
    root = tmp_path_factory.mktemp("world")
    rng = random.Random(5)
    films: dict[str, Film] = {"films-a": video(rng, "train"), "films-b": lookalikes(rng, "train")}
    write_films(root / "films.train.jsonl", films)
    for name, film in films.items():
        for place, frame in enumerate(film.frames):
            path = picture_file(root, f"{name}-{place}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(encoded(shot(frame)))
    return root


@pytest.fixture(scope="module")
def sets(world: Path) -> FrameSets:
    return gathered(read_sets(world, "train", CELLS))


def test_truths_are_those_of_the_paint(sets: FrameSets) -> None:
    truths = sets.truths
    assert len(sets) == 2
    assert truths.in_time.tolist() == [True, False]
    there = truths.kinds[0] >= 0
    shown = truths.seen[0, :, there, 1] > 0.05
    # What shows fills places, and nothing else does.
    assert ((truths.filled[0].sum((2, 3)) > 0).T[there] == (truths.seen[0, :, there, 1] > 0)).mean() > 0.95
    assert shown.any()


def test_a_film_that_is_not_drawn_is_named(world: Path, tmp_path: Path) -> None:
    (tmp_path / "films.train.jsonl").write_bytes((world / "films.train.jsonl").read_bytes())
    with pytest.raises(Exception, match=r"films-a-0\.jpg cannot be read.*make the set again"):
        list(read_sets(tmp_path, "train", CELLS)[1])


def test_more_sets_are_drawn_the_same_each_time() -> None:
    count, drawn = draw_sets(2, 7, CELLS)
    first, second = drawn
    again = next(draw_sets(1, 7, CELLS)[1])
    assert count == 2
    assert np.array_equal(first.pictures, again.pictures)
    assert np.array_equal(first.truths.filled, again.truths.filled)
    assert not np.array_equal(first.pictures, second.pictures)


def test_the_eye_learns_where_things_are(sets: FrameSets) -> None:
    torch.manual_seed(0)
    names = torch.randn(len(kinds()), 32)
    eye = FrameEye(EyeSizes(kinds=len(names), colours=len(COLOURS), names=32, width=32), names)
    recipe = Recipe(rate=1e-2, batch=10, epochs=60, every=60)
    eye.eval()
    before = overlap(eye, sets)
    fit(LookTask(eye, sets, recipe), recipe, validate=lambda network: overlap(network, sets))
    assert overlap(eye, sets) > before + 30


def test_a_reader_is_trained_kept_and_ranks(world: Path, tmp_path: Path) -> None:
    data = gathered(read_sets(world, "train", CELLS))
    out = tmp_path / "reader"
    quick = Recipe(rate=1e-3, batch=10, epochs=1)
    train_frames(data, data, out, quick, quick, data="toy")
    assert {path.name for path in out.iterdir()} == {"config.json", "weights.safetensors"}
    assert json.loads((out / "config.json").read_text(encoding="utf-8"))["data"] == "toy"
    with pytest.raises(UsageError, match="already holds a finished reader"):
        train_frames(data, data, out, quick, quick)

    encoder = ToyEncoder()
    reader = load_method(str(out), encoder)
    assert isinstance(reader, FrameReader)
    ids = [f"films-a-{place}" for place in range(10)]
    files = {id: picture_file(world, id) for id in ids}
    vectors = encoder.texts(ids)
    ten = Features(ids, vectors, encoder.fingerprint, files=files, in_time=True)
    kind = next(iter(kinds()))
    query = Query("q", (Turn(text=f"The {kind} is half visible. The picture is blurry."),))
    scores = reader.scores([query], ten)
    assert scores.shape == (1, 10)
    assert np.isfinite(scores).all()
    assert np.array_equal(scores, load_method(str(out), encoder).scores([query], ten))

    checks = reader.check(query, ids, ten, in_time=True)
    assert [str(clause) for clause in checks.clauses] == [f"the {kind} half visible", "blurred"]
    assert checks.probabilities.shape == (2, 10)
    assert ((checks.probabilities >= 0) & (checks.probabilities <= 1)).all()
