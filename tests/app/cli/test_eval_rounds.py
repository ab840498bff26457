"""`circlet eval --rounds` through the real command, in a small world."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.command import Command
from tests.worlds import World


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, at_home: Callable[[Path], Command]) -> Command:
    return at_home(tmp_path_factory.mktemp("rounds") / "home")


def test_rounds_begin_with_plain_evaluation(home: Command, drawn: World, tmp_path: Path) -> None:
    bench = f"tableaux:cir:{drawn.root}:val"
    play = (
        "eval",
        "--bench",
        bench,
        "--method",
        "balanced",
        "--history",
        "belief",
        "--rounds",
        "3",
        "--json",
    )
    first = home(*play, "--save", tmp_path / "run.jsonl", timeout=300).stdout
    told = json.loads(first)
    measures = told["measures"]
    assert "rounds=3 shown=10 seen=picked user=truth picks=best" in told["protocol"]
    assert {row["method"] for row in told["baselines"]} == {"image only", "text only"}
    assert measures["Hits(turn=3) @ 10"] >= measures["FinalRecall(turn=3) @ 10"]
    assert measures["FinalRecall(turn=3) @ 10"] > measures["FinalRecall(turn=1) @ 10"]
    plain = json.loads(home("eval", "--bench", bench, "--method", "balanced", "--json", timeout=300).stdout)
    for cutoff in (1, 5, 10):
        assert measures[f"FinalRecall(turn=1) @ {cutoff}"] == plain["measures"][f"Recall @ {cutoff}"]
    assert home(*play, timeout=300).stdout == first
    # The run has every turn that was played.
    assert '"turn": 3' in (tmp_path / "run.jsonl").read_text()


def test_what_is_asked_wrongly_is_said(home: Command, drawn: World) -> None:
    bench = f"tableaux:cir:{drawn.root}:val"
    said = home("eval", "--bench", bench, "--method", "sum", "--rounds", "2", "--user", "me", code=2)
    assert "no user 'me': pick one of truth, captions, instruct" in said.stderr
    said = home("eval", "--bench", bench, "--rounds", "2", "--run", "run.jsonl", code=2)
    assert "rounds are played by methods" in said.stderr
    given = ("--user-with", "patient=3")
    said = home("eval", "--bench", bench, "--method", "sum", "--rounds", "2", *given, code=2)
    assert "a user has patience, noise, needs" in said.stderr
