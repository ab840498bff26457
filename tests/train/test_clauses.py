"""Clauses are learned from scenes: questions with their truth, a training, a scorer that loads."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.worlds import World

from circlet.core import Gallery, MismatchError, Query, Turn, UsageError
from circlet.data.tableaux.tasks.clauses import (
    CANDIDATES,
    LookAlikes,
    draw_look_alikes,
    read_look_alikes,
    stays,
)
from circlet.data.tableaux.world.truth import Need
from circlet.models.methods import load_method
from circlet.models.scorers.learned import LearnedClauses, load_clauses
from circlet.testing import ToyEncoder
from circlet.train.clauses import RECIPE, train_clauses
from circlet.train.tasks.questions import ClauseTask


@pytest.fixture(scope="session")
def root(drawn: World) -> Path:
    return drawn.root


class Words(ToyEncoder):
    """Knows nothing of pictures: any vectors will do to see that training runs."""


def vectors(data: LookAlikes) -> np.ndarray:
    rows = np.random.default_rng(0).normal(size=(len(data.files), ToyEncoder.dim)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_questions_have_the_truth_of_the_graphs(root: Path) -> None:
    data = read_look_alikes(root, "train")
    rng = random.Random(0)
    for family in range(min(40, len(data.families))):
        asked = data.ask(family, rng)
        assert len(asked.candidates) == CANDIDATES == len(asked.same)
        assert all(len(row) == CANDIDATES for row in asked.holds)
        assert all(0 < same <= 1 for same in asked.same)
    truths = [
        holds for family in range(len(data.families)) for row in data.ask(family, rng).holds for holds in row
    ]
    assert 0.15 < np.mean(truths) < 0.85


def test_what_a_need_speaks_of_may_change(root: Path) -> None:
    scenes = read_look_alikes(root, "train").scenes
    scene = next(scene for scene in scenes.values() if scene.things)
    thing = scene.things[0]
    without = replace(scene, things=scene.things[1:])
    assert stays(scene, without, [Need(about="remove", kind=thing.kind)]) == 1
    assert stays(scene, without, []) < 1


def test_a_training_gives_a_scorer_for_its_own_encoder_only(root: Path, tmp_path: Path) -> None:
    encoder = Words()
    train, val = read_look_alikes(root, "train"), read_look_alikes(root, "val")
    out = tmp_path / "clauses"
    recipe = replace(RECIPE, epochs=1, batch=16, every=1)
    held = vectors(train), vectors(val)
    fitted, score = train_clauses(train, val, held, encoder, out, recipe)  # type: ignore[arg-type]
    assert 0 <= score.calibration <= 0.25
    assert fitted.epoch == 1
    with pytest.raises(UsageError, match="finished scorer"):
        train_clauses(train, val, held, encoder, out, recipe)  # type: ignore[arg-type]
    made = load_clauses(out, encoder)
    gallery = Gallery(list(train.files), held[0], encoder.fingerprint)
    query = Query("q", (Turn(picture=gallery.ids[0], text="add a dog, without the cat", without=("sign",)),))
    checks = made.check(query, gallery.ids[:7], gallery)
    assert [clause.kind for clause in checks.clauses] == ["subject", "add", "remove", "remove"]
    assert checks.probabilities.shape == (4, 7)
    assert ((checks.probabilities >= 0) & (checks.probabilities <= 1)).all()
    # What stays, and likeness, count as much less as more is asked.
    one = made.check(Query("q", (Turn(picture=gallery.ids[0], text="add a dog"),)), gallery.ids[:7], gallery)
    assert one.clauses[0].weight == 3 * checks.clauses[0].weight
    assert made.own_beside(1) == 3 * made.own_beside(3)
    # The balance of picture and words, and what was stressed, hold here too.
    turn = Turn(picture=gallery.ids[0], text="add a dog, without the cat")
    leaning, stressing = (
        [clause.weight for clause in made.check(Query("q", (told,)), gallery.ids[:7], gallery).clauses]
        for told in (replace(turn, balance=0.9), replace(turn, emphasis=(("dog", 2.0),)))
    )
    plain = [clause.weight for clause in made.check(Query("q", (turn,)), gallery.ids[:7], gallery).clauses]
    assert leaning[0] > plain[0]
    assert leaning[1] < plain[1]
    assert stressing == [plain[0], 2 * plain[1], plain[2]]
    alone = made.check(Query("q", (Turn(text="add a dog"),)), gallery.ids[:7], gallery)
    assert np.isnan(alone.probabilities).all()
    ranking = load_method(f"image % 5 >> {out}", encoder).rank([query], gallery)[0]
    assert len(ranking) == 5
    with pytest.raises(UsageError, match="finds none itself"):
        load_method(str(out), encoder)
    other = ToyEncoder()
    other.fingerprint = "toy:other"  # type: ignore[misc]
    with pytest.raises(MismatchError, match="toy:words"):
        load_clauses(out, other)
    assert isinstance(made, LearnedClauses)


def test_batches_do_not_change_when_they_are_asked_for_again(root: Path) -> None:
    from circlet.models.scorers.clause_network import ClauseNetwork, Sizes

    data = read_look_alikes(root, "val")
    task = ClauseTask(ClauseNetwork(Sizes(vector=ToyEncoder.dim)), data, vectors(data), Words(), RECIPE)
    rows = task.order(3)[0]
    first, again = (task.batch(rows, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(first.truth.numpy(), again.truth.numpy())
    np.testing.assert_array_equal(first.phrases.numpy(), again.phrases.numpy())


def test_look_alikes_are_drawn_once_and_are_of_no_set(root: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    made = draw_look_alikes(tmp_path, 1, lambda stage, done, of: told.append((done, of)))
    assert len(made.families) == 6
    assert all(path.is_file() for path in made.files.values())
    assert told[-1] == (18, 18)
    assert {scene.key for scene in made.scenes.values()}.isdisjoint(
        scene.key for scene in read_look_alikes(root, "train").scenes.values()
    )
    assert made.ask(0, random.Random(0)).reference in made.families[0]
    before = {path: path.stat().st_mtime_ns for path in made.files.values()}
    again = draw_look_alikes(tmp_path, 1, lambda stage, done, of: None)
    assert again == made
    assert {path: path.stat().st_mtime_ns for path in again.files.values()} == before
