"""A copy of a store in another: all of it, checked, gone on with after it was stopped anywhere."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from circlet.core import BusyError, StoreError, UsageError
from circlet.core.marks import KEPT, KINDS, PEOPLE, Mark, marks_of
from circlet.index import Store, open_store, transfer

from .conftest import STORES

TOY, WIDE, TINY = "toy:1", "wide:2", "tiny:1"
Opens = Callable[..., Store]


@pytest.fixture
def opens(tmp_path: Path) -> Iterator[Opens]:
    """Opens a store by kind and name; closes what was opened."""
    opened: list[Store] = []

    def open_it(kind: str, name: str, write: bool = True) -> Store:
        opened.append(STORES[kind](tmp_path / kind / name, write=write))
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()


@pytest.fixture
def filled(opens: Opens, entry: Any, rows: Any) -> Callable[..., Store]:
    """A store with two roots, three encoders of which one has not seen all, marks and broken files."""

    def fill(kind: str, name: str = "source") -> Store:
        store = opens(kind, name)
        store.add_root("/p")
        store.add_root("/q/deep")
        entries = [entry(f"/p/{i:02d}.jpg", width=100 + i) for i in range(23)]
        entries += [entry("/q/deep/a.jpg"), entry("/q/deep/b.jpg", taken=None)]
        store.add(entries, rows(25), TOY)
        store.add(entries[:7], rows(7, dim=4, seed=1), WIDE)
        store.add(entries, rows(25, dim=3, seed=2), TINY, searched=False)
        store.mark(PEOPLE, {"/p/03.jpg": Mark("faces:1", 2, detail="[[0.9, 0.2]]")})  # type: ignore[attr-defined]
        store.mark(KEPT, {"/p/03.jpg": Mark("person", 1), "/q/deep/a.jpg": Mark("person", 0)})  # type: ignore[attr-defined]
        store.note_broken("/p/bad.jpg", "it ends too early", size=12, mtime_ns=34)
        return store

    return fill


def everything(store: Store) -> dict[str, Any]:
    """All that a store says of itself, vectors as bytes."""
    paths = [path for root in store.roots() for path, _ in store.walk(root)]
    spaces = {name: [p for p in paths if p in store.having(paths, name)] for name in store.fingerprints()}
    return {
        "entries": sorted(map(repr, store.entries(paths))),
        "vectors": {n: (ids, store.space(n).vectors_of(ids).tobytes()) for n, ids in spaces.items()},
        "searched": {name: space.searched for name, space in store.counts().spaces.items()},
        "marks": {kind: marks_of(store.space(TOY), paths, kind) for kind in KINDS},
        "broken": {root: store.broken(root) for root in store.roots()},
        "roots": store.roots(),
        "pictures": store.counts().pictures,
        "rows": {name: space.pictures for name, space in store.counts().spaces.items()},
    }


PAIRS = [("embedded", "memory"), ("memory", "embedded"), ("embedded", "embedded")]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_a_copy_is_the_same_in_all_that_a_store_says(filled: Any, opens: Opens, one: str, other: str) -> None:
    source, target = filled(one), opens(other, "target")
    before, told = everything(source), []
    copied = transfer(source, target, page=4, progress=lambda done, total: told.append((done, total)))
    assert everything(target) == before == everything(source)
    assert (copied.pictures, copied.written, copied.vectors) == (25, 25, 57)
    assert (copied.marks, copied.broken, copied.roots, copied.bare) == (3, 1, 2, 0)
    assert told == [(4, 25), (8, 25), (12, 25), (16, 25), (20, 25), (24, 25), (25, 25)]
    assert target.verify() == []
    # The second run finds all of it there, and the copy's copy has the same checksum.
    again = transfer(source, target, page=7)
    assert again == replace(copied, written=0)
    assert transfer(target, opens(one, "third")).checksum == copied.checksum


def test_to_a_server_and_back_is_the_same_bit_for_bit(filled: Any, opens: Opens, milvus_place: str) -> None:
    source = filled("embedded")
    wanted = everything(source)
    with open_store(milvus_place, write=True) as server:
        # Killed in the middle, then gone on with.
        with pytest.raises(Stopped):
            transfer(source, Mortal(server, 6, done=True), page=10)  # type: ignore[arg-type]
        copied = transfer(source, server, page=10)
        assert copied.written < 25
        assert everything(server) == wanted
        assert server.verify() == []
        assert transfer(source, server, page=10) == replace(copied, written=0)
    with open_store(milvus_place) as server:
        back = opens("embedded", "back")
        assert transfer(server, back).checksum == copied.checksum
    assert everything(back) == wanted


class Stopped(Exception):
    """The moment a process is killed, in a test."""


class Mortal:
    """A store whose process dies at the n-th write, before or after it is done."""

    def __init__(self, store: Store, writes: int, *, done: bool) -> None:
        self.store, self.left, self.done = store, writes, done

    def __getattr__(self, name: str) -> Any:
        held = getattr(self.store, name)
        if name not in {"add", "forget", "mark", "note_broken", "add_root"}:
            return held

        def writing(*args: Any, **options: Any) -> Any:
            self.left -= 1
            if self.left < 0 and not self.done:
                raise Stopped
            answer = held(*args, **options)
            if self.left < 0:
                raise Stopped
            return answer

        return writing


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("other", ["embedded", "memory"])
def test_a_copy_that_was_killed_at_any_write_goes_on(
    filled: Any, opens: Opens, other: str, done: bool
) -> None:
    source = filled("memory")
    wanted, writes = everything(source), 0
    while True:
        target = opens(other, f"target-{writes}")
        try:
            transfer(source, Mortal(target, writes, done=done), page=10)  # type: ignore[arg-type]
        except Stopped:
            assert target.counts().pictures <= 25
            rest = transfer(source, target, page=10)
            assert everything(target) == wanted
            assert rest.pictures == 25
            # Pages that were whole are not written again: 8 + 3 writes for the first ten pictures.
            assert rest.written <= 25 - 10 * (writes > 13)
            writes += 1
        else:
            break
    assert writes > 10


def test_what_changed_in_the_source_is_brought_up_to_date(
    filled: Any, opens: Opens, entry: Any, rows: Any
) -> None:
    source, target = filled("embedded"), opens("embedded", "target")
    transfer(source, target)
    source.add([entry("/p/05.jpg", "painted over")], rows(1, seed=9), TOY)
    source.mark(KEPT, {"/p/06.jpg": Mark("person", 1)})
    source.note_broken("/p/worse.jpg", "it is empty")
    target.note_broken("/p/better.jpg", "it was empty once")
    assert transfer(source, target).written == 2
    assert everything(target) == everything(source)


@pytest.mark.parametrize(
    ("strange", "named"),
    [
        (lambda store, entry, rows: store.add([entry("/p/own.jpg")], rows(1), TOY), "/p/own.jpg"),
        (lambda store, entry, rows: store.add_root("/other"), "the folder /other"),
        (lambda store, entry, rows: store.add([entry("/p/01.jpg")], rows(1), "clip"), "the encoder clip"),
    ],
)
def test_a_store_with_something_else_in_it_is_left_alone(
    filled: Any, opens: Opens, entry: Any, rows: Any, strange: Any, named: str
) -> None:
    source, target = filled("embedded"), opens("embedded", "target")
    strange(target, entry, rows)
    before = (target.roots(), target.counts())
    with pytest.raises(UsageError, match=rf"holds something else \({named}\): name one that is empty"):
        transfer(source, target)
    assert (target.roots(), target.counts()) == before


def test_a_copy_that_comes_back_changed_is_an_error(filled: Any, opens: Opens) -> None:
    class Forgetful:
        """A store that loses the last bit of a number."""

        def __init__(self, store: Store) -> None:
            self.store = store

        def __getattr__(self, name: str) -> Any:
            return getattr(self.store, name)

        def add(self, entries: Any, vectors: Any, fingerprint: str, *, searched: bool = True) -> None:
            self.store.add(entries, np.nextafter(vectors, 2), fingerprint, searched=searched)

    target = Forgetful(opens("embedded", "target"))
    with pytest.raises(StoreError, match=r"^/p/00\.jpg: the copy gave back something else than was written"):
        transfer(filled("embedded"), target)  # type: ignore[arg-type]


def test_a_source_that_grows_meanwhile_is_told(filled: Any, opens: Opens, entry: Any, rows: Any) -> None:
    source, target = filled("memory"), opens("memory", "target")

    def grow(done: int, total: int | None) -> None:
        if done == 25:
            source.add([entry("/p/new.jpg")], rows(1), TOY)

    with pytest.raises(BusyError, match="changed while it was copied: run the same command again"):
        transfer(source, target, progress=grow)
    assert transfer(source, target).written == 1


def test_pictures_whose_vectors_a_repair_dropped_are_counted(
    filled: Any, opens: Opens, tmp_path: Path
) -> None:
    source = filled("embedded")
    source.close()
    for file in (tmp_path / "embedded" / "source").glob("vectors-*.f32"):
        file.unlink()
    source = opens("embedded", "source")
    source.repair()
    copied = transfer(source, opens("memory", "target"))
    assert (copied.bare, copied.pictures, copied.vectors) == (25, 0, 0)


def test_an_empty_store_is_copied_too(opens: Opens) -> None:
    copied = transfer(opens("embedded", "source"), opens("memory", "target"))
    assert (copied.pictures, copied.checksum) == (0, "0" * 32)
