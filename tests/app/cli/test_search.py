"""`circlet search`, `session` and their kin through the real command, for people and for programs."""

import csv
import io
import json
import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory, at_home: Any) -> Any:
    """A home with one indexed folder of plain pictures, shared by the tests that only read."""
    place = tmp_path_factory.mktemp("search")
    command, folder = at_home(place / "home"), place / "pictures"
    folder.mkdir()
    for name in ("red", "green", "blue", "yellow"):
        Image.new("RGB", (320, 240), name).save(folder / f"{name}.jpg")
    Image.new("RGB", (320, 240), "red").save(folder / "red again.jpg")
    command("index", folder)
    command.folder = folder
    return command


def test_json_is_an_object_of_query_and_results(indexed: Any) -> None:
    said = json.loads(indexed("search", indexed.folder / "red.jpg", "blue", "--top", "3", "--json").stdout)
    assert said["query"]["turns"] == [{"picture": str(indexed.folder / "red.jpg"), "text": "blue"}]
    assert [hit["rank"] for hit in said["results"]] == [1, 2, 3]
    keys = {"rank", "score", "relevance", "path", "seconds", "folded", "below", "checks"}
    assert all(set(hit) == keys for hit in said["results"])
    assert {(hit["seconds"], hit["relevance"]) for hit in said["results"]} == {(None, None)}
    assert [[check["clause"] for check in hit["checks"]] for hit in said["results"]] == [
        ["as in red.jpg", "in blue"]
    ] * 3
    assert all(0 <= check["probability"] <= 1 for hit in said["results"] for check in hit["checks"])
    assert said["left_out"] == [str(indexed.folder / "red.jpg")]
    scores = [hit["score"] for hit in said["results"]]
    assert scores == sorted(scores, reverse=True)


def test_csv_has_a_heading_and_a_line_a_hit(indexed: Any) -> None:
    rows = list(csv.DictReader(io.StringIO(indexed("search", "red", "--csv", "--top", "9").stdout)))
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4"]
    folded = {Path(row["path"]).name: row["folded"] for row in rows}
    assert folded["red again.jpg"] == str(indexed.folder / "red.jpg")


def test_lines_are_rank_score_and_path_and_a_pipe_gets_nothing_else(indexed: Any) -> None:
    done = indexed("search", indexed.folder / "red.jpg", "--all", "--no-fold")
    ranks = [line.split()[0] for line in done.stdout.splitlines()]
    assert ranks == ["1", "2", "3", "4"]
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stderr == f"left out: {indexed.folder / 'red.jpg'} (it is part of the question)\n"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["search"], "missing argument"),
        (["search", "red", "--tpo", "3"], "no such option"),
        (["search", "red", "--top", "many"], "'many' is not a valid integer"),
        (["search", "red", "--weight", "night"], "write it as 2:night"),
        (["search", "red", "--after", "yesterday"], "write it as 2024-07-31"),
        (["search", "red", "--method", "sun"], "unknown method 'sun'"),
        (["search", "red", "--rerank", "sun"], "no scorer 'sun': name a folder that circlet train wrote"),
        (["search", "red", "--rerank", "/nowhere/at/all"], "/nowhere/at/all is no checkpoint"),
        (["session", "--rerank", "sun"], "no scorer 'sun'"),
        (["serve", "--port", "0", "--rerank", "sun"], "no scorer 'sun'"),
        (["search", "red", "--in", "/nowhere"], "/nowhere is not indexed"),
        (["search", "lost.jpg", "at night"], "lost.jpg: there is no such picture"),
        (["search", "red", "--sheet", "out.docx"], "a contact sheet is a .png or a .html file"),
        (["serach", "red"], "no such command"),
        (["completion", "cmd"], "'cmd' is not one of"),
        (["index", "/nowhere"], "/nowhere: is not there"),
        (["search", "\udcff"], "is not valid text: write it in UTF-8"),
        (["forget", "/nowhere/\udcff.jpg"], "this name is not valid text"),
    ],
)
def test_a_wrong_command_is_one_sentence_and_code_two(indexed: Any, asked: list[str], says: str) -> None:
    done = indexed(*asked, code=2)
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr.lower() or says in done.stderr


def test_no_command_shows_the_commands(indexed: Any) -> None:
    said = indexed(code=2).stderr
    assert said.startswith("Usage: circlet")
    assert "Find pictures by a picture, words or both." in said


def test_a_page_without_pictures_says_why(indexed: Any) -> None:
    assert "the filters" in indexed("search", "red", "--after", "2150", "--all").stderr
    assert indexed("search", "red", "--start", "99").stderr == "these were all the results\n"


def test_pictures_that_the_encoder_has_not_read_are_counted(command: Any, picture: Any) -> None:
    folder = picture("red.jpg").parent
    command("index", folder)
    catalogue = sqlite3.connect(command.home / "index" / "catalogue.sqlite")
    with catalogue:
        # As after a kill between a picture's tiny copy and its vector.
        catalogue.execute(
            "INSERT INTO pictures SELECT 99, path || '2', folder, size, mtime_ns, hash, width, "
            "height, taken, moment, changed, key FROM pictures"
        )
    catalogue.close()
    assert "1 indexed pictures are not searched" in command("search", "red", "--all").stderr


def test_nothing_indexed_says_what_to_do(command: Any) -> None:
    assert "circlet index FOLDER" in command("search", "red", code=1).stderr
    assert "nothing is indexed yet" in command("info").stdout
    assert "name a folder" in command("index", code=2).stderr


def test_a_session_through_a_pipe(indexed: Any, tmp_path: Path) -> None:
    lines = [
        "a red square",
        "like 1",
        "not blue",
        f"{indexed.folder / 'green.jpg'} brighter",
        "history",
        "undo",
        "back to 1",
        "branch cold",
        "say blue",
        "history",
        f"save {tmp_path / 'talk.json'}",
        "switch main",
        f"load {tmp_path / 'talk.json'}",
        f"sheet {tmp_path / 'talk.png'}",
        "quit",
        "never reached",
    ]
    said = indexed("session", feed="\n".join(lines)).stdout
    assert "  4  green.jpg, brighter" in said
    assert "on branch 2; switch main goes back to the later turns" in said
    assert "branches: main 2 [cold]" in said
    assert "never reached" not in said
    assert "the last turn brought nothing new into the first" in said, "so few pictures are always all there"
    saved = json.loads((tmp_path / "talk.json").read_text())
    assert [turn["text"] for turn in saved["branches"]["cold"]] == ["a red square", "blue"]
    assert Image.open(tmp_path / "talk.png").size[0] == 1280
    wrong = indexed("session", code=1, feed="like 3\nred\nlike 99\npick 1 at night\n")
    assert wrong.stderr.splitlines() == [
        "circlet: there is no result 3; there are none yet: say something first",
        "circlet: there is no result 99; there are 1 to 4",
    ]
    feed = f"red\nlike\nsave {tmp_path}/it's.json\nsay \udcff\nhistory\n"
    wrong = indexed("session", code=1, feed=feed, errors="surrogateescape")
    assert wrong.stderr.splitlines() == [
        "circlet: like what? Write like 3; to search for the word itself, say like",
        "circlet: '\\udcff' is not valid text: write it in UTF-8",
    ]
    assert wrong.stdout.endswith("  1  red\nbranches: [main]\n")
    assert (tmp_path / "it's.json").exists()


def test_what_strangers_wrote_is_not_obeyed_by_the_terminal(indexed: Any, tmp_path: Path) -> None:
    nasty = "red\x1b]0;owned\x07\u202e\x9b2J"
    branches = {"main": [{"text": nasty}], nasty: [{"text": nasty}]}
    saved = {"circlet": "session", "version": 1, "branches": branches}
    (tmp_path / "s.json").write_text(json.dumps(saved), encoding="utf-8")
    told = indexed("session", tmp_path / "s.json", feed="history\nbranch main\n", code=1)
    wrong = indexed("eval", "--run", tmp_path / "s.json", "--bench", f"no{nasty}", code=2)
    for text in (told.stdout, told.stderr, wrong.stderr):
        assert not set("\x1b\x07\u202e\x9b") & set(text)
    assert "red\\x1b]0;owned" in told.stdout
    assert "\\u202e" in told.stdout


def test_why_is_a_line_under_each_result(indexed: Any) -> None:
    asked = ("search", indexed.folder / "red.jpg", "blue; two of them", "--not", "green", "--all")
    lines = indexed(*asked, "--why").stdout.splitlines()
    assert lines[::2] == indexed(*asked).stdout.splitlines()
    mark = r"[✓✗] [01]\.\d\d"
    under = rf"     as in red\.jpg {mark} · in blue {mark} · two not checked · no green {mark}"
    assert all(re.fullmatch(under, line) for line in lines[1::2]), lines
    told = {line.split("/")[-1]: why for line, why in zip(lines[::2], lines[1::2], strict=True)}
    assert "in blue ✓" in told["blue.jpg"]
    assert "in blue ✗" in told["yellow.jpg"]
    talk = indexed(
        "session", feed=f"{indexed.folder / 'red.jpg'} blue; two of them\nnot green\nwhy 1\nwhy\n", code=1
    )
    assert talk.stdout.splitlines()[-2:] == [lines[0], lines[1]]
    assert "why what? Write why 2" in talk.stderr


TOY = ("--rerank", "circlet.testing:ToyScorer")


def test_a_scorer_orders_again_and_its_percentages_are_a_column(indexed: Any) -> None:
    lines = indexed("search", "blue", *TOY, "--no-pictures").stdout.splitlines()
    assert re.fullmatch(r"  1  0\.\d{3}   \d\d %  .*/blue\.jpg", lines[0])
    assert all(re.fullmatch(r"  \d  0\.\d{3}    \d %  .*  \(below the cut-off\)", line) for line in lines[1:])
    said = json.loads(indexed("search", "blue", *TOY, "--json").stdout)
    first, *others = (hit["relevance"] for hit in said["results"])
    assert first > said["relevance_cutoff"] > max(others)
    assert (said["cutoff"], said["missed"]) == (None, None)
    [row, *_] = csv.DictReader(io.StringIO(indexed("search", "blue", *TOY, "--csv").stdout))
    assert float(row["relevance"]) == pytest.approx(first, abs=1e-5)
    [plain, *_] = csv.DictReader(io.StringIO(indexed("search", "blue", "--csv").stdout))
    assert plain["relevance"] == ""


def test_nothing_matches_says_how_near_the_best_is(indexed: Any) -> None:
    asked = (indexed.folder / "red.jpg", "a dog", *TOY)
    said = indexed("search", *asked, code=1)
    assert said.stdout == ""
    missed = json.loads(indexed("search", *asked, "--json").stdout)["missed"]
    assert missed["relevance"] < 0.5
    near = f"the best result has a relevance of {max(1, round(100 * missed['relevance']))} %"
    least = missed["worst"]
    least = f", and “{least['clause']}” holds least in it ({least['probability']:.2f})" if least else ""
    told = f"nothing matches red.jpg, a dog: {near}{least}; --all shows the nearest anyway"
    assert said.stderr.splitlines()[-1] == told
    talk = indexed("session", *TOY, feed="blue\na dog\nalso\n").stdout.splitlines()
    assert re.match(r"  1  0\.\d{3}   \d\d %  .*blue\.jpg", talk[0])
    assert [line for line in talk if re.match(r"nothing matches blue, then a dog: the best", line)]


def test_where_nothing_was_trained_a_line_says_so(indexed: Any) -> None:
    asked = (indexed.folder / "red.jpg", "blue")
    for more in (["--rerank", "clauses"], ["--why"], ["--rerank", "clauses", "--why"]):
        said = indexed("search", *asked, *more)
        assert "%" not in said.stdout
        assert said.stderr.count("untrained: the encoder alone judges each part") == 1, more
    assert "untrained" not in indexed("search", *asked).stderr
    assert "untrained: " in indexed("session", feed="blue\nwhy 1\n").stderr


def test_a_scorer_of_another_encoder_is_refused(indexed: Any, tmp_path: Path) -> None:
    config = {"circlet_kind": "clauses", "format": 1, "encoder": "another:1", "sizes": {}}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    said = indexed("search", "red", "--rerank", tmp_path, code=2).stderr
    assert "was trained on vectors of another:1, not of builtin" in said
    assert said.endswith(": name that encoder, or train again with this one\n")


def test_what_was_heard_is_struck_and_turned_at_the_prompt(indexed: Any) -> None:
    lines = ["a square; without green", "turn it blue", "strike green", "turn blue", "strike red", "strike"]
    talk = indexed("session", feed="\n".join([*lines, "history"]), code=1)
    assert talk.stdout.splitlines()[-3:] == ["  1  a square", "  2  not in blue", "branches: [main]"]
    assert talk.stderr.splitlines() == [
        "circlet: 'red' is not what was heard: there is square, not in blue",
        "circlet: strike what? Write strike at night; to search for the word itself, say strike",
    ]


@pytest.mark.parametrize("name", ["out.png", "deep/out.html"])
def test_a_sheet_is_drawn_the_same_each_time(indexed: Any, tmp_path: Path, name: str) -> None:
    for place in ("a", "b"):
        indexed("search", indexed.folder / "red.jpg", "blue", "--all", "--sheet", tmp_path / place / name)
    first = (tmp_path / "a" / name).read_bytes()
    assert first == (tmp_path / "b" / name).read_bytes()
    if name.endswith("png"):
        assert Image.open(tmp_path / "a" / name).width == 1280
    else:
        page = first.decode()
        assert page.count("<figure") == 4
        assert 'src="data:image/jpeg;base64,' in page
        assert "http" not in page


def test_every_command_helps_with_examples(indexed: Any) -> None:
    from circlet.app.cli.main import COMMANDS

    for name in ("index", "search", "session", "info", "verify", "forget", "demo", "completion"):
        assert name in COMMANDS
        said = indexed(name, "--help").stdout
        assert f"circlet {name}" in said.split("Examples:")[1]


@pytest.mark.parametrize(
    ("shell", "has"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete ")]
)
def test_shells_complete(indexed: Any, shell: str, has: str) -> None:
    assert has in indexed("completion", shell).stdout


def test_help_answers_at_once(indexed: Any) -> None:
    """Under 0.2 s on a quiet machine; here in units of an empty Python, which load slows as much."""

    def best(*call: str) -> float:
        times = []
        for _ in range(5):
            began = time.perf_counter()
            subprocess.run([sys.executable, *call], env=indexed.environment, check=True, capture_output=True)
            times.append(time.perf_counter() - began)
        return min(times)

    assert best("-m", "circlet", "--help") < 0.2 or best("-m", "circlet", "--help") < 8 * best("-c", "pass")
    heavy = "{'numpy', 'PIL', 'rich', 'onnxruntime'}"
    code = f"import sys, circlet.app.cli.main; print(sorted({heavy} & set(sys.modules)))"
    said = subprocess.run(
        [sys.executable, "-c", code], env=indexed.environment, capture_output=True, text=True
    )
    assert said.stdout == "[]\n"


def test_output_may_be_cut_off_by_its_reader(indexed: Any) -> None:
    run = indexed.start("search", "red", "--all", "--json")
    assert run.stdout is not None
    run.stdout.close()
    assert run.stderr is not None
    assert run.stderr.read() == ""
    assert run.wait() == 1
