"""A scene reader from drawings to a scorer: it is trained, kept, and checks clauses in pictures."""

import json
from pathlib import Path

import numpy as np
import pytest

from circlet.core import Query, Turn, UsageError
from circlet.data.tableaux import Scene, Thing
from circlet.data.tableaux.draw.render import encoded, render
from circlet.data.tableaux.tasks.scene_truths import DrawnScene, drawn_scenes
from circlet.models import load_method
from circlet.models.features import Features
from circlet.models.frames.glimpse import CELLS
from circlet.models.methods import load_scorer
from circlet.models.scenes.scene_clauses import SceneClauses, expected_grade
from circlet.testing import ToyEncoder
from circlet.train.frame_sets import gathered
from circlet.train.recipe import Recipe
from circlet.train.scenes import SceneSets, learn_trust, train_scenes

SCENES = {
    "one": Scene(setting="beach", things=(Thing(kind="crab", count=1),)),
    "three": Scene(setting="beach", things=(Thing(kind="crab", count=3),)),
    "night": Scene(setting="beach", things=(Thing(kind="crab", count=1),), time="night"),
}
QUERY = Query("q", (Turn(picture="one", text="three crabs, at night"),))


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What three drawings teach in a few steps."""
    count, drawn = drawn_scenes([DrawnScene(scene) for scene in SCENES.values()] * 4, CELLS)
    data = SceneSets(tuple(SCENES.values()) * 4, gathered((count, drawn)))
    out = tmp_path_factory.mktemp("scenes") / "reader"
    looking = Recipe(rate=1e-2, batch=6, epochs=25, every=25)
    train_scenes(data, data, out, looking, Recipe(rate=3e-3, batch=6, epochs=30, every=30), data="toy")
    return out


@pytest.fixture
def pictures(tmp_path: Path) -> Features:
    files = {}
    for name, scene in SCENES.items():
        files[name] = tmp_path / f"{name}.jpg"
        files[name].write_bytes(encoded(render(scene)))
    encoder = ToyEncoder()
    return Features(
        list(files), encoder.texts(list(files)), encoder.fingerprint, files=files, encoder=encoder
    )


def test_a_reader_is_kept_with_what_it_knows(reader: Path) -> None:
    config = json.loads((reader / "config.json").read_text(encoding="utf-8"))
    assert config["data"] == "toy"
    assert config["val"]["heard"] > 80
    assert {path.name for path in reader.iterdir()} == {"config.json", "weights.safetensors"}
    with pytest.raises(UsageError, match="already holds a finished reader"):
        train_scenes(*[SceneSets((), None)] * 2, reader)  # type: ignore[arg-type]


def test_clauses_hold_where_the_scene_is_what_they_ask(reader: Path, pictures: Features) -> None:
    scorer = load_scorer(str(reader), ToyEncoder())
    assert isinstance(scorer, SceneClauses)
    checks = scorer.check(QUERY, list(SCENES), pictures)
    assert [str(clause) for clause in checks.clauses] == ["as in one", "three crabs", "at night"]
    stayed, counted, dark = checks.probabilities
    assert counted.argmax() == 1
    assert dark.argmax() == 2
    assert stayed[0] > 0.5
    assert (np.nan_to_num(checks.probabilities) <= 1).all()
    assert expected_grade(checks).shape == (3,)
    # Looked at once, a picture is remembered, and said the same of.
    assert np.array_equal(scorer.check(QUERY, list(SCENES), pictures).probabilities, checks.probabilities)


def test_what_answers_in_full_is_told_from_what_nearly_does(reader: Path, pictures: Features) -> None:
    scorer = load_scorer(str(reader), ToyEncoder())
    assert isinstance(scorer, SceneClauses)
    ids = list(SCENES)
    dark = scorer.answers(Query("d", (Turn(picture="one", text="at night"),)), ids, pictures)
    more = scorer.answers(Query("m", (Turn(picture="one", text="three crabs"),)), ids, pictures)
    assert dark.argmax() == ids.index("night")
    assert more.argmax() == ids.index("three")
    # The odds of an answer: even ones are 0.
    assert dark[ids.index("night")] > 0 > dark[ids.index("one")]
    assert len(scorer.answers(QUERY, [], pictures)) == 0


def test_it_stands_behind_a_method(reader: Path, pictures: Features) -> None:
    method = load_method(f"image % 3 >> '{reader}'", ToyEncoder())
    (ranking,) = method.rank([QUERY], pictures, top=3, pictures=pictures)
    assert set(ranking.ids) == set(SCENES)
    words_alone = Query("w", (Turn(text="three crabs"),))
    scorer = load_scorer(str(reader), ToyEncoder())
    assert isinstance(scorer, SceneClauses)
    assert np.isnan(scorer.check(words_alone, ["one"], pictures).probabilities).all()


def test_where_there_is_nothing_to_compare_all_that_is_read_counts_alike(reader: Path) -> None:
    scorer = load_scorer(str(reader), ToyEncoder())
    assert isinstance(scorer, SceneClauses)
    count, drawn = drawn_scenes([DrawnScene(SCENES["one"])], CELLS)
    alone = SceneSets((SCENES["one"],), gathered((count, drawn)))
    trust = learn_trust(scorer.eye, scorer.viewer, alone)
    assert (set(trust.weights), trust.shift) == ({1.0}, 0.0)
