"""The embedded store when things go wrong: torn appends, lost files, full disks, other versions."""

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

import circlet
from circlet.core import BusyError, StoreError
from circlet.core.marks import PEOPLE, Mark
from circlet.index import Filters, key_of
from circlet.index.embedded import catalogue, lock, schema, upkeep, vectorfile
from circlet.index.embedded.embedded import Embedded
from circlet.testing import whole

TOY = "toy:1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def filled(folder, entry, rows) -> Path:
    """A store of three batches of four pictures."""
    with Embedded.open(folder, write=True) as store:
        for start in range(0, 12, 4):
            batch = [entry(f"/p/{i}.jpg") for i in range(start, start + 4)]
            store.add(batch, rows(12)[start : start + 4], TOY)
    return folder


def vector_file(folder: Path) -> Path:
    [path] = folder.glob("vectors-*.f32")
    return path


def test_a_missing_index_says_what_to_do(folder) -> None:
    with pytest.raises(StoreError, match=r"no index at .*: run `circlet index FOLDER` first"):
        Embedded.open(folder)
    assert not folder.exists()


def test_an_index_that_is_just_being_made_is_none_yet(folder) -> None:
    folder.mkdir()
    sqlite3.connect(folder / catalogue.FILE).execute("PRAGMA journal_mode = WAL").close()
    with pytest.raises(StoreError, match="there is no index at"):
        Embedded.open(folder)
    Embedded.open(folder, write=True).close()
    assert Embedded.open(folder).roots() == []


def test_a_disk_that_cannot_lock_is_not_another_writer(folder, monkeypatch) -> None:
    def fail(handle: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock, "_take", fail)
    with pytest.raises(StoreError, match="cannot be used: no locks available") as caught:
        Embedded.open(folder, write=True)
    assert not isinstance(caught.value, BusyError)


def test_a_torn_append_is_harmless(filled, entry, rows) -> None:
    with vector_file(filled).open("ab") as file:
        file.write(b"half a vector of a batch that was never finish")
    with Embedded.open(filled, write=True) as store:
        assert store.verify() == []
        store.add([entry("/p/new.jpg")], rows(1, seed=7), TOY)
        assert store.verify() == []
        assert store.space(TOY).search(rows(1, seed=7), top=1)[0].ids == ("/p/new.jpg",)


@pytest.mark.parametrize("left", [0, 5, None])
def test_lost_vectors_are_told_and_made_again(filled, entry, rows, left) -> None:
    path = vector_file(filled)
    if left is None:
        path.unlink()
    else:
        os.truncate(path, left * 8 * 4 + 3)
    reader = Embedded.open(filled)
    [line] = reader.verify()
    assert line.endswith(f"{12 - (left or 0)} of 12 vectors are gone: `circlet index` makes them again")
    with pytest.raises(StoreError, match=r"shorter than the catalogue says: `circlet verify` tells"):
        reader.space(TOY).search(rows(1))
    reader.close()
    with Embedded.open(filled, write=True) as store:
        assert store.verify() == []
        known = dict(store.walk("/p", TOY))
        # Of a batch that is not whole nothing can be trusted: the first is, the second is cut.
        assert set(known) == {f"/p/{i}.jpg" for i in range(4 if left else 0)}
        assert len(dict(store.walk("/p"))) == 12
        lost = [i for i in range(12) if f"/p/{i}.jpg" not in known]
        store.add([entry(f"/p/{i}.jpg") for i in lost], rows(12)[lost], TOY)
        assert store.verify() == []
        np.testing.assert_array_equal(store.space(TOY).vectors_of(["/p/11.jpg"]), rows(12)[11:])


def test_a_flipped_bit_is_found_and_repaired(filled, rows) -> None:
    data = bytearray(vector_file(filled).read_bytes())
    data[5 * 8 * 4] ^= 1
    vector_file(filled).write_bytes(data)
    with Embedded.open(filled, write=True) as store:
        [line] = store.verify()
        assert "vectors 4 to 7 changed on the disk: `circlet verify --repair`" in line
        assert store.repair() == [line]
        assert store.verify() == []
        assert set(dict(store.walk("/p", TOY))) == {f"/p/{i}.jpg" for i in (0, 1, 2, 3, 8, 9, 10, 11)}
        assert "/p/5.jpg" not in store.space(TOY).search(rows(12)[5:6])[0].ids
    with Embedded.open(filled) as store:
        assert store.verify() == []


def test_a_rewrite_does_not_bless_what_is_damaged(filled) -> None:
    data = bytearray(vector_file(filled).read_bytes())
    data[-1] ^= 1
    vector_file(filled).write_bytes(data)
    with Embedded.open(filled, write=True) as store:
        store.forget([f"/p/{i}.jpg" for i in range(6)])
    with Embedded.open(filled, write=True) as store:
        assert store.counts().spaces[TOY].dead == 6
        [line] = store.verify()
        assert "vectors 8 to 11 changed on the disk" in line
        store.repair()
    with Embedded.open(filled) as store:
        assert store.verify() == []
        assert whole(store.space(TOY)).ids == ("/p/6.jpg", "/p/7.jpg")


def test_times_that_no_calendar_has_do_not_stop_it(folder, entry, rows) -> None:
    with Embedded.open(folder, write=True) as store:
        odd = [entry("/p/far.jpg", mtime_ns=10**20), entry("/p/old.jpg", mtime_ns=-(10**20))]
        store.add(odd, rows(2), TOY)
        store.add([entry("/p/big bang.jpg", taken=datetime(1, 1, 1))], rows(1, seed=2), TOY)
        assert store.entries(["/p/big bang.jpg"])[0].taken == datetime(1, 1, 1)
        assert len(whole(store.space(TOY), Filters(after=datetime(1960, 1, 1)))) == 2


def test_numbers_that_are_none_are_found(filled) -> None:
    vectors = np.fromfile(vector_file(filled), "<f4").reshape(12, 8)
    vectors[9, 2] = np.inf
    vectors.tofile(vector_file(filled))
    db = sqlite3.connect(filled / catalogue.FILE)
    db.execute("UPDATE batches SET digest = ? WHERE start = 8", (vectorfile.digest(vectors[8:]),))
    db.commit()
    db.close()
    with Embedded.open(filled) as store:
        [line] = store.verify()
        assert "vectors 8 to 11 hold values that are no numbers" in line


def test_a_catalogue_that_lost_rows_is_told(filled) -> None:
    db = sqlite3.connect(filled / catalogue.FILE)
    db.execute("DELETE FROM rows WHERE row = 3")
    db.execute("DELETE FROM pictures WHERE path = '/p/7.jpg'")
    db.commit()
    db.close()
    with Embedded.open(filled) as store:
        lost, orphan = store.verify()
    assert "12 vectors, but 11 listed and 0 dropped" in lost
    assert "1 vectors belong to no picture" in orphan


def test_an_index_of_a_newer_circlet_is_refused(filled) -> None:
    db = sqlite3.connect(filled / catalogue.FILE)
    db.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    db.close()
    for write in (False, True):
        with pytest.raises(StoreError, match=r"written by a newer circlet .*: update circlet"):
            Embedded.open(filled, write=write)


def test_an_index_of_format_1_is_migrated_by_a_writer(filled, rows) -> None:
    db = sqlite3.connect(filled / catalogue.FILE)
    db.execute("ALTER TABLE spaces DROP COLUMN searched")
    _without_marks(db)
    _without_keys(db)
    db.execute("PRAGMA user_version = 1")
    db.close()
    with pytest.raises(StoreError, match="older format: run `circlet index` once"):
        Embedded.open(filled)
    Embedded.open(filled, write=True).close()
    with Embedded.open(filled) as store:
        assert store.space(TOY).search(rows(1), top=1)[0].ids == ("/p/0.jpg",)
        assert store.verify() == []


def _without_marks(db: sqlite3.Connection) -> None:
    db.execute("DROP TABLE marks")


def _without_keys(db: sqlite3.Connection) -> None:
    db.execute("DROP INDEX pictures_by_key")
    db.execute("ALTER TABLE pictures DROP COLUMN key")


def test_an_index_of_format_2_is_read_as_it_is_and_migrated_by_a_writer(filled, rows) -> None:
    db = sqlite3.connect(filled / catalogue.FILE)
    _without_marks(db)
    _without_keys(db)
    db.execute("PRAGMA user_version = 2")
    db.close()
    key = key_of("/p/3.jpg")
    with Embedded.open(filled) as store:
        assert store.space(TOY).search(rows(1), top=1)[0].ids == ("/p/0.jpg",)
        assert store.named([key, 7]) == {key: "/p/3.jpg"}
    Embedded.open(filled, write=True).close()
    with Embedded.open(filled) as store:
        assert store.named([key, 7]) == {key: "/p/3.jpg"}
        assert store.verify() == []
    db = sqlite3.connect(filled / catalogue.FILE)
    assert db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)


def _with_one_index_of_all_keys(db: sqlite3.Connection) -> None:
    db.execute("DROP INDEX pictures_by_key")
    db.execute("CREATE INDEX pictures_by_key ON pictures (key)")
    db.execute("CREATE INDEX pictures_by_hash ON pictures (hash)")


def test_an_index_of_format_4_is_read_as_it_is_and_migrated_by_a_writer(filled) -> None:
    db = sqlite3.connect(filled / catalogue.FILE)
    _with_one_index_of_all_keys(db)
    db.execute("PRAGMA user_version = 4")
    db.close()
    key = key_of("/p/3.jpg")
    for write in (False, True, False):
        with Embedded.open(filled, write=write) as store:
            assert store.named([key, 7]) == {key: "/p/3.jpg"}
            assert store.verify() == []
    db = sqlite3.connect(filled / catalogue.FILE)
    assert db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
    assert not db.execute("SELECT * FROM sqlite_master WHERE name = 'pictures_by_hash'").fetchall()


def test_keys_are_found_by_the_index_in_every_block(filled) -> None:
    db = sqlite3.connect(filled / catalogue.FILE)
    db.execute("UPDATE pictures SET id = id + (3 << 16) WHERE path = '/p/3.jpg'")
    db.commit()
    plan = db.execute("EXPLAIN QUERY PLAN " + schema.by_keys(db), (1,)).fetchall()
    assert "pictures_by_key (<expr>=? AND key=?)" in str(plan)
    db.close()
    keys = {key_of(path): path for path in ("/p/3.jpg", "/p/0.jpg")}
    with Embedded.open(filled) as store:
        assert store.named([*keys, 7]) == keys


def test_an_index_of_format_3_is_read_without_marks_and_has_them_after_a_writer(filled, rows) -> None:
    db = sqlite3.connect(filled / catalogue.FILE)
    _without_marks(db)
    _with_one_index_of_all_keys(db)
    db.execute("PRAGMA user_version = 3")
    db.close()
    with Embedded.open(filled) as store:
        space = store.space(TOY)
        assert space.search(rows(1), top=1)[0].ids == ("/p/0.jpg",)
        assert (space.marks_of(["/p/0.jpg"], PEOPLE), store.marked(PEOPLE)) == ({}, 0)
        assert space.count(Filters(people=(0, 9))) == space.count(Filters(written="stop")) == 0
    with Embedded.open(filled, write=True) as store:
        store.mark(PEOPLE, {"/p/0.jpg": Mark("faces:1", 2)})
        assert store.space(TOY).count(Filters(people=(2, 2))) == 1
        assert store.verify() == []


def test_an_index_too_old_to_migrate_says_what_to_do(filled, monkeypatch) -> None:
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    with pytest.raises(StoreError, match=r"too old for this circlet .*: move that folder away"):
        Embedded.open(filled, write=True)


def test_a_migration_that_fails_changes_nothing(filled, monkeypatch) -> None:
    def fail(db: sqlite3.Connection) -> None:
        db.execute("DELETE FROM pictures")
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(schema, "VERSION", schema.VERSION + 1)
        patch.setattr(schema, "MIGRATIONS", {schema.VERSION - 1: fail})
        with pytest.raises(StoreError, match="is full"):
            Embedded.open(filled, write=True)
    with Embedded.open(filled, write=True) as store:
        assert store.counts().pictures == 12


def test_what_is_no_index_is_not_touched(folder) -> None:
    folder.mkdir()
    file = folder / catalogue.FILE
    file.write_bytes(b"a diary, not a database" * 100)
    for write in (False, True):
        with pytest.raises(StoreError, match=r"damaged .*: move that folder away"):
            Embedded.open(folder, write=write)
    assert file.read_bytes() == b"a diary, not a database" * 100
    file.unlink()
    db = sqlite3.connect(file)
    db.execute("CREATE TABLE recipes (name)")
    db.close()
    with pytest.raises(StoreError, match="not circlet's"):
        Embedded.open(folder, write=True)


def test_a_full_disk_is_one_line_and_loses_nothing(filled, entry, rows, monkeypatch) -> None:
    with Embedded.open(filled, write=True) as store:
        with monkeypatch.context() as patch:
            patch.setattr(vectorfile.os, "write", _full)
            with pytest.raises(StoreError, match=r"is full: free some space"):
                store.add([entry("/p/new.jpg")], rows(1), TOY)
        with store._catalogue._connection() as db:
            db.execute("PRAGMA max_page_count = 1")
        many = [entry(f"/p/{i:0500}.jpg") for i in range(3000)]
        with pytest.raises(StoreError, match=r"is full: free some space"):
            store.add(many, np.repeat(rows(1), 3000, axis=0), TOY)
        assert store.counts().pictures == 12
        assert store.verify() == []
    with Embedded.open(filled, write=True) as store:
        store.add([entry("/p/new.jpg")], rows(1), TOY)
        assert store.counts().pictures == 13


def _full(handle: int, data: bytes) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


AS_NOBODY = """
import os, sys
sys.path.insert(0, {source!r})
from circlet.core import StoreError
from circlet.index.embedded.embedded import Embedded
import numpy as np
if os.getuid() == 0:
    os.setuid(65534)  # permissions do not bind root
store = Embedded.open({folder!r})
[found] = store.space("toy:1").search(np.ones((1, 8), np.float32))
print(store.counts().pictures, len(found), store.verify())
try:
    Embedded.open({folder!r}, write=True)
except StoreError as error:
    print(error)
"""


@pytest.fixture
def guarded(filled) -> Iterator[Path]:
    """The filled store where others may read it and nobody may write; pytest's own folders are private."""
    with tempfile.TemporaryDirectory() as public:
        Path(public).chmod(0o755)
        folder = Path(shutil.copytree(filled, Path(public) / "store"))
        for file in folder.iterdir():
            file.chmod(0o444)
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)


def test_a_read_only_index_is_searched_and_not_written(guarded) -> None:
    source = str(Path(circlet.__file__).parents[1])
    script = AS_NOBODY.format(source=source, folder=str(guarded))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    counted, refused = done.stdout.splitlines()
    assert counted == "12 12 []"
    assert refused.startswith(f"the index at {guarded} is read-only for you: change its permissions")


def test_dead_rows_are_reclaimed_and_open_galleries_stay_valid(filled, rows) -> None:
    reader = Embedded.open(filled)
    before = whole(reader.space(TOY))
    with Embedded.open(filled, write=True) as store:
        store.forget([f"/p/{i}.jpg" for i in range(3, 10)])
        assert store.counts().spaces[TOY].dead == 7
    spaces = reader.counts().spaces[TOY]
    assert (spaces.pictures, spaces.dead) == (5, 0)
    assert whole(reader.space(TOY)).ids == tuple(f"/p/{i}.jpg" for i in (0, 1, 2, 10, 11))
    np.testing.assert_array_equal(whole(reader.space(TOY)).vectors, rows(12)[[0, 1, 2, 10, 11]])
    assert reader.space(TOY).search(rows(12)[10:11], top=1)[0].ids == ("/p/10.jpg",)
    np.testing.assert_array_equal(before.vectors, rows(12))
    assert reader.verify() == []
    assert len(list(filled.glob("vectors-*"))) == 2


def test_files_that_nobody_names_are_swept_after_a_while(filled) -> None:
    old, new = filled / "vectors-aaaa.f32", filled / "vectors-bbbb-40.codes"
    # What an earlier version kept beside a vector file that is still in use.
    outdated = filled / f"{vector_file_of(filled).stem}-40.ann"
    long_ago = time.time() - upkeep.GRACE_SECONDS - 1
    for path in (old, new, outdated):
        path.touch()
    for path in (old, outdated, vector_file_of(filled)):
        os.utime(path, (long_ago, long_ago))
    Embedded.open(filled, write=True).close()
    assert not old.exists()
    assert not outdated.exists()
    assert new.exists()
    with Embedded.open(filled) as store:
        assert store.verify() == []


def vector_file_of(folder: Path) -> Path:
    db = sqlite3.connect(folder / catalogue.FILE)
    (name,) = db.execute("SELECT file FROM spaces").fetchone()
    db.close()
    return folder / name


def test_everything_forgotten_leaves_an_empty_store_that_can_be_filled_again(filled, entry, rows) -> None:
    with Embedded.open(filled, write=True) as store:
        assert store.forget_root("/p") == 12
    with Embedded.open(filled, write=True) as store:
        assert store.space(TOY).search(rows(1))[0].ids == ()
        assert whole(store.space(TOY)).vectors.shape == (0, 8)
        assert store.space(TOY).search(rows(1), filters=Filters(min_size=1))[0].ids == ()
        store.add([entry("/p/a.jpg")], rows(1), TOY)
        assert whole(store.space(TOY)).ids == ("/p/a.jpg",)
        assert store.verify() == []


def test_threads_share_one_store(filled, rows) -> None:
    store = Embedded.open(filled)
    wrong: list[object] = []

    def ask(at: int) -> None:
        for _ in range(20):
            [ranking] = store.space(TOY).search(rows(12)[at : at + 1], top=1)
            if ranking.ids != (f"/p/{at}.jpg",):
                wrong.append(ranking)

    threads = [threading.Thread(target=ask, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()
    assert wrong == []


def test_whoever_reads_one_moment_keeps_their_view_of_it(filled, entry, rows) -> None:
    with Embedded.open(filled) as reader, ThreadPoolExecutor(1) as other:
        with reader.reading() as db:
            view = reader.view(db, TOY)
            with Embedded.open(filled, write=True) as writer:
                writer.add([entry("/p/later.jpg")], rows(1, seed=9), TOY)
            assert other.submit(reader.space(TOY).count).result() == view.live + 1
            assert reader.view(db, TOY) is view
            assert reader.space(TOY).count() == view.live
        assert reader.space(TOY).count() == view.live + 1


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no list of a process's open files here")
def test_a_thread_that_ends_leaves_no_file_open(filled, rows) -> None:
    store = Embedded.open(filled)

    def opened() -> int:
        thread = threading.Thread(target=store.space(TOY).search, args=(rows(1),))
        thread.start()
        thread.join()
        return len(list(Path("/proc/self/fd").iterdir()))

    before = opened()
    assert max(opened() for _ in range(20)) < before + 10
    store.close()


def test_a_lock_file_without_its_process_stops_nobody(filled) -> None:
    (filled / "lock").write_text("1")
    Embedded.open(filled, write=True).close()


def test_the_busy_message_names_the_process(filled) -> None:
    with (
        Embedded.open(filled, write=True),
        pytest.raises(BusyError, match=f"process {os.getpid()} is writing"),
    ):
        Embedded.open(filled, write=True)


def test_its_repr_can_be_pasted_back(filled) -> None:
    with Embedded.open(filled) as store:
        assert repr(eval(repr(store))) == repr(store)
