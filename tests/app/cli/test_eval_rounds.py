"""`circlet eval --rounds` through the real command, in a small world."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.command import Command
from tests.moods import KEY, looked, moody, paid
from tests.worlds import World

from circlet.data import write_benchmark
from circlet.testing import FakeChatServer


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
    first = home(*play, "--save", tmp_path / "run.jsonl", timeout=900).stdout
    told = json.loads(first)
    measures = told["measures"]
    assert "rounds=3 shown=10 seen=picked user=truth picks=best" in told["protocol"]
    assert {row["method"] for row in told["baselines"]} == {"image only", "text only"}
    assert measures["Hits(turn=3) @ 10"] >= measures["FinalRecall(turn=3) @ 10"]
    assert measures["FinalRecall(turn=3) @ 10"] > measures["FinalRecall(turn=1) @ 10"]
    plain = json.loads(home("eval", "--bench", bench, "--method", "balanced", "--json", timeout=900).stdout)
    for cutoff in (1, 5, 10):
        assert measures[f"FinalRecall(turn=1) @ {cutoff}"] == plain["measures"][f"Recall @ {cutoff}"]
    assert home(*play, timeout=900).stdout == first
    # The run has every turn that was played.
    assert '"turn": 3' in (tmp_path / "run.jsonl").read_text()


def few(drawn: World, folder: Path) -> Path:
    """A benchmark of ten queries."""
    whole = drawn.bench("cir", "val")
    return write_benchmark(whole.only(whole.queries[:10]), folder / "few.jsonl")


@pytest.mark.parametrize(
    ("user", "about"),
    [
        (("instruct", "--user-with", "words=10"), "about 10 words"),
        (("instruct", "--user-with", "words=30", "--user-with", "aspect=negation"), "of negation only"),
        (("captions",), "one change only"),
    ],
)
def test_a_user_who_writes_by_a_server_with_moods(
    home: Command,
    drawn: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    user: tuple[str, ...],
    about: str,
) -> None:
    monkeypatch.setenv("CIRCLET_LLM_KEY", KEY)
    with FakeChatServer(looked) as server:
        server.at_times = moody
        run = tmp_path / "run.jsonl"
        play = (
            "eval", "--bench", few(drawn, tmp_path), "--method", "sum", "--history", "belief", "--json",
            "--rounds", "3", "--user", *user, "--server", server.url, "--model", "see", "--save", run,
        )  # fmt: skip
        done = home(*play, timeout=900)
        calls = len(server.asked)
        troubles = sum(moody(number) is not None for number in range(1, calls + 1))
        assert paid(done.stderr, "see") == calls - troubles, "every answer was used and paid for once"
        most = int(done.stderr.split("at most ")[1].split(" call")[0].replace(",", ""))
        assert calls - troubles <= most
        assert about in str(server.asked), "the prompt says what kind of instruction is wanted"
        # Again: nothing is asked, and nothing differs.
        again = home(*play, timeout=900)
        assert again.stdout == done.stdout
        assert len(server.asked) == calls
        assert paid(again.stderr, "see") == 0
    assert f"user={user[0]}-see" in json.loads(done.stdout)["protocol"]
    assert set(server.keys) == {f"Bearer {KEY}"}
    written = [run, *(path for path in home.home.rglob("answers/**/*.json"))]
    assert not [path for path in written if KEY in path.read_text()]
    assert KEY not in done.stdout + done.stderr


def test_who_looks_at_the_first_only_has_nothing_else_described(
    home: Command, drawn: World, tmp_path: Path
) -> None:
    with FakeChatServer(looked) as server:
        by = ("--server", server.url, "--model", "once", "--no-baselines", "--json")
        play = ("--rounds", "2", "--user", "instruct", "--picks", "first", "--shown", "1", *by)
        home("eval", "--bench", few(drawn, tmp_path), "--method", "sum", *play, timeout=900)
        described = [body for body in server.asked if not isinstance(body["messages"][0]["content"], str)]
    # Of each session at most the first result and the target.
    assert 2 <= len(described) <= 20


def test_what_is_asked_wrongly_is_said(home: Command, drawn: World) -> None:
    bench = f"tableaux:cir:{drawn.root}:val"
    said = home("eval", "--bench", bench, "--method", "sum", "--rounds", "2", "--user", "me", code=2)
    assert "no user 'me': pick one of truth, captions, instruct" in said.stderr
    said = home("eval", "--bench", bench, "--rounds", "2", "--run", "run.jsonl", code=2)
    assert "rounds are played by methods" in said.stderr
    given = ("--user-with", "patient=3")
    said = home("eval", "--bench", bench, "--method", "sum", "--rounds", "2", *given, code=2)
    assert "a user has patience, noise, needs" in said.stderr
    said = home("eval", "--bench", bench, "--method", "sum", "--server", "http://127.0.0.1:9/v1", code=2)
    assert "say how many --rounds it plays" in said.stderr
    given = ("--rounds", "2", "--user", "instruct", "--user-with", "aspect=style")
    said = home("eval", "--bench", bench, "--method", "sum", *given, code=2)
    assert "no aspect 'style' to instruct about: pick one of cardinality" in said.stderr
