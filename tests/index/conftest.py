"""Every store there is; each must pass test_contract.py. A new store adds one line to STORES."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from circlet.core import Vectors, unit
from circlet.index import Entry, Store, open_store
from circlet.testing import MemoryStore

STORES: dict[str, Callable[..., Store]] = {
    "embedded": open_store,
    "memory": MemoryStore.open,
    "milvus": open_store,
}


@pytest.fixture(params=STORES)
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Store]]:
    """Opens the same store again and again, for writing or for reading; closes what was opened."""
    # A server is started only where it is asked for; what was opened is closed before it is emptied.
    place = request.getfixturevalue("milvus_place") if request.param == "milvus" else tmp_path / "store"
    opened: list[Store] = []

    def open_it(write: bool = False) -> Store:
        opened.append(STORES[request.param](place, write=write))
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., Store]) -> Store:
    return open_store(write=True)


@pytest.fixture
def entry() -> Callable[..., Entry]:
    """An entry that differs from the others only in what the test is about."""

    def make(path: str, hash: str | None = None, **other: object) -> Entry:
        values: dict[str, object] = {"size": 10, "mtime_ns": 10**18, "width": 40, "height": 30, **other}
        return Entry(path=path, hash=hash or f"hash of {path}", **values)  # type: ignore[arg-type]

    return make


@pytest.fixture
def rows() -> Callable[..., Vectors]:
    """Seeded unit rows."""

    def make(count: int, dim: int = 8, seed: int = 0) -> Vectors:
        return unit(np.random.default_rng(seed).normal(size=(count, dim)))

    return make
