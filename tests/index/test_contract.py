"""What every store promises, whatever it is made of (see STORES in conftest.py)."""

from datetime import datetime
from itertools import pairwise

import numpy as np
import pytest

from circlet.core import (
    BusyError,
    DataError,
    Method,
    MismatchError,
    Query,
    StoreError,
    Turn,
    UsageError,
    best,
)
from circlet.core.marks import PEOPLE, TEXT, Mark
from circlet.index import Broken, Filters, Known, key_of, marking
from circlet.testing import whole

TOY = "toy:1"


def found(store, query, **options) -> tuple[str, ...]:
    [ranking] = store.space(options.pop("fingerprint", TOY)).search(query[None], **options)
    return ranking.ids


def test_what_was_added_is_found_best_first(store, entry, rows) -> None:
    vectors = rows(20)
    store.add([entry(f"/p/{i}.jpg") for i in range(20)], vectors, TOY)
    for ranking, query in zip(store.space(TOY).search(vectors[:3], top=5), vectors[:3], strict=True):
        expected = best(vectors @ query, 5)
        assert ranking.ids == tuple(f"/p/{i}.jpg" for i in expected)
        np.testing.assert_allclose(ranking.scores, (vectors @ query)[expected], atol=1e-6)


def test_a_reader_sees_what_a_writer_left(open_store, entry, rows) -> None:
    writer = open_store(write=True)
    writer.add([entry("/p/a.jpg", taken=datetime(2020, 5, 1, 12))], rows(1), TOY)
    writer.close()
    reader = open_store()
    assert found(reader, rows(1)[0]) == ("/p/a.jpg",)
    assert reader.entries(["/p/a.jpg"]) == [entry("/p/a.jpg", taken=datetime(2020, 5, 1, 12))]
    assert reader.verify() == []


def test_a_reader_works_live_while_a_writer_writes(open_store, entry, rows) -> None:
    writer, reader = open_store(write=True), None
    vectors = rows(6)
    for i, vector in enumerate(vectors):
        writer.add([entry(f"/p/{i}.jpg")], vector[None], TOY)
        reader = reader or open_store()
        assert found(reader, vector)[0] == f"/p/{i}.jpg"
        assert len(whole(reader.space(TOY))) == i + 1
        assert len(found(reader, vector, filters=Filters(folder="/p"))) == i + 1


def test_two_writers_exclude_each_other(open_store) -> None:
    first = open_store(write=True)
    with pytest.raises(BusyError, match="writing to the index"):
        open_store(write=True)
    first.close()
    open_store(write=True)


def test_a_store_opened_for_reading_refuses_to_write(open_store, entry, rows) -> None:
    open_store(write=True).close()
    with pytest.raises(StoreError, match="opened for reading"):
        open_store().add([entry("/p/a.jpg")], rows(1), TOY)


def test_a_forgotten_picture_is_nowhere(store, entry, rows) -> None:
    vectors = rows(3)
    store.add([entry(f"/p/{i}.jpg") for i in range(3)], vectors, TOY)
    assert store.forget(["/p/1.jpg", "/p/never.jpg"]) == 1
    assert set(found(store, vectors[1])) == {"/p/0.jpg", "/p/2.jpg"}
    assert "/p/1.jpg" not in whole(store.space(TOY))
    assert whole(store.space(TOY)).ids == ("/p/0.jpg", "/p/2.jpg")
    np.testing.assert_array_equal(whole(store.space(TOY)).vectors, vectors[[0, 2]])
    assert set(dict(store.walk("/p"))) == {"/p/0.jpg", "/p/2.jpg"}
    assert store.counts().pictures == 2
    with pytest.raises(DataError, match=r"/p/1\.jpg"):
        store.entries(["/p/0.jpg", "/p/1.jpg"])
    with pytest.raises(DataError, match=r"/p/1\.jpg"):
        store.space(TOY).vectors_of(["/p/1.jpg"])
    assert store.verify() == []


def test_a_gallery_stays_as_it_was_made(store, entry, rows) -> None:
    vectors = rows(3)
    store.add([entry(f"/p/{i}.jpg") for i in range(3)], vectors, TOY)
    gallery = whole(store.space(TOY))
    store.forget(["/p/0.jpg"])
    store.add([entry("/p/9.jpg")], rows(1, seed=9), TOY)
    assert gallery.ids == ("/p/0.jpg", "/p/1.jpg", "/p/2.jpg")
    np.testing.assert_array_equal(gallery.vectors_of(["/p/2.jpg", "/p/0.jpg"]), vectors[[2, 0]])
    assert whole(store.space(TOY)).ids == ("/p/1.jpg", "/p/2.jpg", "/p/9.jpg")


def test_a_changed_picture_has_its_new_vector_only(store, entry, rows) -> None:
    old, new = rows(2)
    store.add([entry("/p/a.jpg", "before")], old[None], TOY)
    store.add([entry("/p/a.jpg", "before")], old[None], "other:1")
    store.add([entry("/p/a.jpg", "after")], new[None], TOY)
    np.testing.assert_array_equal(store.space(TOY).vectors_of(["/p/a.jpg"]), new[None])
    assert store.space("other:1").search(old[None])[0].ids == ()
    assert dict(store.walk("/p", "other:1")) == {}
    assert dict(store.walk("/p", TOY)) == {"/p/a.jpg": Known(10, 10**18, "after")}


def test_another_encoder_keeps_the_vectors_of_the_first(store, entry, rows) -> None:
    first, second = rows(1), rows(1, dim=4)
    store.add([entry("/p/a.jpg")], first, TOY)
    store.add([entry("/p/a.jpg")], second, "wide:2")
    np.testing.assert_array_equal(store.space(TOY).vectors_of(["/p/a.jpg"]), first)
    np.testing.assert_array_equal(store.space("wide:2").vectors_of(["/p/a.jpg"]), second)
    assert {name: space.pictures for name, space in store.counts().spaces.items()} == {TOY: 1, "wide:2": 1}


def test_a_store_remembers_which_vectors_are_only_looked_up(store, entry, rows) -> None:
    store.add([entry("/p/a.jpg")], rows(1), TOY)
    store.add([entry("/p/a.jpg")], rows(1, dim=4), "tiny:1", searched=False)
    assert {name: space.searched for name, space in store.counts().spaces.items()} == {
        TOY: True,
        "tiny:1": False,
    }


def test_an_encoder_the_store_does_not_know_is_an_error_that_names_those_it_does(store, entry, rows) -> None:
    with pytest.raises(StoreError, match="empty"):
        store.space(TOY).search(rows(1))
    store.add([entry("/p/a.jpg")], rows(1), TOY)
    with pytest.raises(MismatchError, match=r"no vectors of clip, it has those of toy:1"):
        whole(store.space("clip"))
    with pytest.raises(MismatchError, match="4 numbers, the index holds 8"):
        store.add([entry("/p/b.jpg")], rows(1, dim=4), TOY)
    with pytest.raises(DataError, match="4 numbers met vectors of 8"):
        store.space(TOY).search(rows(1, dim=4))


def test_a_renamed_picture_keeps_its_vector(store, entry, rows) -> None:
    vectors = rows(3)
    store.add([entry(f"/p/{name}.jpg") for name in "abc"], vectors, TOY)
    before = store.counts().spaces[TOY]
    store.moved([("/p/a.jpg", entry("/q/new.jpg", "hash of /p/a.jpg", mtime_ns=7))])
    assert found(store, vectors[0])[0] == "/q/new.jpg"
    assert set(dict(store.walk("/p"))) == {"/p/b.jpg", "/p/c.jpg"}
    assert dict(store.walk("/q")) == {"/q/new.jpg": Known(10, 7, "hash of /p/a.jpg")}
    assert found(store, vectors[0], filters=Filters(folder="/q")) == ("/q/new.jpg",)
    assert store.counts().spaces[TOY] == before


def test_pictures_that_swap_names_keep_their_own_vectors(store, entry, rows) -> None:
    vectors = rows(2)
    store.add([entry("/p/a.jpg", "A"), entry("/p/b.jpg", "B")], vectors, TOY)
    store.moved([("/p/a.jpg", entry("/p/b.jpg", "A")), ("/p/b.jpg", entry("/p/a.jpg", "B"))])
    np.testing.assert_array_equal(store.space(TOY).vectors_of(["/p/b.jpg", "/p/a.jpg"]), vectors)
    assert [e.hash for e in store.entries(["/p/a.jpg", "/p/b.jpg"])] == ["B", "A"]


def test_a_picture_moved_onto_another_replaces_it(store, entry, rows) -> None:
    vectors = rows(2)
    store.add([entry("/p/a.jpg", "A"), entry("/p/b.jpg", "B")], vectors, TOY)
    store.moved([("/p/a.jpg", entry("/p/b.jpg", "A"))])
    assert whole(store.space(TOY)).ids == ("/p/b.jpg",)
    np.testing.assert_array_equal(whole(store.space(TOY)).vectors, vectors[:1])
    with pytest.raises(DataError, match=r"/p/gone\.jpg"):
        store.moved([("/p/gone.jpg", entry("/p/x.jpg"))])
    with pytest.raises(DataError, match="moves twice"):
        store.moved([("/p/b.jpg", entry("/p/x.jpg")), ("/p/b.jpg", entry("/p/y.jpg"))])
    assert store.verify() == []


def test_filters_keep_what_they_say(store, entry, rows) -> None:
    pictures = [
        entry("/p/a/wide.jpg", width=400, height=300, taken=datetime(2020, 1, 1)),
        entry("/p/a/deep/tall.jpg", width=300, height=1000, taken=datetime(2021, 1, 1)),
        entry("/p/ab/even.jpg", width=50, height=50, taken=datetime(2022, 1, 1)),
        entry("/p/a%b_c/file.jpg", width=60, height=50, mtime_ns=1672574400 * 10**9),
    ]
    store.add(pictures, rows(4), TOY)

    def kept(**said: object) -> set[str]:
        filters = Filters(**said)  # type: ignore[arg-type]
        names = {path.rpartition("/")[2][:-4] for path in found(store, rows(1)[0], filters=filters)}
        assert names == {id.rpartition("/")[2][:-4] for id in whole(store.space(TOY), filters).ids}
        return names

    assert kept() == {"wide", "tall", "even", "file"}
    assert kept(folder="/p/a") == kept(folder="/p/a/") == {"wide", "tall"}
    assert kept(folder="/p/a%b_c") == {"file"}
    assert kept(folder="/nowhere") == set()
    assert kept(after=datetime(2021, 1, 1)) == {"tall", "even", "file"}
    assert kept(before=datetime(2021, 1, 1)) == {"wide"}
    assert kept(after=datetime(2020, 6, 1), before=datetime(2022, 6, 1)) == {"tall", "even"}
    assert kept(min_size=400) == {"wide", "tall"}
    assert kept(max_size=60) == {"even", "file"}
    assert kept(orientation="landscape") == {"wide", "file"}
    assert kept(orientation="portrait", min_size=1001) == set()
    assert kept(orientation="square") == {"even"}
    with pytest.raises(UsageError, match="pick one of landscape, portrait, square"):
        Filters(orientation="diagonal")


def test_filters_follow_what_changes(store, entry, rows) -> None:
    tall = Filters(orientation="portrait")
    store.add([entry("/p/a.jpg"), entry("/p/b.jpg", height=90)], rows(2), TOY)
    assert found(store, rows(1)[0], filters=tall) == ("/p/b.jpg",)
    store.add([entry("/p/c.jpg", height=90)], rows(1, seed=3), TOY)
    assert set(found(store, rows(1)[0], filters=tall)) == {"/p/b.jpg", "/p/c.jpg"}
    store.moved([("/p/b.jpg", entry("/p/b.jpg", height=20))])
    assert found(store, rows(1)[0], filters=tall) == ("/p/c.jpg",)
    store.forget(["/p/c.jpg"])
    assert found(store, rows(1)[0], filters=tall) == ()


def test_each_query_excludes_its_own(store, entry, rows) -> None:
    vectors = rows(40)
    store.add([entry(f"/p/{i}.jpg") for i in range(40)], vectors, TOY)
    first, second = store.space(TOY).search(vectors[:2], top=40, exclude=[["/p/0.jpg", "/unknown.jpg"], []])
    assert len(first) == 39
    assert "/p/0.jpg" not in first.ids
    assert second.ids[0] == "/p/1.jpg"
    assert "/p/0.jpg" in second.ids
    one = Filters(folder="/p/0.jpg")
    [ranking] = store.space(TOY).search(vectors[:1], filters=one, exclude=[["/p/0.jpg"]])
    assert ranking.ids == ()


def test_equal_scores_come_in_the_order_of_adding(store, entry, rows) -> None:
    store.add([entry(f"/p/{name}.jpg") for name in "dbca"], np.repeat(rows(1), 4, axis=0), TOY)
    assert found(store, rows(1)[0], top=3) == ("/p/d.jpg", "/p/b.jpg", "/p/c.jpg")
    assert found(store, rows(1)[0], top=0) == ()


def test_a_broken_file_is_remembered_until_it_opens(store, entry, rows) -> None:
    store.add([entry("/p/a.jpg")], rows(1), TOY)
    store.note_broken("/p/a.jpg", "cut short", size=3, mtime_ns=4)
    assert found(store, rows(1)[0]) == ()
    assert store.broken("/p") == {"/p/a.jpg": Broken("cut short", 3, 4)}
    assert store.broken("/q") == {}
    store.add([entry("/p/a.jpg")], rows(1), TOY)
    assert store.broken("/p") == {}
    assert store.counts().broken == 0


def test_roots_are_listed_and_forgotten_with_all_that_is_in_them(store, entry, rows) -> None:
    store.add_root("/p")
    store.add_root("/q")
    store.add_root("/p")
    store.add([entry("/p/a.jpg"), entry("/p/deep/b.jpg"), entry("/pq/c.jpg")], rows(3), TOY)
    store.note_broken("/p/bad.jpg", "empty")
    assert store.roots() == ["/p", "/q"]
    assert store.forget_root("/p") == 2
    assert store.roots() == ["/q"]
    assert store.broken("/p") == {}
    assert whole(store.space(TOY)).ids == ("/pq/c.jpg",)


@pytest.mark.parametrize(
    "name",
    [
        "пляж.jpg",
        "海滩 🏖.jpg",
        "שלום.jpg",
        "café.jpg",
        "cafe\u0301.jpg",
        "quote'\".jpg",
        "new\nline.jpg",
        "%_*?.jpg",
    ],
)
def test_names_in_every_script(store, entry, rows, name) -> None:
    store.add([entry(f"/p/{name}"), entry("/p/other.jpg")], rows(2), TOY)
    assert found(store, rows(2)[0], top=1, filters=Filters(folder="/p")) == (f"/p/{name}",)
    assert whole(store.space(TOY)).ids[0] == f"/p/{name}"
    assert store.forget([f"/p/{name}"]) == 1


def test_a_batch_that_cannot_be_meant_is_refused_whole(store, entry, rows) -> None:
    store.add([entry("/p/a.jpg")], rows(1), TOY)
    bad = rows(2)
    bad[1, 3] = np.nan
    with pytest.raises(DataError, match=r"/p/c\.jpg: its vector is not all numbers"):
        store.add([entry("/p/b.jpg"), entry("/p/c.jpg")], bad, TOY)
    with pytest.raises(DataError, match="twice"):
        store.add([entry("/p/b.jpg"), entry("/p/b.jpg")], rows(2), TOY)
    with pytest.raises(DataError, match="1 pictures, vectors"):
        store.add([entry("/p/b.jpg")], rows(2), TOY)
    store.add([], np.empty((0, 8), np.float32), TOY)
    assert whole(store.space(TOY)).ids == ("/p/a.jpg",)


def test_a_query_that_cannot_be_meant_is_refused(store, entry, rows) -> None:
    store.add([entry("/p/a.jpg")], rows(1), TOY)
    with pytest.raises(DataError, match="not all numbers"):
        store.space(TOY).search(np.full((1, 8), np.nan, np.float32))
    with pytest.raises(DataError, match="1 queries, 2 lists"):
        store.space(TOY).search(rows(1), exclude=[[], []])


def test_scores_fall_and_many_queries_answer_as_one_does(store, entry, rows) -> None:
    store.add([entry(f"/p/{i}.jpg") for i in range(300)], rows(300), TOY)
    queries = rows(7, seed=5)
    together = store.space(TOY).search(queries, top=9)
    for ranking, query in zip(together, queries, strict=True):
        assert ranking.ids == found(store, query, top=9)
        assert all(a >= b for a, b in pairwise(ranking.scores))


def test_what_is_known_is_asked_for_by_path_and_walked_through(store, entry, rows) -> None:
    store.add([entry(f"/p/{name}.jpg") for name in "cab"], rows(3), TOY)
    store.add([entry("/q/d.jpg")], rows(1), "other:1")
    assert store.known(["/p/a.jpg", "/q/d.jpg", "/p/never.jpg"]).keys() == {"/p/a.jpg", "/q/d.jpg"}
    assert store.known(["/p/a.jpg", "/q/d.jpg"], TOY) == {"/p/a.jpg": Known(10, 10**18, "hash of /p/a.jpg")}
    assert [path for path, _ in store.walk("/p")] == ["/p/a.jpg", "/p/b.jpg", "/p/c.jpg"]
    assert [path for path, _ in store.walk("/", "other:1")] == ["/q/d.jpg"]
    assert (store.count("/"), store.count("/p"), store.count("/p", "other:1")) == (4, 3, 0)
    for path, _ in store.walk("/p"):
        store.forget([path])
    assert store.count("/p") == 0, "what is walked through may be changed on the way"


def test_a_key_stands_for_a_picture(store, entry, rows) -> None:
    store.add([entry("/p/a.jpg"), entry("/p/b.jpg")], rows(2), TOY)
    assert store.named([key_of("/p/b.jpg"), 12]) == {key_of("/p/b.jpg"): "/p/b.jpg"}
    store.moved([("/p/b.jpg", entry("/p/c.jpg", "hash of /p/b.jpg"))])
    assert store.named([key_of("/p/b.jpg"), key_of("/p/c.jpg")]) == {key_of("/p/c.jpg"): "/p/c.jpg"}


def test_folders_that_hold_pictures_are_listed(store, entry, rows) -> None:
    store.add([entry("/p/a.jpg"), entry("/p/x/b.jpg"), entry("/q/c.jpg")], rows(3), TOY)
    assert store.folders("/p") == ["/p", "/p/x"]


def test_a_space_is_looked_through_a_few_at_a_time(store, entry, rows) -> None:
    store.add([entry(f"/p/{i}.jpg", height=90 if i % 2 else 20) for i in range(50)], rows(50), TOY)
    store.forget(["/p/7.jpg"])
    space, tall = store.space(TOY), Filters(orientation="portrait")
    assert (space.count(), space.count(tall)) == (49, 24)
    pages = [space.sample(start, 10) for start in range(0, 60, 10)]
    assert sorted(id for page in pages for id in page) == sorted(f"/p/{i}.jpg" for i in range(50) if i != 7)
    assert pages[0] == space.sample(0, 10)
    assert len(space.sample(0, 99, tall)) == 24


def test_a_space_is_told_by_date_and_counted_by_folder_month_and_shape(store, entry, rows) -> None:
    days = [datetime(2023, 5, 1), datetime(2024, 7, 31), datetime(2024, 7, 2)]
    entries = [entry(f"/p/{i}/x.jpg", height=90, taken=day) for i, day in enumerate(days)]
    store.add([*entries, entry("/p/3/x.jpg", height=20, taken=datetime(1969, 1, 2))], rows(4), TOY)
    space = store.space(TOY)
    assert space.newest(0, 9) == ["/p/1/x.jpg", "/p/2/x.jpg", "/p/0/x.jpg", "/p/3/x.jpg"]
    assert space.newest(1, 1, Filters(orientation="portrait")) == ["/p/2/x.jpg"]
    told = space.tally()
    assert dict(told.months) == {"2024-07": 2, "2023-05": 1, "1969-01": 1}
    assert dict(told.shapes) == {"portrait": 3, "landscape": 1}
    assert dict(space.tally(Filters(after=datetime(2024, 1, 1))).folders) == {"/p/1": 1, "/p/2": 1}


def test_a_method_that_is_no_composer_scores_what_counts(store, entry, rows) -> None:
    class Last(Method):
        """The later in the alphabet the better."""

        def scores(self, queries, gallery, *, pictures=None):
            return np.array([[ord(id[-5]) if id else 0 for id in gallery.ids]] * len(queries), np.float32)

    store.add([entry(f"/p/{name}.jpg") for name in "abcde"], rows(5), TOY)
    store.add([entry("/q/z.jpg")], rows(1, seed=4), TOY)
    store.forget(["/p/e.jpg"])
    query = Query("q", (Turn(text="x"),))
    inside = Filters(folder="/p")
    [ranking] = Last().rank([query], store.space(TOY), top=3, exclude=[["/p/c.jpg"]], filters=inside)
    assert ranking.ids == ("/p/d.jpg", "/p/b.jpg", "/p/a.jpg")
    [best] = (Last() % 2 >> Last()).rank([query], store.space(TOY))
    assert best.ids == ("/q/z.jpg", "/p/d.jpg")
    [both] = (Last() + Last() % 1).rank([query], store.space(TOY), top=2)
    assert both.ids == ("/q/z.jpg", "/p/d.jpg")


def test_marks_are_kept_found_by_and_asked_for(store, entry, rows) -> None:
    store.add([entry(f"/p/{i}.jpg") for i in range(4)], rows(4), TOY)
    space = store.space(TOY)
    assert list(marking(store).unmarked("/p", PEOPLE, "faces:1")) == [f"/p/{i}.jpg" for i in range(4)]
    store.mark(
        PEOPLE, {"/p/0.jpg": Mark("faces:1", 0), "/p/1.jpg": Mark("faces:1", 2, detail="[[0.9, 0.2]]")}
    )
    store.mark(
        TEXT, {"/p/2.jpg": Mark("text:1", 2, "no parking here"), "/p/gone.jpg": Mark("text:1", 1, "no")}
    )
    assert space.marks_of(["/p/1.jpg", "/p/3.jpg"], PEOPLE) == {
        "/p/1.jpg": Mark("faces:1", 2, detail="[[0.9, 0.2]]")
    }
    assert space.marks_of(["/p/1.jpg"], TEXT) == {}
    assert (store.marked(PEOPLE), store.marked(TEXT), space.marked(PEOPLE)) == (2, 1, 2)
    for filters, passing in (
        (Filters(people=(0, 0)), {"/p/0.jpg"}),
        (Filters(people=(1, 99)), {"/p/1.jpg"}),
        (Filters(people=(3, 99)), set()),
        (Filters(written="parking"), {"/p/2.jpg"}),
        (Filters(written="noparking"), {"/p/2.jpg"}),
        (Filters(written="stop"), set()),
        (Filters(written="parking", people=(0, 9)), set()),
    ):
        assert set(found(store, rows(1)[0], filters=filters)) == passing, filters
        assert space.count(filters) == len(passing)
    assert list(store.unmarked("/p", PEOPLE, "faces:1")) == ["/p/2.jpg", "/p/3.jpg"]
    # Another one that looks sees everything anew.
    assert len(list(store.unmarked("/p", PEOPLE, "faces:2"))) == 4
    store.mark(PEOPLE, {"/p/0.jpg": Mark("faces:2", 5)})
    assert set(found(store, rows(1)[0], filters=Filters(people=(5, 5)))) == {"/p/0.jpg"}


def test_marks_go_with_their_picture(store, entry, rows) -> None:
    store.add([entry(f"/p/{i}.jpg") for i in range(4)], rows(4), TOY)
    store.mark(PEOPLE, {f"/p/{i}.jpg": Mark("faces:1", i) for i in range(4)})
    store.moved([("/p/1.jpg", entry("/q/1.jpg", hash="hash of /p/1.jpg"))])
    store.forget(["/p/2.jpg"])
    store.note_broken("/p/3.jpg", "is cut short")
    # The same content read again keeps its marks, another content loses them.
    store.add([entry("/p/0.jpg", mtime_ns=10**18 + 1), entry("/p/2.jpg")], rows(2), TOY)
    paths = ["/p/0.jpg", "/p/1.jpg", "/q/1.jpg", "/p/2.jpg"]
    assert {path: one.number for path, one in store.space(TOY).marks_of(paths, PEOPLE).items()} == {
        "/p/0.jpg": 0, "/q/1.jpg": 1,
    }  # fmt: skip
    store.add([entry("/p/0.jpg", hash="another")], rows(1), TOY)
    assert list(store.unmarked("/", PEOPLE, "faces:1")) == ["/p/0.jpg", "/p/2.jpg"]
    assert store.verify() == []


def test_a_store_that_cannot_keep_marks_says_so() -> None:
    with pytest.raises(
        StoreError, match=r"cannot keep what is seen in pictures .*: keep the index in a folder"
    ):
        marking(object())  # type: ignore[arg-type]


def test_a_picture_that_lies_elsewhere_is_kept_by_its_address(store, entry, rows) -> None:
    ids = ["s3://b/a/1.jpg", "s3://b/ab/2.jpg", "https://h/x.jpg?size=2", "/p/1.jpg"]
    store.add_root("s3://b/a")
    store.add([entry(id) for id in ids], rows(4), TOY)
    store.note_broken("s3://b/a/cut.jpg", "cut short")
    assert store.roots() == ["s3://b/a"]
    assert [id for id, _ in store.walk("s3://b/a", TOY)] == ids[:1]
    assert [store.count(place) for place in ("s3:", "https:", "http:", "/")] == [2, 1, 0, 1]
    assert sorted(store.folders("s3://b")) == ["s3://b/a", "s3://b/ab"]
    assert set(found(store, rows(4)[0], filters=Filters(folder="s3://b"))) == set(ids[:2])
    assert list(store.broken("s3:")) == list(store.broken("s3://b/a")) == ["s3://b/a/cut.jpg"]
    assert store.forget_root("s3://b/a") == 1
    assert store.count("s3:") == 1
