"""`circlet build sessions` through the real command: a world, a folder, and a server with moods."""

import json
import signal
import subprocess
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.command import Command
from tests.moods import KEY, looked, moody, paid
from tests.worlds import World

from circlet.models import load_encoder
from circlet.models.encoders.sentences import Sentences
from circlet.models.features import FeatureStore
from circlet.testing import FakeChatServer


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, at_home: Callable[[Path], Command]) -> Command:
    return at_home(tmp_path_factory.mktemp("sessions") / "home")


def test_a_world_gives_sessions_that_can_be_measured(home: Command, drawn: World, tmp_path: Path) -> None:
    out = tmp_path / "sessions.jsonl"
    asked = ("--base", "balanced", "--user", "truth", "--picks", "best", "--seed", "0")
    build = ("build", "sessions", f"tableaux:cir:{drawn.root}:val", "--out", out, *asked)
    said = home(*build, timeout=900).stdout
    assert "| Init | Δ Succ | Δ Multi | Δ Rank | Δ Text | Final |" in said
    numbers = [int(cell) for cell in said.splitlines()[3].strip("| ").split(" | ")]
    assert numbers[0] - sum(numbers[1:-1]) == numbers[-1] > 0
    assert "left by tau: 0.5:" in said
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(before) == {
        "sessions.jsonl", "sessions.circled.json", "sessions.unfiltered.jsonl", "sessions.made.jsonl",
    }  # fmt: skip
    # Cut in the middle of a line, as a kill leaves it, and gone on with.
    book = tmp_path / "sessions.made.jsonl"
    book.write_bytes(before["sessions.made.jsonl"][:20_000])
    home(*build, timeout=900)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    told = json.loads(
        home("eval", "--bench", out, "--method", "sum", "--history", "weighted", "--json", timeout=900).stdout
    )
    assert "base=balanced+feedback" in told["protocol"]
    assert 0 <= told["measures"]["FinalRecall @ 10"] <= 100


def killed_at(start: Callable[[], "subprocess.Popen[str]"], book: Path, lines: int) -> int:
    """Kill -9 as soon as the book has so many lines; how many it has then. Who was faster begins anew."""
    for _ in range(9):
        before = book.read_bytes() if book.exists() else b""
        with start() as run:
            while run.poll() is None and (not book.exists() or book.read_bytes().count(b"\n") < lines):
                time.sleep(0.01)
            run.kill()
            run.communicate()
        if run.returncode == -signal.SIGKILL:
            return book.read_bytes().count(b"\n")
        assert run.returncode == 0
        book.write_bytes(before)
    raise AssertionError("it was never caught at its work")


def test_kill_minus_nine_at_several_moments_ends_with_the_same_bytes(
    home: Command, drawn: World, tmp_path: Path
) -> None:
    source = f"tableaux:cir:{drawn.root}:val"
    build = ("build", "sessions", source, "--base", "balanced", "--user", "truth", "--picks", "best", "--out")
    home(*build, tmp_path / "whole" / "a.jsonl", timeout=900)
    whole = {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()}
    lines = whole["a.made.jsonl"].count(b"\n")
    book = tmp_path / "broken" / "a.made.jsonl"
    for wanted in (1, lines // 3, 2 * lines // 3):
        there = killed_at(lambda: home.start(*build, tmp_path / "broken" / "a.jsonl"), book, wanted)
        assert wanted <= there
        assert whole["a.made.jsonl"].startswith(book.read_bytes())
        # A kill in the middle of a write leaves half a line.
        book.write_bytes(book.read_bytes() + b'{"id": "half of it')
    home(*build, tmp_path / "broken" / "a.jsonl", timeout=900)
    assert {path.name: path.read_bytes() for path in (tmp_path / "broken").iterdir()} == whole


def test_ranks_and_cosines_of_the_commands_own_sessions_recomputed(
    home: Command, drawn: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the written file and the pictures' vectors: equation 9 in numpy, nothing of circlet's ranking."""
    monkeypatch.setenv("CIRCLET_HOME", str(home.home))
    out, bench = tmp_path / "a.jsonl", drawn.bench("cir", "val")
    by = ("--base", "image", "--user", "truth", "--picks", "best")
    home("build", "sessions", f"tableaux:cir:{drawn.root}:val", *by, "--out", out, timeout=900)
    features, _ = FeatureStore().features(bench.images, load_encoder("builtin"))
    vectors = dict(zip(features.ids, np.asarray(features.vectors, np.float64), strict=True))
    sessions = [line for line in map(json.loads, out.read_text().splitlines()) if "query" in line]
    assert sessions
    for line in sessions:
        turns, target = line["turns"], line["truths"][0]
        said = np.asarray(Sentences().texts([turn["text"] for turn in turns]), np.float64)
        assert (said @ said.T)[np.triu_indices(len(said), 1)].max() < 0.8
        query, gone = vectors[turns[0]["picture"]], {turns[0]["picture"]}
        for turn, rank, follows in zip(turns, line["notes"]["ranks"], [*turns[1:], None], strict=True):
            own = vectors[turn["picture"]]
            if turn is not turns[0]:
                passed = np.mean([vectors[id] for id in turn["shown"] if id != turn["picture"]], axis=0)
                query = query + 0.08 * own - 0.29 * passed + 0.44 * own
                query /= np.linalg.norm(query)
                gone.add(turn["picture"])
            scores = {id: float(vectors[id] @ query) for id in bench.galleries[""] if id not in gone}
            # The command counts in single precision: what is nearer than that counts as equal.
            ahead = [score - scores[target] for id, score in scores.items() if id != target]
            assert sum(by > 1e-5 for by in ahead) < rank <= 1 + sum(by > -1e-5 for by in ahead)
            if follows is not None:
                tenth = sorted(scores.values())[-10]
                assert len(follows["shown"]) == 10
                assert min(scores[id] for id in follows["shown"]) > tenth - 1e-5
        ranks = line["notes"]["ranks"]
        assert ranks[0] > 10 >= ranks[-1]
        assert all(after <= before + 30 for before, after in pairwise(ranks))


def test_a_folder_of_ones_own(home: Command, drawn: World, tmp_path: Path) -> None:
    out = tmp_path / "mine.jsonl"
    said = home("build", "sessions", drawn.root / "images", "--count", "40", "--out", out, timeout=900).stdout
    assert "user=captions-rules" in said
    lines = [json.loads(line) for line in (tmp_path / "mine.made.jsonl").read_text().splitlines()[1:]]
    assert lines
    assert all(turn["text"] and turn["picture"] for line in lines for turn in line["turns"])


def test_a_folder_too_small_for_sessions_says_what_would_help(
    home: Command, drawn: World, tmp_path: Path
) -> None:
    few = tmp_path / "few"
    few.mkdir()
    for picture in sorted(drawn.root.glob("images/**/*.jpg"))[:9]:
        (few / picture.name).symlink_to(picture)
    done = home("build", "sessions", few, "--out", tmp_path / "few.jsonl", timeout=900)
    assert "few.jsonl: 0 sessions" in done.stdout
    assert "the target was found in the first turn: name a folder of more pictures" in done.stderr


def test_a_server_with_moods_is_asked_until_everything_is_there_and_no_further(
    home: Command, drawn: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CIRCLET_LLM_KEY", KEY)
    out = tmp_path / "sessions.jsonl"
    with FakeChatServer(looked) as server:
        server.at_times = moody
        build = ("build", "sessions", f"tableaux:cir:{drawn.root}:val", "--out", out, "--count", "12")
        by = ("--server", server.url, "--model", "see")
        first = home(*build, *by, timeout=900)
        calls = len(server.asked)
        assert "calls and about" in first.stderr
        told = paid(first.stderr, "see")
        troubles = sum(moody(number) is not None for number in range(1, calls + 1))
        assert told == calls - troubles, "every answer was used and paid for once"
        assert told <= int(first.stderr.split("at most ")[1].split(" call")[0].replace(",", ""))
        made = out.with_suffix(".made.jsonl").read_bytes()
        assert len(made.splitlines()) == 13
        # What was answered is kept: made anew, it asks for nothing and is the same.
        out.with_suffix(".made.jsonl").unlink()
        home(*build, *by, timeout=900)
        assert len(server.asked) == calls
        assert out.with_suffix(".made.jsonl").read_bytes() == made
    assert set(server.keys) == {f"Bearer {KEY}"}
    written = [path for path in (*tmp_path.rglob("*"), *home.home.rglob("*.json")) if path.is_file()]
    assert not [path for path in written if KEY.encode() in path.read_bytes()]
    assert KEY not in first.stdout + first.stderr


def test_a_judge_with_moods_scores_everything(
    home: Command, drawn: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CIRCLET_LLM_KEY", KEY)
    bench, scores = f"tableaux:cir:{drawn.root}:val", tmp_path / "scores.jsonl"
    with FakeChatServer(looked) as server:
        server.at_times = moody
        by = ("--server", server.url, "--model", "judge", "--out", scores)
        done = home("data", "judge", bench, "--concat", bench, "--most", "6", *by, timeout=900)
    assert "at most 36 calls and about" in done.stderr
    assert "| concatenated | 6 |" in done.stdout
    assert "4.00 ± 0.00 | 5.00 ± 0.00 | 3.00 ± 0.00 | 4.00 ± 0.00 | 4.00 ± 0.00 |" in done.stdout
    assert paid(done.stderr, "judge") == 12
    assert [json.loads(line)["progress"] for line in scores.read_text().splitlines()] == [3.0] * 12
    assert KEY not in done.stdout + done.stderr + scores.read_text()
    # Without a server rules judge the same sessions.
    ruled = home("data", "judge", bench, "--concat", bench, "--most", "6", timeout=900).stdout
    assert "| concatenated | 6 |" in ruled
    assert "| – |" in ruled, "how natural words are, no rule tells"


def test_a_judge_who_does_not_score_is_asked_again_and_what_he_said_is_not_kept(
    home: Command, drawn: World, tmp_path: Path
) -> None:
    bench = f"tableaux:cir:{drawn.root}:val"
    with FakeChatServer(lambda content: "I like it.") as server:
        judge = ("data", "judge", bench, "--most", "3", "--server", server.url, "--model", "sulky")
        failed = home(*judge, code=1, timeout=900)
        assert "3 answers without five scores from 1 to 5" in failed.stderr
        server.answer = lambda content: looked(content) if "number 1" in str(content) else "Well."
        done = home(*judge, timeout=900)
        assert paid(done.stderr, "sulky") == 6, "nonsense first, then scores, of each of three sessions"
        asked = len(server.asked)
        assert home(*judge, timeout=900).stdout == done.stdout
        assert len(server.asked) == asked + 3, "scores are kept, nonsense is asked for anew"
    said = home("data", "judge", drawn.root / "cir.val.jsonl", "--model", "sulky", code=2).stderr
    assert "--model sulky of which server? name it with --server URL" in said


def test_a_server_that_is_gone_is_one_line_and_nothing_is_lost(
    home: Command, drawn: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CIRCLET_LLM_KEY", KEY)
    out = tmp_path / "sessions.jsonl"
    with FakeChatServer(looked) as server:
        # A key that stops being good is not asked about again and again.
        server.at_times = lambda number: (401, b'{"error": "no credit"}') if number > 20 else None
        build = ("build", "sessions", f"tableaux:cir:{drawn.root}:test", "--out", out, "--count", "4")
        failed = home(*build, "--server", server.url, "--model", "see", code=1, timeout=900)
        assert "401 Unauthorized: no credit" in failed.stderr
        assert KEY not in failed.stderr
        assert paid(failed.stderr, "see") == 20, "what was paid for is told, though it came to nothing"
        refused = len(server.asked)
        server.at_times = lambda number: None
        home(*build, "--server", server.url, "--model", "see", timeout=900)
        prompts = [json.dumps(body) for body in server.asked[:20]]
        later = {json.dumps(body) for body in server.asked[refused:]}
        assert not [one for one in prompts if one in later], "what was answered is not asked again"


def test_what_is_asked_wrongly_is_said(home: Command, drawn: World, tmp_path: Path) -> None:
    source = f"tableaux:cir:{drawn.root}:val"
    said = home("build", "sessions", source, "--out", tmp_path / "a.json", code=2).stderr
    assert "written as a .jsonl file" in said
    out = tmp_path / "a.jsonl"
    said = home("build", "sessions", source, "--out", out, "--deviate", "more", code=2, timeout=900).stderr
    assert "no deviation 'more': pick of similar-texts" in said
