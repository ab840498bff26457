"""Scored results and agreement with people through the real commands, on plain colours."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.colours import COLOURS, painted
from tests.command import Command

from circlet.core import Benchmark, Case, JudgedSet, Judgement, Query, Turn
from circlet.data import write_benchmark

NAMES = tuple(COLOURS)
PAIRS = [(one, two) for one in NAMES for two in NAMES if one != two]


@pytest.fixture(scope="module")
def colours(tmp_path_factory: pytest.TempPathFactory, at_home: Callable[[Path], Command]) -> Path:
    """A folder with a graded benchmark and a survey of the same pictures."""
    folder = tmp_path_factory.mktemp("relevance")
    at_home(folder / "home")
    images = painted(folder)
    graded = [
        Case(
            query=Query(f"{a}-{b}", (Turn(picture=a, text=f"make it {b}"),)),
            truths=(b,),
            exclude=(a,),
            grades={name: float(name == b) for name in NAMES},
        )
        for a, b in PAIRS
    ]
    write_benchmark(
        Benchmark(
            name="colours",
            split="val",
            cases=tuple(graded),
            galleries={"": NAMES},
            images=images,
            measures=("Grade @ 1", "Recall @ 1"),
        ),
        folder / "colours.jsonl",
    )
    judged = []
    for judge in ("ann", "bob"):
        for number, case in enumerate(graded):
            right, wrong = (
                [name for name in NAMES if case.grades[name]],
                [name for name in NAMES if not case.grades[name] and name not in case.exclude],
            )
            sets = (JudgedSet(tuple(right), 5 - number % 2), JudgedSet(tuple(wrong[:1]), 1 + number % 3))
            judged.append(
                Case(
                    query=Query(f"{case.id}/{judge}", case.query.turns),
                    truths=case.truths,
                    subset=(*right, *wrong[:1]),
                    grades=case.grades,
                    judgement=Judgement(sets, 1 if number % 5 else 2),
                    notes={"judge": judge},
                )
            )
    write_benchmark(
        Benchmark(
            name="survey",
            split="val",
            cases=tuple(judged),
            galleries={},
            images=images,
            measures=("Spearman()", "PreferenceRate()"),
        ),
        folder / "survey.jsonl",
    )
    return folder


def circlet(folder: Path, *words: str, code: int = 0) -> str:
    done = Command(folder / "home")(*words, code=code, cwd=folder, timeout=300)
    return done.stdout if "--json" in words else done.stdout + done.stderr


def test_results_are_scored_measured_and_compared(colours: Path) -> None:
    # A method may stand in a scorer's place: the words know colours best.
    asked = ("--bench", "colours.jsonl", "--relevance", "text")
    table = circlet(colours, "eval", "--method", "text", *asked, "--save", "text.jsonl")
    assert all(said in table for said in ("Rel@10", "Rel@50", "Relevance is by text"))
    circlet(colours, "eval", "--method", "image", "--bench", "colours.jsonl", "--save", "image.jsonl")
    runs = ("--run", "text.jsonl", "--run", "image.jsonl")
    found = json.loads(circlet(colours, "eval", *runs, *asked, "--measure", "Rel@1", "--json"))
    text, image = (row["measures"]["Relevance @ 1"] for row in found["rows"])
    assert text > image
    grades = ("--measure", "Grade@1", "--measure", "Rel@1")
    compared = json.loads(circlet(colours, "compare", "image.jsonl", "text.jsonl", *asked, *grades, "--json"))
    grade, relevance = compared["comparisons"]
    assert (grade["measure"], relevance["measure"]) == ("Grade @ 1", "Relevance @ 1")
    assert relevance["difference"] == pytest.approx(text - image)
    assert grade["difference"] > 0


def test_relevance_without_a_scorer_and_a_scorer_without_results_are_refused(colours: Path) -> None:
    bench = ("--bench", "colours.jsonl")
    said = circlet(colours, "eval", "--method", "text", *bench, "--measure", "Rel@5", code=2)
    assert said.strip() == "circlet: Relevance @ 5 is by a scorer: name one with --relevance"
    said = circlet(colours, "eval", "--relevance", "clauses", *bench, code=2)
    assert "give --method NAME or --run FILE" in said
    said = circlet(colours, "eval", "--method", "text", *bench, "--relevance", "nosuch", code=2)
    assert said.startswith("circlet: no scorer 'nosuch': name a folder")


def test_agreement_with_people_says_how_sure_it_is(colours: Path) -> None:
    asked = ("--bench", "survey.jsonl", "--relevance", "clauses")
    table = circlet(colours, "eval", "--method", "text", *asked, "--save", "judged.jsonl")
    for said in ("Recall@1", "ceiling (the", "text: Spearman", "bootstrap over 12 queries; 48 sets"):
        assert said in table
    found = json.loads(circlet(colours, "eval", "--run", "judged.jsonl", "--bench", "survey.jsonl", "--json"))
    assert found["agreement"]["low"] <= found["measures"]["Spearman()"] <= found["agreement"]["high"]
    rows = {row["method"]: row for row in found["baselines"]}
    assert rows["Recall@1"]["agreement"]["p"] < 0.001
    compared = circlet(colours, "compare", "judged.jsonl", "judged.jsonl", "--bench", "survey.jsonl")
    assert "Spearman()" in compared
    assert "+0.00 … +0.00" in compared


def test_judges_are_compared_by_data_stats(colours: Path) -> None:
    said = circlet(colours, "data", "stats", "survey.jsonl")
    assert "queries judged" in said
    told = json.loads(circlet(colours, "data", "stats", "survey.jsonl", "--json"))["judgements"]
    # Both say the same of everything.
    assert (told["queries"], told["judgements"], told["judges"]) == (12, 24, 2)
    assert (told["shared"], told["scores"], told["preferred"]) == (12, 1.0, 1.0)
