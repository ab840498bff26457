"""The approximate index: built by itself, right where it counts, and never in the way of the truth."""

from pathlib import Path

import numpy as np
import pytest

from circlet.core import Vectors, unit
from circlet.index import Entry, Filters
from circlet.index.embedded import approximate, embedded
from circlet.index.embedded.embedded import Embedded

pytest.importorskip("faiss")
TOY = "toy:1"
COUNT, DIM = 6000, 32


def entries(start: int, stop: int) -> list[Entry]:
    return [Entry(f"/p/{i % 4}/{i}.jpg", 1, 10**18, f"{i:x}", i % 3 + 1, 2) for i in range(start, stop)]


def like_pictures(count: int) -> Vectors:
    """Clusters, as a collection has them: on points without any structure no index is of use."""
    random = np.random.default_rng(0)
    centres = random.normal(size=(60, DIM))
    return unit(centres[random.integers(60, size=count)] + 0.5 * random.normal(size=(count, DIM)))


@pytest.fixture(scope="module")
def vectors() -> Vectors:
    return like_pictures(COUNT + 900)


@pytest.fixture
def large(tmp_path: Path, vectors: Vectors) -> Path:
    with Embedded.open(tmp_path, write=True, approximate_from=1000) as store:
        store.add(entries(0, COUNT), vectors[:COUNT], TOY)
    return tmp_path


def both(folder: Path) -> tuple[Embedded, Embedded]:
    return Embedded.open(folder, approximate_from=1000), Embedded.open(folder, approximate_from=10**9)


def recall(near: Embedded, exact: Embedded, queries: Vectors, **options: object) -> float:
    pairs = zip(
        near.space(TOY).search(queries, **options), exact.space(TOY).search(queries, **options), strict=True
    )
    shares = []
    for found, true in pairs:
        assert len(found) == len(true)
        shares.append(len(set(found.ids) & set(true.ids)) / len(true))
    return float(np.mean(shares))


def test_it_finds_what_exact_search_finds(large, vectors) -> None:
    near, exact = both(large)
    queries = unit(vectors[:100] + vectors[500:600])
    assert recall(near, exact, queries, top=10) > 0.95
    assert near._approximate, "the approximate index was not used"
    assert recall(near, exact, queries, top=10, filters=Filters(orientation="portrait")) > 0.95
    assert recall(near, exact, queries, top=10, filters=Filters(folder="/p/1")) > 0.95
    nearest = exact.space(TOY).search(queries, top=50)
    assert recall(near, exact, queries, top=10, exclude=[ranking.ids for ranking in nearest]) > 0.9
    assert recall(near, exact, queries[:3], top=2000) == 1


def test_scores_are_those_of_the_stored_vectors(large, vectors) -> None:
    near, _ = both(large)
    [ranking] = near.space(TOY).search(vectors[:1], top=5)
    np.testing.assert_allclose(
        ranking.scores, near.space(TOY).vectors_of(ranking.ids) @ vectors[0], atol=1e-6
    )


def test_what_came_after_it_is_found_and_what_went_is_not(large, vectors) -> None:
    near, exact = both(large)
    near.space(TOY).search(vectors[:1])
    with Embedded.open(large, write=True) as store:
        store.add(entries(COUNT, COUNT + 100), vectors[COUNT : COUNT + 100], TOY)
        store.forget([entry.path for entry in entries(0, 200)])
    assert near.space(TOY).search(vectors[COUNT : COUNT + 1], top=1)[0].ids == (
        entries(COUNT, COUNT + 1)[0].path,
    )
    gone = {entry.path for entry in entries(0, 200)}
    for ranking in near.space(TOY).search(vectors[:200], top=20):
        assert not gone & set(ranking.ids)
    assert recall(near, exact, vectors[:200], top=10) > 0.95
    assert near._approximate, "the approximate index was not used"


def test_it_grows_with_the_store_and_follows_a_rewrite(large, vectors) -> None:
    [first] = large.glob("*.codes")
    with Embedded.open(large, write=True, approximate_from=1000) as store:
        store.add(entries(COUNT, COUNT + 900), vectors[COUNT:], TOY)
    [second] = large.glob("*.codes")
    assert (first.stem.rpartition("-")[2], second.stem.rpartition("-")[2]) == ("6000", "6900")
    with Embedded.open(large, write=True, approximate_from=1000) as store:
        store.forget([entry.path for entry in entries(0, 1500)])
    near, exact = both(large)
    assert recall(near, exact, vectors[1500:1600], top=10) > 0.95
    assert near._approximate
    assert near.counts().spaces[TOY].approximate == 5400


def test_what_came_later_is_added_without_laying_out_anew(large, vectors, monkeypatch) -> None:
    def refuse(_: Vectors) -> None:
        raise AssertionError("the lists were laid out again")

    monkeypatch.setattr(approximate, "_laid_out", refuse)
    with Embedded.open(large, write=True, approximate_from=1000) as store:
        store.add(entries(COUNT, COUNT + 900), vectors[COUNT:], TOY)
    near, exact = both(large)
    assert recall(near, exact, vectors[COUNT - 50 : COUNT + 50], top=10) > 0.95
    assert near.counts().spaces[TOY].approximate == COUNT + 900


def test_what_was_half_written_is_never_read(large, vectors, monkeypatch) -> None:
    [good] = large.glob("*.codes")
    write = approximate._faiss().write_index

    def killed(index: object, path: str) -> None:
        write(index, path)
        Path(path).write_bytes(Path(path).read_bytes()[:5000])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(approximate._faiss(), "write_index", killed)
        store = Embedded.open(large, write=True, approximate_from=1000)
        store.add(entries(COUNT, COUNT + 900), vectors[COUNT:], TOY)
        with pytest.raises(KeyboardInterrupt):
            store.close()
    (large / f"{good.stem}.codes.00ff.part").write_bytes(good.read_bytes()[:5000])
    near, exact = both(large)
    assert near.counts().spaces[TOY].approximate == COUNT
    assert recall(near, exact, vectors[COUNT - 50 : COUNT + 50], top=10) > 0.95
    assert near._approximate


def test_the_library_is_loaded_when_searches_have_cost_as_much(large, vectors, monkeypatch) -> None:
    monkeypatch.setattr(embedded, "PAYS_FROM", 1000)
    monkeypatch.setattr(embedded, "LOADING", 3 * COUNT * DIM)
    with Embedded.open(large) as store:
        used = []
        for _ in range(4):
            store.space(TOY).search(vectors[:1], top=1)
            used.append(bool(store._approximate))
    assert used == [False, False, True, True]


def test_what_is_only_looked_up_gets_none(tmp_path, vectors) -> None:
    with Embedded.open(tmp_path, write=True, approximate_from=1000) as store:
        store.add(entries(0, COUNT), vectors[:COUNT], TOY, searched=False)
    assert list(tmp_path.glob("*.codes")) == []
    with Embedded.open(tmp_path, approximate_from=1000) as store:
        assert store.space(TOY).search(vectors[:1], top=1)[0].ids == (entries(0, 1)[0].path,)


def test_equal_stores_get_equal_indexes(large, vectors, tmp_path_factory) -> None:
    other = tmp_path_factory.mktemp("twin")
    with Embedded.open(other, write=True, approximate_from=1000) as store:
        store.add(entries(0, COUNT), vectors[:COUNT], TOY)
    [one], [two] = large.glob("*.codes"), other.glob("*.codes")
    assert one.read_bytes() == two.read_bytes()


def test_a_damaged_index_is_passed_by(large, vectors) -> None:
    [path] = large.glob("*.codes")
    path.write_bytes(path.read_bytes()[:1000])
    near, exact = both(large)
    assert recall(near, exact, vectors[:20], top=10) == 1
    with Embedded.open(large, write=True, approximate_from=1000) as store:
        store.add(entries(COUNT, COUNT + 900), vectors[COUNT:], TOY)
    near, exact = both(large)
    assert recall(near, exact, vectors[:50], top=10) > 0.95
    assert near._approximate


def test_where_it_does_not_pay_search_stays_exact(tmp_path) -> None:
    random = unit(np.random.default_rng(0).normal(size=(3000, 256)))
    with Embedded.open(tmp_path, write=True, approximate_from=1000) as store:
        store.add(entries(0, 3000), random, TOY)
    near, exact = both(tmp_path)
    assert recall(near, exact, random[:50], top=10) == 1
    assert list(near._approximate.values()) == [None]


def test_without_the_library_search_is_exact(large, vectors, monkeypatch) -> None:
    monkeypatch.setattr(approximate, "_faiss", lambda: None)
    near, exact = both(large)
    assert recall(near, exact, vectors[:20], top=10) == 1
    with Embedded.open(large, write=True, approximate_from=1000) as store:
        store.add(entries(COUNT, COUNT + 900), vectors[COUNT:], TOY)
