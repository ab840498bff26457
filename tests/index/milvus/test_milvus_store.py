"""What a Milvus store does beside the contract: who writes, what a kill leaves, what it refuses."""

import json
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest

from circlet.core import BusyError, DataError, StoreError, UsageError
from circlet.index import Filters, Store, open_store
from circlet.index.milvus import milvus_catalogue, milvus_space, milvus_store
from circlet.index.milvus.lease import Lease
from circlet.index.milvus.tables import ABOUT, SEARCHED, WRITER, own_row, space_schema, table_of

TOY = "toy:1"


@pytest.fixture
def store(milvus_place: str):
    with open_store(milvus_place, write=True) as opened:
        yield opened


def paths(store: Store) -> list[str]:
    return [path for path, _ in store.walk("/")]


def test_more_than_the_engine_gives_is_refused_with_the_reason(store, entry, rows) -> None:
    store.add([entry("/p/a.jpg")], rows(1), TOY)
    with pytest.raises(UsageError, match=r"20,000 results at once: Milvus gives 16,384 at most"):
        store.space(TOY).search(rows(1), top=20_000)


def test_lists_that_hold_too_few_are_not_all_that_is_read(store, entry, rows, monkeypatch) -> None:
    store.add([entry(f"/p/{number}.jpg") for number in range(3_000)], rows(3_000), TOY)
    table, client = store.space_of(TOY).table, store._link._connected()
    client.flush(table)
    end = time.monotonic() + 120
    while len(store._link.search(table, rows(1), 2_500, "", ["path"], 1)[0]) == 2_500:
        assert time.monotonic() < end, "it was not indexed"
        time.sleep(0.5)
    monkeypatch.setattr(milvus_space, "probes", lambda limit, share: 1)
    [found] = store.space(TOY).search(rows(1), top=2_500)
    assert len(found.ids) == len(set(found.ids)) == 2_500


def test_what_is_remembered_of_filters_does_not_add_up(monkeypatch) -> None:
    now = 0.0
    monkeypatch.setattr(milvus_catalogue.time, "monotonic", lambda: now)
    catalogue = milvus_catalogue.MilvusCatalogue(SimpleNamespace(writes=0), "pictures")
    for now in (0.0, 1.0, 61.5):
        assert catalogue.remembered(("share", now), 60, lambda: now) == now  # noqa: B023
        assert catalogue.remembered(("share", now), 60, lambda: -1) == now
    assert list(catalogue._kept) == [("share", 61.5)]


def test_two_pictures_of_one_key_are_never_mistaken_for_each_other(store, entry, rows, monkeypatch) -> None:
    store.add([entry("/p/a.jpg")], rows(1), TOY)
    (key,) = store.named([milvus_store.key_of("/p/a.jpg")])
    monkeypatch.setattr(milvus_store, "key_of", lambda path: key)
    with pytest.raises(DataError, match=r"/p/b\.jpg has the same key as /p/a\.jpg.*rename one of them"):
        store.add([entry("/p/b.jpg")], rows(1), TOY)
    assert paths(store) == ["/p/a.jpg"]


def test_a_store_of_a_newer_circlet_is_refused(store, milvus_place) -> None:
    store._put_own(own_row(ABOUT, "format", size=99))
    try:
        with pytest.raises(StoreError, match=r"made by a newer circlet \(format 99.*upgrade circlet"):
            open_store(milvus_place)
    finally:
        store._put_own(own_row(ABOUT, "format", size=1))


def test_a_picture_keeps_its_partition_and_is_found_by_every_folder_above_it(store, entry, rows) -> None:
    store.add_root("/p")
    store.add([entry("/p/a/x.jpg")], rows(1), TOY)
    store.add_root("/p/a")
    store.add([entry("/p/a/y.jpg"), entry("/q/z.jpg")], rows(2, seed=1), TOY)
    store.add([entry("/p/a/x.jpg", "another content")], rows(1, seed=2), TOY)
    store.forget_root("/q")
    store.add_root("/q")
    space = store.space(TOY)
    table = store.space_of(TOY).table
    assert len(store._link.partitions(table)) >= 3
    for folder in ("/p", "/p/a", "/"):
        found = space.search(rows(1), filters=Filters(folder=folder))[0].ids
        assert set(found) == {"/p/a/x.jpg", "/p/a/y.jpg"}, folder
    assert space.count() == 2


CLAIM = """
import sys, time
from circlet.index import open_store
store = open_store(sys.argv[1], write=True)
print("mine", flush=True)
time.sleep(600)
"""


def test_a_writer_that_was_killed_holds_nobody_up(milvus_place: str) -> None:
    command = [sys.executable, "-c", CLAIM, milvus_place]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "mine\n"
        with pytest.raises(BusyError, match=rf"writing to the index at milvus://.* \({other.pid} on "):
            open_store(milvus_place, write=True)
        other.kill()
    open_store(milvus_place, write=True).close()


def test_of_two_that_claim_at_once_the_older_writes(store) -> None:
    about = json.dumps({"host": "elsewhere", "boot": "", "pid": 1})
    far = store._link.stamp() + 10**9
    store._put_own(own_row(WRITER, "older", size=1, mtime_ns=far, reason=about))
    with pytest.raises(BusyError, match="1 on elsewhere"):
        Lease(store._link, store._table)
    # A claim that was not renewed holds no longer.
    store._put_own(own_row(WRITER, "older", size=1, mtime_ns=1, reason=about))
    store.close()
    with open_store(str(store._link.address), write=True) as again:
        assert again.verify() == []


@pytest.mark.parametrize("step", range(4))
def test_wherever_a_writer_is_cut_off_the_same_batch_again_completes_it(
    store, entry, rows, monkeypatch, step
) -> None:
    """Every request of a batch in turn is the one that never came through."""
    before = [entry("/p/old.jpg"), entry("/p/same.jpg")]
    store.add(before, rows(2), TOY)
    batch = [entry("/p/old.jpg", "changed"), entry("/p/same.jpg"), entry("/q/new.jpg")]
    left = step
    link = store._link
    for name in ("upsert", "delete"):
        real = getattr(link, name)

        def cut(*args, real=real, **more):
            nonlocal left
            if args[-1] and not left:
                raise StoreError("cut off")
            left -= bool(args[-1])
            return real(*args, **more)

        monkeypatch.setattr(link, name, cut)
    with pytest.raises(StoreError, match="cut off"):
        store.add(batch, rows(3, seed=1), TOY)
    monkeypatch.undo()
    assert store.verify() == []
    # What the next indexing would be told: a picture counts as known with its right vector or not at all.
    known = store.known([one.path for one in batch], TOY)
    for one in batch:
        assert known.get(one.path) in (None, *(milvus_known(at) for at in (*before, one))), one.path
    store.add(batch, rows(3, seed=1), TOY)
    assert paths(store) == ["/p/old.jpg", "/p/same.jpg", "/q/new.jpg"]
    np.testing.assert_array_equal(store.space(TOY).vectors_of([one.path for one in batch]), rows(3, seed=1))
    assert store.space(TOY).count() == 3
    assert store.verify() == []


def milvus_known(one):
    return (one.size, one.mtime_ns, one.hash)


@pytest.mark.parametrize("made", [[], ["vector"]])
def test_a_collection_that_was_half_made_is_completed(milvus, entry, rows, made) -> None:
    """Its maker was killed before there were indices, or a reader took it up before there were all."""
    place = f"{milvus}/half_{len(made)}"
    with open_store(place, write=True) as store:
        client, table = store._link._connected(), table_of(store._link.address.name, TOY, 8)
        client.create_collection(table, schema=space_schema(8), consistency_level="Bounded")
        for field in made:
            indexes = client.prepare_index_params()
            indexes.add_index(field, metric_type="IP", **SEARCHED)
            client.create_index(table, indexes)
            client.load_collection(table)
        store.add([entry("/p/a.jpg")], rows(1), TOY)
        assert store.space(TOY).search(rows(1))[0].ids == ("/p/a.jpg",)
        assert client.list_indexes(table, field_name="moment")
        assert store.verify() == []


def test_a_vector_that_changed_is_found_and_dropped(store, entry, rows) -> None:
    store.add([entry("/p/a.jpg"), entry("/p/b.jpg")], rows(2), TOY)
    table = store.space_of(TOY).table
    row = next(r for r in store._link.query(table, "", store_fields(), limit=9) if r["path"] == "/p/b.jpg")
    store._link.upsert(table, [{**row, "vector": np.ones(8, np.float32)}])
    [line] = store.verify()
    assert line.startswith("/p/b.jpg: its vector of toy:1 changed in the server: `circlet verify --repair`")
    assert store.repair() == [line]
    assert store.verify() == []
    assert set(store.known(["/p/a.jpg", "/p/b.jpg"], TOY)) == {"/p/a.jpg"}


def store_fields():
    from circlet.index.milvus.fields import SPACE

    return SPACE


def test_the_newest_of_many_equal_moments_come_page_by_page_each_once(store, entry, rows) -> None:
    entries = [entry(f"/p/{i:02}.jpg", mtime_ns=(10**18 if i < 30 else 2 * 10**18)) for i in range(40)]
    store.add(entries, rows(40), TOY)
    pages = [store.space(TOY).newest(start, 7) for start in range(0, 49, 7)]
    seen = [path for page in pages for path in page]
    assert sorted(seen) == sorted(one.path for one in entries)
    assert set(seen[:10]) == {f"/p/{i:02}.jpg" for i in range(30, 40)}


def test_a_server_that_is_not_there_is_one_sentence(tmp_path) -> None:
    began = time.monotonic()
    with pytest.raises(
        StoreError, match=r"server of milvus://127\.0\.0\.1:9/x cannot be reached: see that it"
    ):
        open_store("milvus://127.0.0.1:9/x")
    assert time.monotonic() - began < 60
