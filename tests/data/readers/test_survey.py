"""Surveys as people have them: rows in several forms, what is wrong with them, and the way back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.command import Command

from circlet.core import Benchmark, DataError, UsageError
from circlet.data import load_benchmark, read_benchmark, write_benchmark
from circlet.data.readers.survey import write_survey
from circlet.evaluate.people import judge_figures

HEAD = "participant,reference,text,target,set1,set2,score1,score2,preferred,irrelevant"
FIRST = "ann,r,is darker,t1,a b c,d e f,4,2,1,"
ROWS = [
    FIRST,
    "bob,r,is darker,t1,a b c,d e f,3,3,2,no",
    '"cy, jr.",s,"longer, and red",,"g;h;i","j | k | l",5,1,set 1,',
    "ann,s,flagged,,g h i,j k l,,,,yes",
]


def save(path: Path, *rows: str, head: str = HEAD) -> Path:
    path.write_text("\n".join((head, *rows)) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return save(tmp_path / "survey.csv", *ROWS)


def test_rows_become_cases_with_their_judges(rows: Path) -> None:
    bench = load_benchmark(f"human:{rows}")
    assert {case.id: case.notes.get("judge") for case in bench.cases} == {
        "1/ann": "ann",
        "1/bob": "bob",
        "2": "cy, jr.",
    }
    first, second, third = bench.cases
    assert first.judgement is not None
    assert [(one.images, one.score) for one in first.judgement.sets] == [
        (("a", "b", "c"), 4),
        (("d", "e", "f"), 2),
    ]
    assert (first.target, third.target) == ("t1", None)
    assert second.judgement is not None
    assert second.judgement.preferred == 2
    assert third.subset == tuple("ghijkl")
    assert bench.extra["invalid"] == 1
    figures = judge_figures(bench)
    assert figures is not None
    assert (figures.queries, figures.sets, figures.invalid, figures.shared) == (2, 4, 1, 1)
    # It was flagged and not scored, so there is nothing to keep.
    assert len(load_benchmark(f"human:{rows}?invalid=kept")) == 3


def test_a_flagged_row_with_scores_can_be_kept(tmp_path: Path) -> None:
    path = save(tmp_path / "survey.csv", FIRST, "bob,r,is darker,t1,a b c,d e f,1,1,1,x")
    assert len(load_benchmark(f"human:{path}")) == 1
    kept = load_benchmark(f"human:{path}?invalid=kept")
    assert [case.notes.get("valid", True) for case in kept.cases] == [True, False]
    figures = judge_figures(kept)
    assert figures is not None
    assert figures.invalid == 1


def as_columns(folder: Path) -> Path:
    sets = ",".join(f"set{side}_{place}" for side in (1, 2) for place in (1, 2, 3))
    head = f"Judge,Reference,Caption,Target,{sets},score1,score2,preferred,invalid"
    return save(
        folder / "wide.csv",
        "ann,r,is darker,t1,a,b,c,d,e,f,4,2,1,0",
        "bob,r,is darker,t1,a,b,c,d,e,f,3,3,2,0",
        head=head,
    )


def as_tabs(folder: Path) -> Path:
    rows = [row.replace(",", "\t") for row in (HEAD, *ROWS[:2])]
    return save(folder / "tabs.tsv", *rows[1:], head=rows[0])


def as_semicolons(folder: Path) -> Path:
    rows = [row.replace(",", ";") for row in (HEAD, *ROWS[:2])]
    return save(folder / "semicolons.csv", *rows[1:], head=rows[0])


def as_lines(folder: Path) -> Path:
    path = folder / "rows.jsonl"
    records = [_record(row) | {"set1": list("abc"), "score1": int(row.split(",")[6])} for row in ROWS[:2]]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def as_list(folder: Path) -> Path:
    path = folder / "rows.json"
    path.write_text(json.dumps([_record(row) | {"valid": True} for row in ROWS[:2]]))
    return path


def _record(row: str) -> dict[str, Any]:
    return dict(zip(HEAD.split(","), row.split(","), strict=True))


@pytest.mark.parametrize("form", [as_columns, as_tabs, as_semicolons, as_lines, as_list])
def test_every_form_says_the_same(tmp_path: Path, form: Callable[[Path], Path]) -> None:
    plain = load_benchmark(f"human:{save(tmp_path / 'plain.csv', *ROWS[:2])}")
    found = load_benchmark(f"human:{form(tmp_path)}")
    assert found.cases == plain.cases


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("ann,r,x,t,a b c,d e f,7,2,1,", "line 3: score1 is 7: a score is a number from 1 to 5"),
        ("ann,r,x,t,a b c,d e f,0,2,1,", "line 3: score1 is 0: a score"),
        ("ann,r,x,t,a b c,d e f,good,2,1,", "line 3: score1 is good: a score"),
        ("ann,r,x,t,a b c,d e f,4,,1,", "line 3: score2 is empty: a score"),
        ("ann,r,x,t,a b c,d e f,4,2,3,", "line 3: preferred is 3: write 1 or 2"),
        ("ann,r,x,t,a b c,d e f,4,2,,", "line 3: preferred is empty: write 1 or 2"),
        ("ann,r,x,t,a b c,d e f,4,2,1,maybe", "line 3: irrelevant is maybe: write 1 or 0"),
        ("ann,r,x,t,a b,d e f,4,2,1,", "line 3: set1 has 2 pictures where most sets have 3: name as many"),
        ("ann,r,x,t,a b b,d e f,4,2,1,", "line 3: set1 names b twice"),
        ("ann,r,x,t,,d e f,4,2,1,", "line 3: set1 lacks a picture"),
        ("ann,,x,t,a b c,d e f,4,2,1,", "line 3: reference is empty"),
        (",r,x,t,a b c,d e f,4,2,1,", "line 3: participant is empty: name who answered"),
        (FIRST, "line 3: ann judged the same, the first time in 2; keep one"),
        ("ann,r,x", "line 3: 3 columns where the header has 10"),
        (
            "ann,r,x,t,a b c,d e f,7,9,1,",
            "line 3: score1 is 7: a score is a number from 1 to 5; score2 is 9: a score",
        ),
    ],
)
def test_a_wrong_row_is_one_line_with_its_number(tmp_path: Path, row: str, said: str) -> None:
    path = save(tmp_path / "survey.csv", FIRST, row, "dan,q,y,,a b c,d e f,4,2,1,")
    with pytest.raises(DataError) as caught:
        load_benchmark(f"human:{path}")
    head, *lines = str(caught.value).splitlines()
    assert head == f"{path}: 1 problem(s) to mend first"
    assert len(lines) == 1
    assert lines[0].strip().startswith(said)


def test_a_table_that_is_none_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the header lacks reference"):
        load_benchmark(f"human:{save(tmp_path / 'a.csv', 'x,y', head='text,set1')}")
    with pytest.raises(DataError, match="nothing was judged"):
        load_benchmark(f"human:{save(tmp_path / 'b.csv')}")
    with pytest.raises(DataError, match=r"line 2: no table from here on .*is a quote not closed"):
        load_benchmark(f"human:{save(tmp_path / 'c.csv', 'ann,' + 'x' * 200_000)}")


def test_ids_and_categories_are_taken_where_there_are_any(tmp_path: Path) -> None:
    rows = ["q7,shirt,r,x,a b,c d,4,2,1,note", "q7,shirt,r,x,a b,c e,4,2,1,"]
    head = "id,category,reference,text,set1,set2,score1,score2,preferred,remark"
    with pytest.raises(DataError, match="line 3: id q7 is there twice, the first time in 2"):
        load_benchmark(f"human:{save(tmp_path / 'a.csv', *rows, head=head)}")
    rows = ["ann,q7,shirt,r,x,a b,c d,4.5,2,1,note", "ann,q7,shirt,r,x,a b,c e,4,2,1,"]
    bench = load_benchmark(f"human:{save(tmp_path / 'b.csv', *rows, head='participant,' + head)}")
    assert [case.id for case in bench.cases] == ["q7/ann", "q7/ann/2"]
    assert {case.group for case in bench.cases} == {"shirt"}
    assert bench.cases[0].notes["remark"] == "note"
    assert bench.cases[0].judgement is not None
    assert bench.cases[0].judgement.sets[0].score == 4.5


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_what_is_written_is_read_back(rows: Path, tmp_path: Path, ending: str) -> None:
    bench = load_benchmark(f"human:{rows}")
    again = load_benchmark(f"human:{write_survey(bench, tmp_path / f'again.{ending}')}")
    assert again.cases == bench.cases
    # circlet's own form keeps it, too.
    assert read_benchmark(write_benchmark(bench, tmp_path / "own.jsonl")).cases == bench.cases


def test_what_is_no_survey_is_not_written_as_one(tmp_path: Path) -> None:
    bare = Benchmark(name="toy", split="val", cases=(), galleries={})
    with pytest.raises(UsageError, match="toy is no survey"):
        write_survey(bare, tmp_path / "a.csv")


def test_the_commands_check_count_and_write_it(rows: Path, tmp_path: Path, command: Command) -> None:
    done = command("data", "check", rows.parent)
    for said in ("2 queries", "3 judgements", "3 judges", "1 invalid", "human:"):
        assert said in done.stdout
    told = json.loads(command("data", "stats", f"human:{rows}", "--json").stdout)["judgements"]
    assert (told["queries"], told["sets"], told["invalid"], told["judges"]) == (2, 4, 1, 3)
    out = tmp_path / "out" / "again.tsv"
    command("data", "convert", f"human:{rows}", out, "--form", "survey")
    assert load_benchmark(f"human:{out}").cases == load_benchmark(f"human:{rows}").cases
    refused = command("data", "convert", f"human:{rows}", tmp_path / "a.xlsx", "--form", "survey", code=2)
    assert "a survey is named .csv, .tsv or .jsonl" in refused.stderr
    save(rows, "ann,r,x,t,a b c,d e f,7,2,1,")
    done = command("data", "check", f"human:{rows}", code=1)
    assert "line 2: score1 is 7" in done.stderr
