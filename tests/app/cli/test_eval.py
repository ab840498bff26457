"""Evaluation through the real commands, on a small set of pictures whose right answers are known."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.colours import COLOURS, painted
from tests.command import Command
from tests.data.shared import real

from circlet.core import Benchmark, Query, Turn, cases_of
from circlet.data import load_benchmark, write_benchmark
from circlet.evaluate import write_run
from circlet.evaluate.baselines import perfect


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, at_home: Callable[[Path], Command]) -> Path:
    """A folder with a benchmark of plain colours, its pictures, and a home for vectors."""
    folder = tmp_path_factory.mktemp("eval")
    at_home(folder / "home")
    images = painted(folder)
    names = tuple(images)
    pairs = [(one, two) for one in names for two in names if one != two]
    bench = Benchmark(
        name="colours",
        split="val",
        cases=cases_of(
            tuple(Query(f"{a}-{b}", (Turn(picture=a, text=f"make it {b}"),)) for a, b in pairs),
            truths={f"{a}-{b}": (b,) for a, b in pairs},
            exclusions={f"{a}-{b}": (a,) for a, b in pairs},
            subsets={
                f"{a}-{b}": tuple(n for n in names if n != a)[:2] + ((b,) if b == names[-1] else ())
                for a, b in pairs
            },
        ),
        galleries={"": names},
        images=images,
        measures=("Recall @ 1", "Recall @ 2", "MRR"),
    )
    write_benchmark(bench, folder / "colours.jsonl")
    write_run(perfect(bench), folder / "perfect.jsonl")
    return folder


def circlet(folder: Path, *words: str, code: int = 0) -> str:
    """Run the real command in the folder; all that it says if it ends with an error."""
    done = Command(folder / "home")(*words, code=code, cwd=folder, timeout=300)
    return done.stdout if code == 0 else done.stdout + done.stderr


def test_a_saved_run_is_measured_without_what_ranks(made: Path) -> None:
    heavy = {
        "PIL",
        "faiss",
        "onnxruntime",
        "torch",
        "circlet.collection",
        "circlet.dialogue",
        "circlet.models",
    }
    code = (
        "import atexit, sys; from circlet.__main__ import main\n"
        f"atexit.register(lambda: print(sorted({heavy} & set(sys.modules)), file=sys.stderr))\n"
        "main()"
    )
    call = ["eval", "--run", "perfect.jsonl", "--bench", "colours.jsonl", "--json"]
    done = subprocess.run([sys.executable, "-c", code, *call], cwd=made, capture_output=True, text=True)
    assert json.loads(done.stdout)["measures"]["MRR"] == 100
    assert done.stderr.splitlines()[-1] == "[]"


def test_a_run_is_measured_as_json(made: Path) -> None:
    said = json.loads(circlet(made, "eval", "--run", "perfect.jsonl", "--bench", "colours.jsonl", "--json"))
    assert said["measures"] == {"Recall @ 1": 100.0, "Recall @ 2": 100.0, "MRR": 100.0}
    assert said["protocol"] == "colours val gallery=4"
    assert said["method"] == "perfect"
    # One of three candidates is right: 1/3, 2/3, and (1 + 1/2 + 1/3) / 3.
    assert said["baselines"][0]["measures"] == pytest.approx(
        {"Recall @ 1": 100 / 3, "Recall @ 2": 200 / 3, "MRR": 100 * 11 / 18}
    )


def test_a_method_is_ranked_measured_saved_and_reported(made: Path) -> None:
    out = circlet(
        made, "eval", "--method", "sum", "--with", "balance=0.3", "--bench", "colours.jsonl",
        "--save", "sum.jsonl", "--html", "report.html",
    )  # fmt: skip
    assert out.startswith("colours val gallery=4\n")
    for row in ("random (exact)", "image only", "text only", "random image + text", "weighted sum"):
        assert row in out
    header, *rankings = [json.loads(line) for line in (made / "sum.jsonl").read_text().splitlines()]
    assert header["method"] == "sum"
    assert header["protocol"] == "colours val gallery=4"
    assert header["fingerprint"]
    assert header["seed"] == 0
    assert len([line for line in rankings if not line.get("subset")]) == 12
    again = json.loads(circlet(made, "eval", "--run", "sum.jsonl", "--bench", "colours.jsonl", "--json"))
    first = json.loads(
        circlet(
            made, "eval", "--method", "sum", "--with", "balance=0.3", "--bench", "colours.jsonl", "--json"
        )
    )
    assert again["measures"] == first["measures"]
    page = (made / "report.html").read_text()
    assert "Recall @ K" in page
    assert page.count("data:image/webp;base64,") > 10
    assert "http" not in page.replace("http-equiv", "")
    compared = json.loads(
        circlet(made, "compare", "sum.jsonl", "perfect.jsonl", "--bench", "colours.jsonl", "--json")
    )
    assert {row["other"] for row in compared["comparisons"]} == {"perfect"}
    assert all(row["difference"] >= 0 for row in compared["comparisons"])


def test_parts_of_a_run_are_measured_as_one_and_trec_that_would_lose_something_is_refused(made: Path) -> None:
    header, *rankings = (made / "perfect.jsonl").read_text().splitlines()
    for number, part in enumerate((rankings[::2], rankings[1::2])):
        (made / f"part{number}.jsonl").write_text("\n".join([header, *part]))
    parts = ["--run", "part0.jsonl", "--run", "part1.jsonl", "--bench", "colours.jsonl"]
    apart = json.loads(circlet(made, "eval", *parts, "--json"))
    assert all(row["measures"]["MRR"] < 100 for row in apart["rows"])
    said = json.loads(circlet(made, "eval", *parts, "--merge", "--save", "whole.jsonl", "--json"))
    assert said["measures"]["MRR"] == 100
    again = json.loads(circlet(made, "eval", "--run", "whole.jsonl", "--bench", "colours.jsonl", "--json"))
    assert again["measures"] == said["measures"]
    refused = circlet(made, "eval", *parts, "--merge", "--save", "whole.trec", code=2)
    assert "no room for rankings of subsets" in refused
    assert not (made / "whole.trec").exists()


def test_missing_pictures_are_named_or_left_out(
    made: Path, tmp_path: Path, at_home: Callable[[Path], Command]
) -> None:
    at_home(tmp_path / "home")
    for file in made.glob("*.*"):
        if file.name != "blue.png":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    said = circlet(tmp_path, "eval", "--method", "text", "--bench", "colours.jsonl", code=1)
    assert "1 of 4 pictures are missing: blue (no such file: " in said
    assert "--allow-missing" in said
    out = circlet(
        tmp_path, "eval", "--method", "text", "--bench", "colours.jsonl", "--allow-missing", "--json"
    )
    told = json.loads(out)
    # Six of twelve pairs have blue on one side.
    assert (told["queries"], told["coverage"]) == (6, 0.5)
    table = circlet(tmp_path, "eval", "--method", "text", "--bench", "colours.jsonl", "--allow-missing")
    assert "[50.0%]" in table


def test_tables_for_papers(made: Path) -> None:
    latex = circlet(made, "eval", "--run", "perfect.jsonl", "--bench", "colours.jsonl", "--format", "latex")
    assert "% colours val gallery=4" in latex
    assert r"perfect & 100.00 & 100.00 & 100.00 \\" in latex
    lines = circlet(
        made, "eval", "--run", "perfect.jsonl", "--bench", "colours.jsonl", "--format", "csv"
    ).splitlines()
    assert lines[0] == "method,protocol,queries,coverage,Recall @ 1,Recall @ 2,MRR,remarks"
    assert lines[-1] == "perfect,colours val gallery=4,12,1.0,100.0,100.0,100.0,"
    markdown = circlet(
        made, "eval", "--run", "perfect.jsonl", "--bench", "colours.jsonl", "--format", "markdown"
    )
    assert "| perfect | 100.00 | 100.00 | 100.00 |" in markdown


def test_short_names_are_read_and_printed(made: Path) -> None:
    asked = ("--run", "perfect.jsonl", "--bench", "colours.jsonl", "--measure", "R@1", "--measure", "mAP@2")
    assert json.loads(circlet(made, "eval", *asked, "--json"))["measures"] == {
        "Recall @ 1": 100.0,
        "MAP @ 2": 100.0,
    }
    table = circlet(made, "eval", *asked)
    assert " R@1 " in table
    assert " mAP@2 " in table
    assert "| method | R@1 | mAP@2 |" in circlet(made, "eval", *asked, "--format", "md")


def test_features_are_measured_saved_and_explained(made: Path) -> None:
    names = list(COLOURS)
    pairs = [(one, two) for one in names for two in names if one != two]
    np.savez(
        made / "mine.npz",
        image_ids=names,
        image_vectors=np.eye(4),
        query_ids=[f"{a}-{b}" for a, b in pairs],
        query_vectors=[2 * np.eye(4)[names.index(b)] for _, b in pairs],
    )
    said = circlet(
        made, "eval", "--features", "mine.npz", "--bench", "colours.jsonl", "--save", "mine-run.npz",
        "--explain", "length,distance", "--json",
    )  # fmt: skip
    told = json.loads(said)
    assert told["method"] == "mine"
    assert told["measures"] == {"Recall @ 1": 100.0, "Recall @ 2": 100.0, "MRR": 100.0}
    assert told["fingerprint"].startswith("features:")
    assert told["remarks"] == ["the features were brought to length one: scores are cosines"]
    # Everything is right, so nothing goes with it.
    assert {(one["factor"], one["r"]) for one in told["explained"]} == {("length", None), ("distance", None)}
    again = json.loads(circlet(made, "eval", "--run", "mine-run.npz", "--bench", "colours.jsonl", "--json"))
    assert (again["method"], again["measures"]) == ("mine", told["measures"])
    table = circlet(made, "eval", "--features", "mine.npz", "--bench", "colours.jsonl", "--explain", "length")
    assert "R@1 with length" in table
    bare = {"image_ids": names, "image_vectors": np.eye(4)}
    np.savez(made / "bare.npz", **bare)
    wrong = circlet(made, "eval", "--features", "bare.npz", "--bench", "colours.jsonl", code=1)
    assert "query_ids, query_vectors not there" in wrong
    assert wrong.count("\n") == 1


def test_comparisons_as_tables_for_papers(made: Path) -> None:
    circlet(made, "eval", "--method", "image", "--bench", "colours.jsonl", "--save", "image.jsonl", "--json")
    asked = ("compare", "image.jsonl", "perfect.jsonl", "--bench", "colours.jsonl", "--measure", "R@1")
    assert r"& \textbf{100.00} &" in circlet(made, *asked, "--format", "latex")
    assert circlet(made, *asked, "--format", "md").startswith(
        "colours val gallery=4\n\n| measure | methods |"
    )
    assert circlet(made, *asked, "--format", "csv").startswith("protocol,measure,first,other,")
    assert " R@1 " in circlet(made, *asked)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bench", "colours.jsonl"], "nothing to measure"),
        (["--bench", "colours.jsonl", "--features", "none.npz"], "none.npz: No such file"),
        (
            ["--bench", "colours.jsonl", "--run", "perfect.jsonl", "--explain", "size"],
            "give length or distance",
        ),
        (["--bench", "colours.jsonl", "--run", "none.jsonl"], "none.jsonl: No such file"),
        (["--bench", "nothing.txt", "--run", "perfect.jsonl"], "no benchmark is named 'nothing.txt'"),
        (["--bench", "colours.jsonl", "--run", "perfect.jsonl", "--measure", "Recal"], "is no measure"),
        (["--bench", "colours.jsonl", "--method", "sun"], "unknown method 'sun'"),
        (["--bench", "colours.jsonl", "--run", "perfect.jsonl", "--html", "."], ".: cannot be written there"),
        (["--bench", "colours.jsonl", "--protocol", "x", "--run", "perfect.jsonl"], "write it as name=value"),
    ],
)
def test_wrong_usage_is_one_line(made: Path, words: list[str], said: str) -> None:
    out = circlet(made, "eval", *words, code=2)
    assert said in out
    assert out.count("\n") == 1


def test_data_commands(made: Path) -> None:
    assert "4 of 4 pictures are there" in circlet(made, "data", "check", ".")
    stats = json.loads(circlet(made, "data", "stats", "colours.jsonl", "--json"))
    assert (stats["texts"], stats["length"], stats["vocabulary"]) == (12, 3.0, 6)
    circlet(made, "data", "show", "colours.jsonl", "--out", "show.html", "--amount", "3")
    page = (made / "show.html").read_text()
    assert page.count('class="case"') == 3
    circlet(made, "data", "show", "colours.jsonl", "--out", "again.html", "--amount", "3")
    assert (made / "again.html").read_text() == page
    circlet(made, "data", "convert", "colours.jsonl", "copy/colours.jsonl")
    assert "4 of 4 pictures are there" in circlet(made, "data", "check", "copy")


def test_stats_stand_beside_the_papers(tmp_path: Path) -> None:
    out = circlet(tmp_path, "data", "stats", f"cirr:{real('cirr')}")
    lines = {line[:31].strip(): line for line in out.partition("beside the papers")[2].splitlines()}
    assert lines["comparative_statement"].split()[1:3] == ["16.84", "51.70"]
    assert "see “comparing in any way”" in lines["comparative_statement"]
    assert lines["pairs in a subset"].split()[4:6] == ["8.31", "8.32"]


def test_one_aspect_of_a_real_dataset(tmp_path: Path) -> None:
    cases = load_benchmark(f"cirr:{real('cirr')}").cases
    (tmp_path / "run.trec").write_text("".join(f"{one.id} Q0 {one.target} 1 1.0 toy\n" for one in cases[:99]))
    (tmp_path / "negation.txt").write_text("\n".join(one.id for one in cases[:198]))
    measured = ["--run", "run.trec", "--measure", "Within('negation', Recall @ 1)", "--json"]
    bench = f"cirr:{real('cirr')}?aspects=negation.txt"
    row = json.loads(circlet(tmp_path, "eval", *measured, "--bench", bench))
    assert row["measures"]["Within('negation', Recall @ 1)"] == 50
    assert "negation: 198 of 4181 queries, as negation.txt lists it" in row["remarks"]


def test_submissions_are_made_and_checked(tmp_path: Path) -> None:
    names = [f"test1-{n}" for n in range(60)]
    for folder, file, value in (
        ("image_splits", "split.rc2.test1.json", {name: f"./test1/{name}.png" for name in names}),
        (
            "captions",
            "cap.rc2.test1.json",
            [
                {
                    "pairid": 7,
                    "reference": "test1-0",
                    "caption": "x",
                    "img_set": {"id": 1, "members": names[:6]},
                }
            ],
        ),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / file).write_text(json.dumps(value))
    lines = [
        {"circlet": "run", "version": 1, "method": "m"},
        {"query": "7", "ids": names, "scores": [*range(60, 0, -1)]},
    ]
    (tmp_path / "run.jsonl").write_text("\n".join(map(json.dumps, lines)))
    out = circlet(tmp_path, "submit", "make", "--run", "run.jsonl", "--bench", "cirr:.:test1", "recall.json")
    assert out == "recall.json: 1 queries for the cirr server\n"
    assert json.loads((tmp_path / "recall.json").read_text())["7"] == names[1:51]
    assert "nothing that the server would refuse" in circlet(
        tmp_path, "submit", "check", "recall.json", "--bench", "cirr:.:test1"
    )
    (tmp_path / "bad.json").write_text('{"version": "rc2", "metric": "recall", "7": []}')
    said = circlet(tmp_path, "submit", "check", "bad.json", "--bench", "cirr:.:test1", code=1)
    assert said == "query 7 has 0 candidates, not 50\n"
    many = {"version": "rc2", "metric": "recall"} | {str(n): [] for n in range(7, 30)}
    (tmp_path / "bad.json").write_text(json.dumps(many))
    said = circlet(tmp_path, "submit", "check", "bad.json", "--bench", "cirr:.:test1", code=1)
    assert said.splitlines()[19:] == ["query 27 is not in cirr test1", "and 3 more"]
    (tmp_path / "annotations").mkdir()
    asked = [{"id": 0, "reference_img_id": 3, "relative_caption": "x"}]
    (tmp_path / "annotations" / "test.json").write_text(json.dumps(asked))
    (tmp_path / "fifty.json").write_text(json.dumps({"0": list(range(1, 51))}))
    for words in (("check", "fifty.json"), ("make", "--run", "fifty.json", "again.json")):
        said = circlet(tmp_path, "submit", *words, "--bench", "circo:.:test")
        assert said.endswith(
            "not checked: whether its ids exist: the list of circo's pictures is not there\n"
        )
        assert "nothing that the server would refuse" not in said


def save(made: Path, name: str, bench: Benchmark) -> None:
    write_benchmark(bench, made / name)


def test_sets_of_pictures_with_words_alone(made: Path) -> None:
    names = tuple(COLOURS)
    bench = Benchmark(
        name="sets",
        split="val",
        cases=cases_of(
            tuple(Query(name, (Turn(text=f"a {name} picture"),)) for name in names),
            truths={name: (name,) for name in names},
            subsets=dict.fromkeys(names, names),
        ),
        galleries={},
        images={name: made / f"{name}.png" for name in names},
        measures=("Accuracy",),
    )
    save(made, "sets.jsonl", bench)
    said = json.loads(circlet(made, "eval", "--method", "text", "--bench", "sets.jsonl", "--json"))
    assert [row["method"] for row in said["baselines"]] == ["random (exact)", "text only"]
    assert said["baselines"][0]["measures"] == {"Accuracy": 25.0}
    assert said["measures"] == said["baselines"][1]["measures"]


def test_sessions_are_asked_after_every_turn(made: Path) -> None:
    names = tuple(COLOURS)
    turns = (Turn(picture="red", text="make it blue"), Turn(picture="green", text="make it black"))
    bench = Benchmark(
        name="sessions",
        split="val",
        cases=cases_of((Query("s", turns),), truths={"s": ("black",)}),
        galleries={"": names},
        images={name: made / f"{name}.png" for name in names},
        measures=("Hits(turn=1) @ 1", "Hits(turn=2) @ 1", "FinalRecall @ 4", "AUC @ 4"),
    )
    save(made, "sessions.jsonl", bench)
    found = []
    for history in ("latest", "average"):
        out = circlet(
            made, "eval", "--method", "sum", "--bench", "sessions.jsonl", "--json",
            "--history", history, "--save", f"{history}.jsonl",
        )  # fmt: skip
        said = json.loads(out)
        assert said["measures"]["FinalRecall @ 4"] == 100
        assert said["measures"]["AUC @ 4"] == 100
        lines = [json.loads(line) for line in (made / f"{history}.jsonl").read_text().splitlines()][1:]
        assert [line.get("turn", 1) for line in lines] == [1, 2]
        found.append(lines)
    # The first turn is the same; what the second remembers of it is not.
    assert found[0][0]["scores"] == pytest.approx(found[1][0]["scores"], abs=1e-5)
    assert found[0][1]["scores"] != pytest.approx(found[1][1]["scores"], abs=1e-3)
