"""Arrays that others wrote: features and rankings read as they are, everything else told in a sentence."""

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circlet.core import CircletError, DataError, Key, Ranking, Run, UsageError
from circlet.evaluate import read_run
from circlet.evaluate.files.npz import read_features, write_npz_run
from circlet.evaluate.files.runs import save_run

FEATURES: dict[str, Any] = {
    "image_ids": ["a", "b", "c"],
    "image_vectors": np.eye(3),
    "query_ids": ["p", "q@2", "r~1"],
    "query_vectors": np.eye(3)[::-1],
}
RANKINGS: dict[str, Any] = {"query_ids": ["p", "q"], "ranked_ids": [["a", "b"], ["c", ""]]}


def saved(folder: Path, **arrays: Any) -> Path:
    np.savez(folder / "mine.npz", **{name: value for name, value in arrays.items() if value is not None})
    return folder / "mine.npz"


def test_features_are_read_with_keys_lengths_and_a_fingerprint(tmp_path: Path) -> None:
    read = read_features(saved(tmp_path, **FEATURES))
    assert (read.method, read.pictures.ids, read.scaled) == ("mine", ("a", "b", "c"), False)
    assert list(read.queries) == [Key("p"), Key("q", 2), Key("r", 1, 1)]
    assert read.pictures.fingerprint.startswith("features:")
    long = read_features(saved(tmp_path, **FEATURES | {"query_vectors": 3 * np.eye(3), "method": "ours"}))
    assert (long.method, long.scaled) == ("ours", True)
    np.testing.assert_allclose(long.query_vectors, np.eye(3))
    assert long.pictures.fingerprint != read.pictures.fingerprint
    assert list(read_features(tmp_path / "mine.npz", {"q@2"}).queries)[1] == Key("q@2")
    half = {name: FEATURES[name].astype(np.float16) for name in ("image_vectors", "query_vectors")}
    numbered = {"image_ids": np.array([7, 8, 9]), "query_ids": np.array([b"p", b"q", b"r"])}
    assert read_features(saved(tmp_path, **FEATURES | half | numbered)).pictures.ids == ("7", "8", "9")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"query_ids": None}, "query_ids not there: write them too"),
        ({"image_ids": ["a", "b"]}, "2 image_ids and 3 image_vectors"),
        ({"image_ids": ["a", "b", "a"]}, "a stands twice in image_ids"),
        ({"query_ids": ["p", "p@1", "p"]}, "p stands twice in query_ids"),
        ({"query_ids": ["p", "p@1", "r"]}, "query p stands there twice"),
        ({"image_ids": [0.5, 1.5, 2.5]}, "a list of texts or whole numbers, not float64"),
        ({"image_ids": np.array(["a", "b", None], object)}, r"np.array\(ids, dtype=str\)"),
        ({"image_vectors": np.ones(3)}, "a table of numbers, a row each"),
        ({"image_vectors": np.full((3, 3), "x")}, "a table of numbers, a row each"),
        ({"query_vectors": np.ones((3, 4))}, "pictures have 3 numbers and queries 4"),
        ({"query_vectors": np.full((3, 3), np.nan)}, "the vector of p has a number that is not finite"),
        ({"image_vectors": np.diag([1, 0, 1])}, "the vector of b is all zeros"),
        (
            {"image_ids": np.array([], str), "image_vectors": np.ones((0, 3))},
            "0 image_ids and 0 image_vectors",
        ),
        ({"method": ["a", "b"]}, "method is one text"),
    ],
)
def test_features_that_do_not_fit_are_explained(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_features(saved(tmp_path, **FEATURES | change))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ranked_ids": None}, "a run has query_ids and ranked_ids"),
        ({"query_ids": None}, "ranked_ids without query_ids"),
        ({"query_ids": ["p"]}, "1 query_ids and 2 rows of ranked_ids"),
        ({"ranked_ids": ["a", "b"]}, "ranked_ids is a table of texts or whole numbers"),
        ({"ranked_ids": [["", "a"], ["c", "b"]]}, "query p has a gap"),
        ({"scores": [[2, 1]]}, "numbers in the shape of ranked_ids"),
        ({"scores": [[1, 2], [1, 0]]}, "query p is not best first"),
        ({"scores": [[np.nan, 2], [1, 0]]}, "a score that is not a number"),
        ({"seed": 0.5}, "seed is a whole number"),
    ],
)
def test_rankings_that_do_not_fit_are_explained(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_run(saved(tmp_path, **RANKINGS | change))


def test_one_kind_is_told_from_the_other(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give it by --features"):
        read_run(saved(tmp_path, **FEATURES))
    with pytest.raises(DataError, match="give it by --run"):
        read_features(saved(tmp_path, **RANKINGS))


def test_rankings_without_scores_and_by_numbers(tmp_path: Path) -> None:
    run = read_run(saved(tmp_path, **RANKINGS))
    assert run.method == "mine"
    assert run.rankings == {Key("p"): Ranking("ab", [0, -1]), Key("q"): Ranking("c", [0])}
    numbers = {"query_ids": [1, 2], "ranked_ids": [[31, 42], [7, -1]], "scores": [[0.5, 0.25], [1, 0]]}
    assert read_run(saved(tmp_path, **numbers)).rankings == {
        Key("1"): Ranking(["31", "42"], [0.5, 0.25]),
        Key("2"): Ranking(["7"], [1]),
    }


names = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), min_size=1, max_size=6)


@st.composite
def rankings(draw: st.DrawFn, width: Any) -> dict[Key, Ranking]:
    found = {}
    for name in draw(st.lists(names.filter(lambda name: not set(name) & set("@~")), max_size=3, unique=True)):
        ids = draw(st.lists(names, max_size=4, unique=True))
        scores = draw(st.lists(st.floats(-9, 9, width=width), min_size=len(ids), max_size=len(ids)))
        kind = np.float32 if width == 32 else np.float64
        found[Key(name, draw(st.integers(1, 3)))] = Ranking(ids, np.array(sorted(scores, reverse=True), kind))
    return found


@settings(max_examples=60, deadline=None)
@given(rankings(32), rankings(64))
def test_a_run_saved_as_arrays_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, whole: dict[Key, Ranking], subsets: dict[Key, Ranking]
) -> None:
    run = Run(method="m", rankings=whole, subsets=subsets, seed=2, protocol="toy val", fingerprint="f:1")
    path = tmp_path_factory.mktemp("run") / "run.npz"
    assert read_run(save_run(run, path)) == run


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_file_is_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp()
    good = saved(folder, **FEATURES).read_bytes()
    bad = bytearray(good)
    for _ in range(data.draw(st.integers(1, 8))):
        bad[data.draw(st.integers(0, len(bad) - 1))] = data.draw(st.integers(0, 255))
    path = folder / "bad.npz"
    path.write_bytes(bad[: data.draw(st.integers(0, len(bad)))])
    for read in (read_features, read_run):
        with contextlib.suppress(CircletError):
            read(path)


def test_what_is_no_file_of_arrays_is_told(tmp_path: Path) -> None:
    for content in (b"", b"hello", b"PK\x03\x04"):
        (tmp_path / "x.npz").write_bytes(content)
        with pytest.raises(DataError, match=r"x\.npz: not a file"):
            read_run(tmp_path / "x.npz")
    np.save((tmp_path / "x.npz").open("wb"), np.ones(3))
    with pytest.raises(DataError, match="one array, not several"):
        read_run(tmp_path / "x.npz")
    with pytest.raises(UsageError, match="No such file"):
        read_features(tmp_path / "none.npz")
    with pytest.raises(UsageError, match="cannot be written there"):
        write_npz_run(Run(method="m"), tmp_path)
