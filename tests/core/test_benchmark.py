"""A dataset as a value: what it asks, what it ranks, and what is left when some of it goes."""

from pathlib import Path

import pytest

from circlet.core import Benchmark, Case, DataError, Key, Query, Turn


def asking(id: str, picture: str | None = None, **about) -> Case:
    return Case(query=Query(id, (Turn(picture=picture, text="red"),)), **about)


@pytest.fixture
def bench() -> Benchmark:
    return Benchmark(
        name="toy",
        split="val",
        cases=(
            asking("1", "a", truths=("b", "c"), exclude=("a",), subset=("b", "c"), group="dress"),
            asking("2", "x", truths=("e",), group="shirt"),
        ),
        galleries={"dress": ("a", "b", "c"), "shirt": ("d", "e")},
        images={id: Path(f"{id}.jpg") for id in "abcdex"},
    )


def test_a_query_searches_the_gallery_of_its_group_less_its_exclusions(bench: Benchmark) -> None:
    assert bench.gallery_of("1") == ("a", "b", "c")
    assert bench.candidates("1") == ("b", "c")
    assert bench.candidates("2") == ("d", "e")


def test_what_is_not_asked_or_not_there_is_named(bench: Benchmark) -> None:
    assert ("1" in bench, "9" in bench, len(bench)) == (True, False, 2)
    with pytest.raises(DataError, match="toy val has no query 9"):
        bench.case("9")
    lost = Benchmark(name="toy", split="val", cases=(asking("1", group="hats"),), galleries={"": ()})
    with pytest.raises(DataError, match="toy: query 1 searches a gallery that is not there"):
        lost.gallery_of("1")


def test_the_pictures_are_those_of_galleries_then_queries_then_subsets() -> None:
    bench = Benchmark(
        name="toy",
        split="val",
        cases=(asking("1", "x", subset=("y", "a")), asking("2", "b")),
        galleries={"one": ("a", "b"), "two": ("b", "c")},
    )
    assert bench.pictures == ("a", "b", "c", "x", "y")


def test_a_query_is_asked_after_each_turn_and_at_last_in_each_wording() -> None:
    turns = (Turn(picture="a", text="red"), Turn(text="at night", without=("people",)))
    bench = Benchmark(
        name="toy",
        split="val",
        cases=(Case(query=Query("1", turns), wordings=("at night", "after dark")), asking("2", "b")),
        galleries={},
    )
    later = Turn(text="after dark", without=("people",))
    assert bench.asks() == [
        (Key("1", 1), Query("1", turns[:1])),
        (Key("1", 2, 0), Query("1", turns)),
        (Key("1", 2, 1), Query("1", (turns[0], later))),
        (Key("2"), bench.case("2").query),
    ]


@pytest.mark.parametrize(
    ("galleries", "protocol", "cases", "header"),
    [
        ({"": ("a", "b")}, {}, (), "toy val gallery=2"),
        ({"x": ("a", "b"), "y": ("c",)}, {}, (), "toy val gallery=2+1"),
        (
            {"": ("a",)},
            {"gallery": "union", "reference": "out"},
            (),
            "toy val gallery=1(union) reference=out",
        ),
        ({"": ("a",)}, {"gallery": "split"}, (), "toy val gallery=1"),
        ({}, {}, (asking("1", subset=("a",)),), "toy val gallery=sets"),
        ({}, {}, (asking("1"),), "toy val gallery=unlisted"),
    ],
)
def test_the_header_says_what_is_searched_and_by_which_rules(galleries, protocol, cases, header) -> None:
    bench = Benchmark(name="toy", split="val", cases=cases, galleries=galleries, protocol=protocol)
    assert bench.header() == header
    assert repr(bench) == f"<Benchmark {header}: {len(cases)} queries>"


def test_fewer_queries_leave_nothing_of_the_others(bench: Benchmark) -> None:
    # Asked for first: what was found out about the whole must not be told of the part.
    assert (bench.has_subsets, len(bench.queries), "1" in bench) == (True, 2, True)
    less = bench.only([bench.case("2").query])
    assert [query.id for query in less.queries] == ["2"]
    assert ("1" in less, "2" in less, len(less)) == (False, True, 1)
    assert not less.has_subsets
    assert [key for key, _ in less.asks()] == [Key("2")]
    with pytest.raises(DataError, match="has no query 1"):
        less.candidates("1")
    assert less.galleries == bench.galleries, "the same pictures are searched"
    assert len(bench) == 2, "the whole is as it was"


def test_fewer_queries_come_in_the_order_in_which_they_are_named(bench: Benchmark) -> None:
    assert [case.id for case in bench.only([Query("2"), Query("1")]).cases] == ["2", "1"]
    with pytest.raises(DataError, match="has no query 9"):
        bench.only([Query("9")])


def test_pictures_that_are_gone_are_in_no_list(bench: Benchmark) -> None:
    assert bench.pictures == ("a", "b", "c", "d", "e", "x")
    less = bench.without(["c", "d"])
    assert less.galleries == {"dress": ("a", "b"), "shirt": ("e",)}
    assert less.pictures == ("a", "b", "e", "x")
    assert set(less.images) == set("abex")
    assert (less.case("1").truths, less.case("1").members) == (("b",), ("b",))
    assert less.candidates("1") == ("b",)
    assert bench.candidates("1") == ("b", "c"), "the whole is as it was"


def test_a_query_goes_with_its_target_and_with_what_it_shows(bench: Benchmark) -> None:
    assert (bench.has_subsets, bench.has_truths, len(bench.queries)) == (True, True, 2)
    less = bench.without(["b"])
    assert [query.id for query in less.queries] == ["2"], "its target is gone"
    assert ("1" in less, less.has_subsets) == (False, False)
    assert [case.id for case in bench.without(["x"]).cases] == ["1"], "the picture that it shows is gone"
    nothing = bench.without(["b", "x"])
    assert (nothing.queries, nothing.has_truths, nothing.asks()) == ((), False, [])


def test_a_split_without_truths_says_so() -> None:
    bench = Benchmark(name="toy", split="test", cases=(asking("1"),), galleries={"": ("a",)})
    assert not bench.has_truths
