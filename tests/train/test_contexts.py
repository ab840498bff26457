"""Context models learn a small world, stop and go on, and load back as methods."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from tests.train.sets_of_colours import colour_sets

from circlet.core import (
    Benchmark,
    DataError,
    Gallery,
    Method,
    MismatchError,
    Pictures,
    Query,
    Turn,
    UsageError,
    Vectors,
    WeightsError,
    cases_of,
)
from circlet.evaluate import judge
from circlet.models.context.kept import load_context
from circlet.models.context.method import Contextual
from circlet.models.context.variants import VARIANTS
from circlet.models.few import MOST
from circlet.models.learned.folder import CONFIG, WEIGHTS, read_tensors
from circlet.models.methods import load_method
from circlet.testing import ToyEncoder
from circlet.train.contexts import open_sets, recipe_for, train_chain, train_context
from circlet.train.fit import RESUME
from circlet.train.tasks.sets import Sets

TRAIN, VAL = colour_sets(40), colour_sets(15, seed=1)
FAST = recipe_for("context-batch", rate=3e-3, batch=10, epochs=12, every=3, patience=0)


def trained(variant: str, out: Path, train: Sets = TRAIN, val: Sets = VAL, **more: object) -> float:
    options = {"start": None, **more}
    return train_context(variant, train, val, ToyEncoder(), out, FAST, **options).accuracy.all  # type: ignore[arg-type]


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Small networks are slower in several threads, and on a busy machine by far."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("contexts") / "batch"
    assert trained("context-batch", out) > 90
    return out


@pytest.mark.parametrize("variant", ["bi-encoder", "single-stream-batch"])
def test_a_small_world_is_learned(variant: str, tmp_path: Path) -> None:
    assert trained(variant, tmp_path / "out") > 80


def test_who_lacks_half_of_the_input_learns_nothing_there(tmp_path: Path) -> None:
    for variant in ("blind", "wordless"):
        assert trained(variant, tmp_path / variant) < 50


def test_a_module_leaves_its_encoder_as_it_is(batch: Path, tmp_path: Path) -> None:
    before, _ = read_tensors(batch / WEIGHTS)
    assert trained("context-module", tmp_path / "module", start=batch) > 90
    after, _ = read_tensors(tmp_path / "module" / WEIGHTS)
    assert all(torch.equal(part, after[name]) for name, part in before.items())
    assert sorted({name.split(".")[0] for name in after}) == ["heads", "module"]


def test_only_who_knows_time_finds_the_first_and_the_last(batch: Path, tmp_path: Path) -> None:
    films = {
        "train": colour_sets(60, films=True, places=True),
        "val": colour_sets(20, 1, films=True, places=True),
    }
    assert trained("temporal", tmp_path / "temporal", start=batch, **films) > 80
    assert trained("context-module", tmp_path / "module", start=batch, **films) < 50
    method = load_context(tmp_path / "temporal", ToyEncoder())
    rows = np.tile(np.eye(1, ToyEncoder.dim, dtype=np.float32), (4, 1))
    asked = [Query("1", (Turn(text="the first one"),)), Query("2", (Turn(text="the last one"),))]
    film = Gallery("abcd", rows, ToyEncoder.fingerprint, in_time=True)
    assert method.scores(asked, film).argmax(axis=1).tolist() == [0, 3]
    static = method.scores(asked, Gallery("abcd", rows, ToyEncoder.fingerprint))
    assert np.ptp(static, axis=1).max() < 1e-3, "without time four that look alike are alike"


def test_a_stopped_training_ends_with_the_same_weights(batch: Path, tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(report: object) -> None:
        if getattr(report, "epoch", 0) == 4:
            raise Stopped

    for variant, start in (("context-batch", None), ("temporal", batch)):
        whole, broken = tmp_path / f"{variant}-whole", tmp_path / f"{variant}-broken"
        trained(variant, whole, start=start)
        with pytest.raises(Stopped):
            train_context(variant, TRAIN, VAL, ToyEncoder(), broken, FAST, start=start, progress=stop)
        assert (broken / RESUME).exists()
        trained(variant, broken, start=start)
        first, again = (read_tensors(out / WEIGHTS)[0] for out in (whole, broken))
        assert all(torch.equal(part, again[name]) for name, part in first.items())


def test_a_chain_trains_what_a_module_stands_on(tmp_path: Path) -> None:
    steps: list[str] = []
    recipe = replace(FAST, epochs=1, every=1)
    train_chain(
        "temporal", TRAIN, VAL, ToyEncoder(), tmp_path, recipe, progress=lambda step, _: steps.append(step)
    )
    assert list(dict.fromkeys(steps)) == ["context-batch", "temporal"]
    assert (tmp_path / "start" / CONFIG).exists()


def test_what_cannot_be_trained_says_why(batch: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no variant 'clip': pick one of bi-encoder"):
        trained("clip", tmp_path)
    with pytest.raises(UsageError, match="stands on a context-batch"):
        trained("temporal", tmp_path)
    with pytest.raises(UsageError, match="leave the start out"):
        trained("bi-encoder", tmp_path, start=batch)
    with pytest.raises(UsageError, match="finished context model"):
        trained("context-batch", batch)
    module = tmp_path / "module"
    train_context("context-module", TRAIN, VAL, ToyEncoder(), module, replace(FAST, epochs=1), start=batch)
    with pytest.raises(UsageError, match="holds context-module over toy:words"):
        trained("temporal", tmp_path / "second", start=module)


def test_a_folder_is_a_method_for_its_own_encoder(batch: Path, tmp_path: Path) -> None:
    encoder = ToyEncoder()
    method = load_method(str(batch), encoder)
    assert isinstance(method, Contextual)
    assert repr(method) == f"Contextual({batch})"
    ten = Gallery(list("abcd"), VAL.seen(VAL.members[0]).numpy(), encoder.fingerprint)
    texts = np.flatnonzero(VAL.of == 0)
    queries = [Query(str(row), (Turn(text=VAL.texts[row]),)) for row in texts]
    assert method.scores(queries, ten).argmax(axis=1).tolist() == VAL.place[texts].tolist()
    assert method.scores(queries, ten.subset([])).shape == (2, 0)
    # Said in two turns it is the same description.
    apart = Query("1", (Turn(text="the"), Turn(text=VAL.texts[texts[0]].removeprefix("the "))))
    assert method.scores([apart], ten).argmax() == VAL.place[texts[0]]
    many = Gallery([str(n) for n in range(MOST + 1)], np.ones((MOST + 1, 8), np.float32), encoder.fingerprint)
    with pytest.raises(UsageError, match="cut first"):
        method.scores(queries, many)
    ranked = load_method(f"text % 3 >> {batch}", encoder).rank(queries, many)
    assert [len(one) for one in ranked] == [3, 3]
    other = ToyEncoder()
    other.fingerprint = "toy:other"  # type: ignore[misc]
    with pytest.raises(MismatchError, match=r"vectors of toy:words.*--encoder ToyEncoder"):
        load_context(batch, other)
    with pytest.raises(WeightsError, match="no context model"):
        load_context(tmp_path, encoder)


class Seeing(ToyEncoder):
    """Sees a picture's mean colour."""

    name = "toy"
    size = 8

    def prepare(self, picture: Image.Image) -> np.ndarray:
        mean = np.asarray(picture.convert("RGB"), np.float32).mean(axis=(0, 1))
        return np.pad(mean, (0, self.dim - 3))

    def encode_prepared(self, pictures: np.ndarray) -> np.ndarray:
        return pictures / np.maximum(np.linalg.norm(pictures, axis=1, keepdims=True), 1e-6)


def made(folder: Path, *, lacking: bool = False) -> Benchmark:
    """Two sets of three, the first of them a film."""
    names = [f"{one}-{at}" for one in "ab" for at in range(3)]
    for number, name in enumerate(names):
        Image.new("RGB", (8, 8), (40 * number, 250 - 40 * number, 90)).save(folder / f"{name}.png")
    sets = {"a-1": tuple(names[:3]), "a-2": tuple(names[:3]), "b-0": tuple(names[3 : 5 if lacking else 6])}
    return Benchmark(
        name="small",
        split="val",
        galleries={},
        cases=cases_of(
            [Query(id, (Turn(text=f"the one at {id}"),)) for id in sets],
            truths={id: (id,) for id in sets},
            subsets=sets,
            aspects={"a-1": ("video",), "a-2": ("video", "negation"), "b-0": ("static",)},
        ),
        images={name: folder / f"{name}.png" for name in names},
    )


def test_a_benchmark_becomes_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIRCLET_HOME", str(tmp_path / "home"))
    sets = open_sets(made(tmp_path), Seeing())  # type: ignore[arg-type]
    assert sets.members.shape == (2, 3)
    assert sets.in_time.tolist() == [True, False]
    assert (sets.of.tolist(), sets.place.tolist()) == ([0, 0, 1], [1, 2, 0])
    with pytest.raises(DataError, match="sets of equal size"):
        open_sets(made(tmp_path, lacking=True), Seeing())  # type: ignore[arg-type]


def test_an_evaluation_says_which_sets_are_in_time(tmp_path: Path) -> None:
    told: dict[tuple[str, ...], bool] = {}

    class Listening(Method):
        def scores(
            self, queries: Sequence[Query], gallery: Gallery, *, pictures: Pictures | None = None
        ) -> Vectors:
            told[gallery.ids] = gallery.in_time
            return np.zeros((len(queries), len(gallery)), np.float32)

    bench = made(tmp_path)
    judge(Listening(), bench, Gallery(bench.pictures, np.ones((6, 8), np.float32), "toy:words"))
    assert {ids[0][0]: in_time for ids, in_time in told.items()} == {"a": True, "b": False}


def test_every_variant_has_a_recipe() -> None:
    assert all(recipe_for(name).rate > 0 for name in VARIANTS)
