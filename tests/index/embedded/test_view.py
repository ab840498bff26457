"""How much of the catalogue is read, counted in SQLite's own steps: a clock would tell of the machine."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from circlet.core import unit
from circlet.index import Entry, Filters
from circlet.index.embedded import catalogue, view
from circlet.index.embedded.embedded import Embedded

TOY = "toy:1"
SMALL, LARGE, FOLDER = 600, 6000, 20


def entry(number: int) -> Entry:
    taken = datetime(2015 + number % 9, 1, 1) if number % 2 else None
    return Entry(
        f"/p/{number // FOLDER}/{number}.jpg", 1, number * 10**15, f"{number:x}", 1 + number % 3, 2, taken
    )


def filled(folder: Path, count: int) -> Path:
    rows = unit(np.random.default_rng(0).standard_normal((count, 8)))
    with Embedded.open(folder, write=True) as store:
        for start in range(0, count, 600):
            store.add([entry(start + at) for at in range(600)], rows[start : start + 600], TOY)
    return folder


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    small, large = (filled(tmp_path_factory.mktemp("store"), count) for count in (SMALL, LARGE))
    return small, large


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    """How many steps SQLite made, in every connection that is opened meanwhile."""
    steps = itertools.count()
    total = [0]

    def step() -> int:
        total[0] = next(steps)
        return 0

    opened = catalogue.Catalogue._open

    def watched(self: catalogue.Catalogue, mode: str) -> catalogue.Connection:
        db = opened(self, mode)
        db.set_progress_handler(step, 1)
        return db

    with monkeypatch.context() as patch:
        patch.setattr(catalogue.Catalogue, "_open", watched)
        yield lambda: total[0]


def open_it(store: Embedded) -> None:
    assert len(store.space(TOY)) >= SMALL


def search_all(store: Embedded) -> None:
    assert len(store.space(TOY).search(np.ones((1, 8), np.float32), top=20)[0].ids) == 20


def search_a_folder(store: Embedded) -> None:
    inside = Filters(folder="/p/7", after=datetime(2016, 1, 1))
    assert store.space(TOY).search(np.ones((1, 8), np.float32), filters=inside)[0].ids


@pytest.mark.parametrize("work", [open_it, search_all, search_a_folder])
def test_it_takes_no_more_steps_in_a_store_ten_times_as_large(stores, monkeypatch, work) -> None:
    steps = []
    for folder in stores:
        with counted(monkeypatch) as so_far, Embedded.open(folder) as store:
            work(store)
            steps.append(so_far())
    assert 0 < steps[1] <= 1.3 * steps[0]


def test_adding_a_batch_takes_no_more_steps_in_a_larger_store(tmp_path, monkeypatch) -> None:
    rows = unit(np.random.default_rng(1).standard_normal((600, 8)))
    with counted(monkeypatch) as so_far, Embedded.open(tmp_path, write=True) as store:
        before, steps = so_far(), []
        for start in range(0, 6000, 600):
            store.add([entry(start + at) for at in range(600)], rows, TOY)
            steps.append(so_far() - before)
            before = so_far()
    assert steps[-1] <= 1.3 * steps[1]


@pytest.mark.parametrize(
    "filters",
    [
        Filters(folder="/p/3"),
        Filters(folder="/p/3/"),
        Filters(folder="/p"),
        Filters(folder="/p/30/600.jpg"),
        Filters(folder="/nowhere"),
        Filters(folder="/p/3", after=datetime(2018, 1, 1), before=datetime(2021, 1, 1)),
        Filters(folder="/p/3", orientation="portrait", min_size=2),
        Filters(folder="/p/3", max_size=2, orientation="landscape"),
    ],
)
def test_a_folder_that_is_looked_up_gives_what_going_through_all_gives(stores, monkeypatch, filters) -> None:
    def passing() -> list[int]:
        with Embedded.open(stores[1]) as store, store.reading() as db:
            return np.flatnonzero(store.view(db, TOY).mask(db, filters)).tolist()

    looked_up = passing()
    monkeypatch.setattr(view, "_INSIDE", -1)
    assert passing() == looked_up
