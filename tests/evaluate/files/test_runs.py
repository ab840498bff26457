"""Run files, TREC files and submissions: read back as they were written, refused with the reason."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluate import slow

from circlet.core import Benchmark, DataError, Key, Query, Ranking, Run, Turn, UsageError, cases_of
from circlet.evaluate import Recall, measure, read_run, write_run
from circlet.evaluate.baselines import RandomReference, perfect
from circlet.evaluate.files.submissions import lint_submission, unchecked, write_submission
from circlet.evaluate.files.trec import write_trec

HEADER = '{"circlet": "run", "version": 1, "method": "m"}'
names = st.text(min_size=1, max_size=8)


@st.composite
def rankings(draw: st.DrawFn) -> dict[Key, Ranking]:
    keys = draw(
        st.lists(st.builds(Key, names, st.integers(1, 3), st.integers(0, 2)), max_size=4, unique=True)
    )
    found = {}
    for key in keys:
        ids = draw(st.lists(names, max_size=5, unique=True))
        scores = draw(st.lists(st.floats(-1e3, 1e3, width=32), min_size=len(ids), max_size=len(ids)))
        found[key] = Ranking(ids, sorted(scores, reverse=True))
    return found


@settings(max_examples=50, deadline=None)
@given(rankings(), rankings(), st.none() | st.integers(0, 9))
def test_a_run_is_read_back_bit_by_bit(
    tmp_path_factory: pytest.TempPathFactory,
    whole: dict[Key, Ranking],
    subsets: dict[Key, Ranking],
    seed: int | None,
) -> None:
    run = Run(method="m", rankings=whole, subsets=subsets, seed=seed, protocol="toy val", fingerprint="f:1")
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    assert read_run(write_run(run, path)) == run


def test_trec_keeps_turns_wordings_and_blanks(tmp_path: Path) -> None:
    run = Run(
        method="my method",
        rankings={
            Key("a b", 2, 1): Ranking(["x y", "100%"], [0.75, 0.5]),
            Key("7"): Ranking(["z"], [np.float32(0.1)]),
        },
    )
    path = write_trec(run, tmp_path / "run.trec")
    assert read_run(path) == run


def test_trec_sorts_by_score_and_knows_the_benchmarks_own_ids(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text("mail@2 Q0 a 1 0.1 tag\nmail@2 Q0 b 2 0.9 tag\n")
    assert read_run(path).rankings == {Key("mail", 2): Ranking(["b", "a"], [0.9, 0.1])}
    on = Benchmark(name="toy", split="val", cases=cases_of((Query("mail@2"),)), galleries={})
    assert list(read_run(path, on).rankings) == [Key("mail@2")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "neither a circlet run"),
        ("[1]", "neither a circlet run"),
        ("a Q0 b 1\n", r"line 1: a TREC line is"),
        ("a Q0 b 1 nan t\n", "line 1: the score is not a number"),
        ('{"circlet": "benchmark", "version": 1}', "a circlet benchmark, not a run"),
        ('{"circlet": "run", "version": 2}', "version 2"),
        ('{"circlet": "run", "version": 1}', "does not say the method"),
        (
            HEADER + '\n{"query": "1"}',
            "line 2: a ranking has query, ids",
        ),
        (
            HEADER + '\n{"query": "1", "ids": ["a", "b"], "scores": [1, 2]}',
            "is not best first",
        ),
        (
            HEADER + '\n{"query": "1", "ids": ["a"], "scores": [NaN]}',
            "not a number",
        ),
        (
            HEADER + "\n" + '{"query": "1", "ids": ["a"], "scores": [1]}\n' * 2,
            "line 3: query 1 is ranked twice",
        ),
        (
            HEADER + "".join(f'\n{{"query": "{n}", "ids": ["a"], "scores": [{n}]}}' for n in "12x"),
            "line 4: not JSON",
        ),
        (
            HEADER + "".join(f'\n{{"query": "{n}", "ids": ["a"], "scores": [{n}]}}' for n in (1, 2, "[3]")),
            "line 4: a ranking has query, ids and as many scores",
        ),
        (
            HEADER + "".join(f'\n{{"query": "{n}", "ids": ["a", "b"], "scores": [2, {n}]}}' for n in (1, 3)),
            "line 3: the ranking of query 3 is not best first",
        ),
        (HEADER + '\n{"query": "1", "ids": ["a"], "scores": [2, 1]}', "1 ids but 2 scores"),
        (HEADER + "\n[1]", "line 2: a ranking has query, ids"),
        ('{"1": ["a"], "1": ["b"]}', "query 1 is ranked twice"),
        ('{"1": "a"}', "is not a list of ids"),
        ('{"version": "rc1", "metric": "recall"}', "version 'rc1' of CIRR"),
        ('{"version": "rc2", "metric": "recal", "1": ["a"]}', "metric is 'recal', neither"),
        ('{"version": "rc2", "1": ["a"]}', "metric is None, neither"),
        ('{"1": [true]}', "is not a list of ids"),
        ('{"query": "1", "ids": ["a"], "scores": [1]}', "starts with a header line"),
        (HEADER + '\n{"query": "1", "ids": "ab", "scores": [2, 1]}', "ids and scores are lists"),
        (HEADER.replace("}", ', "seed": "x"}'), "seed is a whole number, not 'x'"),
    ],
)
def test_what_is_no_run_is_refused_with_the_reason(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "run"
    path.write_text(text)
    with pytest.raises(DataError, match=said):
        read_run(path)


def test_parts_of_a_run_are_merged() -> None:
    parts = [Run(method="m", rankings={Key(id): Ranking(["a"], [1])}, seed=0) for id in "123"]
    assert sorted(key.query for key in parts[0].merge(parts[1:]).rankings) == ["1", "2", "3"]
    with pytest.raises(DataError, match="query 1 stands in more than one part"):
        parts[0].merge([parts[0]])
    with pytest.raises(DataError, match="not parts of one: method 'm' against 'n'"):
        parts[0].merge([Run(method="n")])


def cirr() -> Benchmark:
    pictures = tuple(f"test1-{n}" for n in range(60))
    return Benchmark(
        name="cirr",
        split="test1",
        cases=cases_of(
            tuple(Query(str(n), (Turn(picture=pictures[n], text="x"),)) for n in range(3)),
            exclusions={str(n): (pictures[n],) for n in range(3)},
            subsets={str(n): pictures[n + 1 : n + 6] for n in range(3)},
        ),
        galleries={"": pictures},
    )


def cirr_run() -> Run:
    pictures = cirr().galleries[""]
    return Run(method="m", rankings={Key(str(n)): Ranking(pictures, range(60, 0, -1)) for n in range(3)})


def test_a_cirr_submission_is_written_and_read_as_a_run(tmp_path: Path) -> None:
    path = write_submission(cirr_run(), cirr(), tmp_path / "recall.json")
    said = json.loads(path.read_text())
    assert (said.pop("version"), said.pop("metric")) == ("rc2", "recall")
    # The reference is not its own answer.
    assert said["2"][:3] == ["test1-0", "test1-1", "test1-3"]
    assert {len(ids) for ids in said.values()} == {50}
    run = read_run(path)
    assert run.rankings[Key("2")].ids[:3] == ("test1-0", "test1-1", "test1-3")
    subset = write_submission(cirr_run(), cirr(), tmp_path / "subset.json", metric="recall_subset")
    assert read_run(subset).subsets[Key("0")].ids == ("test1-1", "test1-2", "test1-3")


def test_a_circo_submission_holds_numbers(tmp_path: Path) -> None:
    on = Benchmark(name="circo", split="test", cases=cases_of((Query("0"),)), galleries={})
    run = Run(method="m", rankings={Key("0"): Ranking([str(n) for n in range(1, 61)], range(60, 0, -1))})
    path = write_submission(run, on, tmp_path / "circo.json")
    assert json.loads(path.read_text()) == {"0": list(range(1, 51))}
    assert read_run(path).rankings[Key("0")].ids[:2] == ("1", "2")


def test_a_submission_is_measured_like_any_run(tmp_path: Path) -> None:
    on = Benchmark(
        name="circo",
        split="val",
        cases=cases_of((Query("0", (Turn(text="x"),)),), truths={"0": ("7", "9")}),
        galleries={},
        measures=("MAP @ 5",),
    )
    path = tmp_path / "circo.json"
    path.write_text(json.dumps({"0": [7, 1, 9]}))
    assert measure(read_run(path), on).measures["MAP @ 5"] == pytest.approx(100 * (1 + 2 / 3) / 2)


def test_both_files_of_cirr_make_one_run(tmp_path: Path) -> None:
    on = replace(
        cirr(),
        cases=tuple(replace(case, truths=(f"test1-{n + 1}",)) for n, case in enumerate(cirr().cases)),
        measures=("Recall @ 1", "SubsetRecall @ 1", "Mean(Recall @ 1, SubsetRecall @ 1)"),
    )
    recall = read_run(write_submission(cirr_run(), on, tmp_path / "recall.json"))
    subset = read_run(write_submission(cirr_run(), on, tmp_path / "subset.json", metric="recall_subset"))
    # Alone, the second file speaks of subsets only.
    assert measure(subset, on).measures == {"SubsetRecall @ 1": 100.0}
    both = measure(recall.merge([subset]), on).measures
    assert both["SubsetRecall @ 1"] == 100
    assert both["Recall @ 1"] == pytest.approx(100 / 3)


def good() -> dict[str, Any]:
    pictures = cirr().galleries[""]
    return {"version": "rc2", "metric": "recall"} | {str(n): list(pictures[5:55]) for n in range(3)}


def lint(**changes: Any) -> list[str]:
    said = good() | changes
    return lint_submission(
        json.dumps({name: value for name, value in said.items() if value is not None}), cirr()
    )


def test_the_linter_says_why_the_server_would_refuse() -> None:
    first = good()["0"]
    assert lint() == []
    assert lint(version="rc1") == ["version is 'rc1', not 'rc2'"]
    assert lint(metric="map") == ["metric is 'map', neither 'recall' nor 'recall_subset'"]
    assert lint(**{"1": None}) == ["1 of 3 queries are missing, the first missing one is 1"]
    assert lint(**{"9": first}) == ["query 9 is not in cirr test1"]
    assert lint(**{"0": first[:49]}) == ["query 0 has 49 candidates, not 50"]
    assert lint(**{"0": [*first, "test1-55"]}) == ["query 0 has 51 candidates, not 50"]
    assert lint(**{"0": [*first[:49], first[0]]}) == ["query 0 ranks test1-5 twice"]
    assert lint(**{"0": [*first[:49], "dev-1"]}) == ["query 0 ranks dev-1, which is not in its gallery"]
    assert lint(**{"0": [*first[:49], 7]}) == ["query 0 is not a list of names"]
    assert lint(**{"0": "test1-1"}) == ["query 0 is not a list of names"]
    assert lint_submission("[]", cirr()) == ["not a JSON object"]
    assert lint_submission('{"0": [], "0": []}', cirr())[0] == "query 0 is there twice"
    huge = lint_submission(json.dumps(good()) + " " * 5_000_000, cirr())
    assert huge == [f"the file has {len(json.dumps(good())) + 5_000_000:,} bytes, more than 5,000,000"]


def test_the_linter_knows_the_subset_file() -> None:
    three = {str(n): [f"test1-{n + place}" for place in (1, 2, 3)] for n in range(3)}
    said = {"version": "rc2", "metric": "recall_subset"}
    assert lint_submission(json.dumps(said | three), cirr()) == []
    wrong = three | {"1": ["test1-2", "test1-3", "test1-50"]}
    assert lint_submission(json.dumps(said | wrong), cirr()) == [
        "query 1 ranks test1-50, which is not in its subset"
    ]


def test_a_run_that_the_server_would_refuse_is_not_written(tmp_path: Path) -> None:
    short = Run(method="m", rankings={Key("0"): Ranking(["test1-9"], [1])})
    with pytest.raises(DataError, match="the cirr server would refuse this run: query 0 has 1 candidates"):
        write_submission(short, cirr(), tmp_path / "x.json")
    assert not (tmp_path / "x.json").exists()
    toy = Benchmark(name="toy", split="test", cases=(), galleries={})
    with pytest.raises(UsageError, match="toy has no test server"):
        write_submission(short, toy, tmp_path / "x.json")
    with pytest.raises(UsageError, match="knows recall, recall_subset, not 'map'"):
        write_submission(short, cirr(), tmp_path / "x.json", metric="map")


def test_a_random_reference_is_another_one_and_the_same_each_time() -> None:
    pictures = ("p0", "p1", "p2")
    on = Benchmark(
        name="toy",
        split="val",
        cases=cases_of(
            tuple(Query(str(n), (Turn(picture=pictures[n % 3], text="0"),)) for n in range(12)),
            truths={str(n): ("p0",) for n in range(12)},
        ),
        galleries={"": pictures},
    )
    method = RandomReference(slow.Given(np.ones((1, 3), np.float32)), on, seed=1)
    swapped = [method._swapped(query).last.picture for query in on.queries]
    assert all(new != query.last.picture for new, query in zip(swapped, on.queries, strict=True))
    assert swapped == [method._swapped(query).last.picture for query in on.queries]
    assert len(set(swapped)) > 1


def test_a_perfect_run_leads_with_the_target_among_equals() -> None:
    on = Benchmark(
        name="toy",
        split="val",
        cases=cases_of((Query("1", (Turn(text="x"),)),), truths={"1": ("b", "a")}, subsets={"1": ("a", "b")}),
        galleries={"": ("a", "b", "c")},
        measures=("Recall @ 1", "MAP @ 2", "SubsetRecall @ 1", "NDCG @ 3"),
    )
    assert set(measure(perfect(on), on).measures.values()) == {100}


@pytest.mark.parametrize("write", [write_run, write_trec])
def test_a_run_is_written_whole_or_not_at_all(
    tmp_path: Path, write: Callable[[Run, Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(Run(method="m", rankings={Key("1"): Ranking(["a"], [1])}), tmp_path / "new" / "run")
    before = path.read_bytes()

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UsageError, match=r"run: cannot be written there \(No space left on device\)"):
        write(Run(method="other", rankings={Key("2"): Ranking(["b"], [1])}), path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["run"]
    with pytest.raises(UsageError, match=r"cannot be written there \(Is a directory\); name another file"):
        write(Run(method="m"), tmp_path)


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_run(Run(method="m", rankings={Key("1"): Ranking(["a"], [1])}), pipe)
    assert b'"query": "1"' in os.read(reader, 1000)
    os.close(reader)
    assert pipe.is_fifo()


def test_windows_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    text = HEADER + '\r\n{"query": "1", "ids": ["a"], "scores": [1]}\r\n'
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert read_run(path).rankings == {Key("1"): Ranking(["a"], [1])}


def test_scores_are_ranked_as_the_file_says_them(tmp_path: Path) -> None:
    """Sigmoid scores near one are distinct doubles and equal singles: as singles they would all tie."""
    scores = [1 - 1e-12 * place for place in range(4)]
    on = Benchmark(
        name="toy", split="val", cases=cases_of((Query("1", (Turn(text="x"),)),), truths={"1": ("a",)}),
        galleries={"": tuple("abcd")},
    )  # fmt: skip
    lines = [
        json.dumps({"circlet": "run", "version": 1, "method": "sigmoid"}),
        json.dumps({"query": "1", "ids": list("abcd"), "scores": scores}),
    ]
    (tmp_path / "run.jsonl").write_text("\n".join(lines))
    pairs = enumerate(zip("abcd", scores, strict=True))
    (tmp_path / "run.trec").write_text("".join(f"1 Q0 {id} {at} {score!r} m\n" for at, (id, score) in pairs))
    for name in ("run.jsonl", "run.trec"):
        run = read_run(tmp_path / name, on)
        assert measure(run, on, [Recall @ 1]).measures == {"Recall @ 1": 100.0}
    again = read_run(write_run(read_run(tmp_path / "run.jsonl"), tmp_path / "again.jsonl"))
    assert again.rankings[Key("1")].scores.tolist() == scores


def test_a_file_for_the_server_is_of_the_servers_split(tmp_path: Path) -> None:
    on = Benchmark(name="cirr", split="val", cases=(), galleries={})
    with pytest.raises(UsageError, match="takes the split test1, not val: name cirr:ROOT:test1"):
        write_submission(Run(method="m"), on, tmp_path / "recall.json")


def test_the_linter_sees_what_a_server_would_not_take() -> None:
    on = Benchmark(
        name="circo", split="test", cases=cases_of((Query("0"),), exclusions={"0": ("7",)}), galleries={}
    )
    good = list(range(10, 60))
    assert lint_submission(json.dumps({"0": good}), on) == []
    assert unchecked(on) == "whether its ids exist: the list of circo's pictures is not there"
    assert "byte order mark" in lint_submission("\ufeff" + json.dumps({"0": good}), on)[0]
    assert "its own reference" in lint_submission(json.dumps({"0": [7, *good[1:]]}), on)[0]
    # CIRR's server wants the reference left out, whichever protocol is named.
    queries = (Query("0", (Turn(picture="r", text="x"),)),)
    kept = Benchmark(name="cirr", split="test1", cases=cases_of(queries), galleries={"": (*"abcr",)})
    said = lint_submission(json.dumps({"version": "rc2", "metric": "recall", "0": ["r"]}), kept)
    assert said == ["query 0 has 1 candidates, not 50", "query 0 ranks r, its own reference"]
    for id in (0, -3, 10**9):
        assert "no picture of COCO" in lint_submission(json.dumps({"0": [id, *good[1:]]}), on)[0]


def test_a_ranking_may_begin_above_the_end_of_the_one_before(tmp_path: Path) -> None:
    lines = [HEADER, *(f'{{"query": "{n}", "ids": ["a", "b"], "scores": [{n}, 0]}}' for n in (1, 2, 3))]
    lines.insert(2, '{"query": "empty", "ids": [], "scores": []}')
    (tmp_path / "run.jsonl").write_text("\n".join(lines))
    run = read_run(tmp_path / "run.jsonl")
    assert [ranking.scores.tolist() for ranking in run.rankings.values()] == [[1, 0], [], [2, 0], [3, 0]]
