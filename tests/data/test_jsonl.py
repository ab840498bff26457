import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circlet.core import Benchmark, DataError, Query, Turn, UsageError, cases_of
from circlet.data import load_benchmark, read_benchmark, write_benchmark

names = st.text(min_size=1, max_size=6)
ids = st.lists(names, max_size=4, unique=True).map(tuple)
turns = st.builds(
    Turn,
    picture=st.none() | names,
    text=st.text(max_size=8),
    liked=ids,
    disliked=ids,
    without=ids,
    emphasis=st.lists(st.tuples(names, st.floats(0, 3)), max_size=2).map(tuple),
)


@st.composite
def benchmarks(draw: st.DrawFn) -> Benchmark:
    known = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    some = st.dictionaries(st.sampled_from(known), ids)
    return Benchmark(
        name=draw(names),
        split=draw(names),
        cases=cases_of(
            tuple(Query(id, tuple(draw(st.lists(turns, max_size=3)))) for id in known),
            truths=draw(some),
            groups=draw(st.dictionaries(st.sampled_from(known), names)),
            exclusions=draw(some),
            subsets=draw(some),
            grades=draw(st.dictionaries(st.sampled_from(known), st.dictionaries(names, st.floats(-1, 1)))),
            wordings=draw(some),
            notes=draw(st.dictionaries(st.sampled_from(known), st.dictionaries(names, st.integers()))),
        ),
        galleries=draw(st.dictionaries(names, ids, max_size=2)),
        protocol=draw(st.dictionaries(names, names, max_size=2)),
        measures=draw(ids),
        extra=draw(st.dictionaries(names, st.lists(st.integers(), max_size=2))),
    )


@settings(max_examples=60, deadline=None)
@given(benchmarks())
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, benchmark: Benchmark) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "any.jsonl"
    assert read_benchmark(write_benchmark(benchmark, path)) == benchmark


def small(**more: object) -> Benchmark:
    return Benchmark(
        name="toy",
        split="val",
        cases=cases_of((Query("1", (Turn(picture="a", text="at night"),)),), truths={"1": ("b",)}),
        galleries={"": ("a", "b")},
        **more,
    )


def test_a_folder_of_benchmark_and_pictures_moves_as_a_whole(tmp_path: Path) -> None:
    home = tmp_path / "old"
    write_benchmark(small(images={"a": home / "pictures" / "a.png"}), home / "sets" / "toy.jsonl")
    home.rename(tmp_path / "new")
    moved = load_benchmark(str(tmp_path / "new" / "sets" / "toy.jsonl"))
    assert moved.images["a"] == tmp_path.resolve() / "new" / "pictures" / "a.png"


def test_the_same_benchmark_gives_the_same_bytes(tmp_path: Path) -> None:
    one = write_benchmark(small(), tmp_path / "one.jsonl").read_bytes()
    assert write_benchmark(small(), tmp_path / "two.jsonl").read_bytes() == one


def test_a_tableaux_benchmark_is_found_by_kind_root_and_split(tmp_path: Path) -> None:
    write_benchmark(small(), tmp_path / "cir.val.jsonl")
    assert load_benchmark(f"tableaux:cir:{tmp_path}") == small()
    with pytest.raises(UsageError, match=r"cir\.test\.jsonl: no such .* there is cir\.val\.jsonl"):
        load_benchmark(f"tableaux:cir:{tmp_path}:test")


HEADER = json.dumps({"circlet": "benchmark", "version": 1, "name": "toy", "split": "val"})


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "empty"),
        (["{"], "line 1: not JSON"),
        (["[]"], "line 1: a line is one JSON object"),
        (['{"a": 1}'], "not a circlet benchmark"),
        (['{"circlet": "benchmark", "version": 9}'], "version 9"),
        (['{"circlet": "benchmark", "version": 1}'], "no name and no split"),
        ([HEADER, '{"a": 1}'], "line 2: neither a gallery"),
        ([HEADER, '{"query": 1}'], "a query's id is text"),
        ([HEADER, '{"query": "1", "turn": []}'], "a query has no turn"),
        (["[" * 100_000], "line 1: not JSON \\(nested too deeply"),
        ([HEADER, '{"gallery": ["a"], "ids": []}'], "a gallery's name is text, not"),
        ([HEADER, '{"picture": ["a"], "file": "a"}'], "a picture's id is text, not"),
        ([HEADER[:-1] + ', "measures": 5}'], "measures is a list of texts, not 5"),
        ([HEADER[:-1] + ', "protocol": 5}'], "the header's protocol is an object, not 5"),
        ([HEADER, '{"query": "1", "turns": [{"balance": 1%s}]}' % ("0" * 400)], "a number of 401 digits"),
        ([HEADER, '{"query": "1", "turns": [{"emphasis": [["a", 1e999]]}]}'], "a turn cannot be read"),
        ([HEADER, '{"query": "1", "grades": {"a": "1"}}'], "grades are numbers, not 1"),
        (
            [HEADER, '{"query": "1", "turns": [{"txt": ""}]}'],
            "line 2: a turn cannot be read: a turn has no txt",
        ),
        ([HEADER, '{"query": "1", "turns": ["text"]}'], "line 2: a turn cannot be read"),
        ([HEADER, '{"query": "1", "turns": [{"balance": "x"}]}'], "line 2: a turn cannot be read"),
        ([HEADER, '{"query": "1", "truths": "ab"}'], "line 2: truths is a list of texts, not ab"),
        ([HEADER, '{"query": "1", "grades": [1]}'], "line 2: grades is not an object"),
        ([HEADER, '{"gallery": "", "ids": [1]}'], "line 2: ids is a list of texts"),
        ([HEADER, '{"picture": "a"}'], "line 2: picture a does not say its file"),
        ([HEADER, '{"query": "1"}', '{"query": "1"}'], "line 3: query 1 is there twice"),
    ],
)
def test_a_bad_file_is_named_with_line_and_cause(tmp_path: Path, lines: list[str], said: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(DataError, match=r"bad\.jsonl.*" + said):
        read_benchmark(path)


def test_a_file_that_is_not_there_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.jsonl: No such file"):
        read_benchmark(tmp_path / "none.jsonl")


def test_aspects_of_a_file_from_before_get_their_names_of_today(tmp_path: Path) -> None:
    before = Benchmark(
        name="tableaux-aspects",
        split="val",
        galleries={},
        cases=cases_of([Query("1"), Query("2")], aspects={"1": ("change",), "2": ("negation",)}),
        measures=("Recall @ 1", "Within('change', Recall @ 1)"),
    )
    read = read_benchmark(write_benchmark(before, tmp_path / "b.jsonl"))
    assert [case.aspects for case in read.cases] == [("compare_change",), ("negation",)]
    assert read.measures == ("Recall @ 1", "Within('compare_change', Recall @ 1)")
    other = Benchmark(name="other", split="val", galleries={}, cases=before.cases)
    assert read_benchmark(write_benchmark(other, tmp_path / "o.jsonl")) == other
