"""Whatever is done to a store in whatever order, it answers as a plain dictionary would."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.milvus import emptied

from circlet.core import unit
from circlet.index import Entry, Filters, Store, open_store
from circlet.testing import whole

SPACES = {"toy:1": 6, "wide:2": 9}
NAMES = st.sampled_from([f"/p/{folder}/{name}.jpg" for folder in ("a", "ab", "b") for name in "xyzw"])


class AgainstADictionary(RuleBasedStateMachine):
    """The dictionary holds, for each path, its entry and its vector in each space."""

    def __init__(self, place: str, empty: Callable[[str], None]) -> None:
        super().__init__()
        self.place, self.empty = place, empty
        self.store = open_store(place, write=True)
        self.reader: Store | None = None
        self.random = np.random.default_rng(0)
        self.entries: dict[str, Entry] = {}
        self.vectors: dict[str, dict[str, np.ndarray]] = {name: {} for name in SPACES}
        self.broken: set[str] = set()
        self.made: set[str] = set()
        self.versions = 0

    def teardown(self) -> None:
        self.store.close()
        if self.reader:
            self.reader.close()
        self.empty(self.place)

    def entry(self, path: str, hash: str) -> Entry:
        self.versions += 1
        return Entry(path, self.versions, 10**18, hash, int(self.random.integers(1, 4)), 2)

    def drop(self, path: str) -> None:
        self.entries.pop(path, None)
        for rows in self.vectors.values():
            rows.pop(path, None)

    @rule(
        paths=st.lists(NAMES, min_size=1, max_size=4, unique=True),
        space=st.sampled_from(list(SPACES)),
        changed=st.booleans(),
    )
    def add(self, paths: list[str], space: str, changed: bool) -> None:
        rows = unit(self.random.normal(size=(len(paths), SPACES[space])))
        batch = []
        for path, row in zip(paths, rows, strict=True):
            old = self.entries.get(path)
            hash = old.hash if old and not changed else f"content {self.versions} of {path}"
            if old and old.hash != hash:
                self.drop(path)
            batch.append(self.entry(path, hash))
            self.entries[path] = batch[-1]
            self.vectors[space][path] = row
            self.broken.discard(path)
        self.made.add(space)
        self.store.add(batch, rows, space)

    @rule(paths=st.lists(NAMES, max_size=4))
    def forget(self, paths: list[str]) -> None:
        assert self.store.forget(paths) == len(self.entries.keys() & set(paths))
        for path in paths:
            self.drop(path)
            self.broken.discard(path)

    @precondition(lambda self: self.entries)
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        old = data.draw(st.lists(st.sampled_from(sorted(self.entries)), min_size=1, max_size=3, unique=True))
        new = data.draw(st.lists(NAMES, min_size=len(old), max_size=len(old), unique=True))
        pairs = [(a, self.entry(b, self.entries[a].hash)) for a, b in zip(old, new, strict=True)]
        self.store.moved(pairs)
        kept = {name: {b.path: rows[a] for a, b in pairs if a in rows} for name, rows in self.vectors.items()}
        for path in (*old, *new):
            self.drop(path)
            self.broken.discard(path) if path in new else None
        for _, entry in pairs:
            self.entries[entry.path] = entry
        for name, rows in kept.items():
            self.vectors[name].update(rows)

    @rule(path=NAMES)
    def break_(self, path: str) -> None:
        self.store.note_broken(path, "cut short")
        self.drop(path)
        self.broken.add(path)

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = open_store(self.place, write=True)

    @precondition(lambda self: hasattr(self.store, "tidy"))
    @rule()
    def tidy(self) -> None:
        self.store.tidy()

    @invariant()
    def answers_as_the_dictionary(self) -> None:
        self.reader = self.reader or open_store(self.place)
        assert self.reader.verify() == []
        assert {p: k.hash for p, k in dict(self.reader.walk("/p")).items()} == {
            p: e.hash for p, e in self.entries.items()
        }
        assert self.reader.entries(sorted(self.entries)) == [self.entries[p] for p in sorted(self.entries)]
        assert set(self.reader.broken("/p")) == self.broken
        for space in self.made:
            self.check(space, None, set(self.vectors[space]))
            inside = {path for path in self.vectors[space] if path.startswith("/p/a/")}
            self.check(space, Filters(folder="/p/a"), inside)
            wide = {p for p in self.vectors[space] if self.entries[p].width > self.entries[p].height}
            self.check(space, Filters(orientation="landscape"), wide)

    def check(self, space: str, filters: Filters | None, expected: set[str]) -> None:
        assert self.reader
        query = unit(np.ones((1, SPACES[space])))
        [ranking] = self.reader.space(space).search(query, filters=filters)
        assert set(ranking.ids) == expected
        gallery = whole(self.reader.space(space), filters)
        assert set(gallery.ids) == expected
        for path, score in ranking:
            np.testing.assert_array_equal(gallery.vectors_of([path])[0], self.vectors[space][path])
            assert abs(score - float(self.vectors[space][path] @ query[0])) < 1e-5
        assert sorted(ranking.scores, reverse=True) == list(ranking.scores)


def test_the_embedded_store_against_a_dictionary(tmp_path: Path) -> None:
    run_state_machine_as_test(
        lambda: AgainstADictionary(tempfile.mkdtemp(dir=tmp_path), shutil.rmtree),
        settings=settings(max_examples=25, stateful_step_count=20, deadline=None),
    )


def test_a_milvus_store_against_a_dictionary(milvus: str) -> None:
    run_state_machine_as_test(
        lambda: AgainstADictionary(f"{milvus}/model", emptied),
        settings=settings(max_examples=4, stateful_step_count=12, deadline=None),
    )
