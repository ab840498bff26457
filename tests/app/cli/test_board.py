"""`circlet board`: what stands on the page, what is kept apart, and that scripts only help."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command import Command

from circlet.core import Benchmark, Key, Query, Ranking, Run, Turn, cases_of
from circlet.data import write_benchmark
from circlet.evaluate import write_run
from circlet.evaluate.files.runs import save_run


def result(method: str, protocol: str, **more: Any) -> dict[str, Any]:
    return {"method": method, "protocol": protocol, "measures": {"Recall @ 1": 5.0}, "queries": 4} | more


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Results under two protocols, saved runs, and what is neither."""
    place = tmp_path / "results"
    (place / "deep").mkdir(parents=True)
    evil = result(
        "<script>alert(1)</script>", 'toy val "kept"', fingerprint="<b>f</b>", seed=7, remarks=["a <i> & b"]
    )
    rows = [
        result("a", "toy val gallery=2", measures={"Recall @ 1": 9.5, "NegativeWins": 30.0}),
        result("b", "toy val gallery=2", measures={"Recall @ 1": 12.25, "NegativeWins": 40.0}, seed=3),
        result("c", "toy val gallery=2", measures={"Recall @ 1": None, "NegativeWins": 20.0}),
    ]
    for name, value in {
        "evil.json": evil,
        "deep/rows.json": {"rows": rows, "baselines": [result("chance", "toy val gallery=2")]},
        "again.json": result("d", "toy val gallery=2", revision="sha256:2")
        | {"baselines": [result("chance", "toy val gallery=2")]},
        "other.json": {"hello": 1},
        "untold.json": result("e", ""),
    }.items():
        (place / name).write_text(json.dumps(value))
    (place / "broken.json").write_text('{"measures": NaN')
    bench = Benchmark(
        name="own",
        split="val",
        cases=cases_of((Query("1", (Turn(text="x"),)),), truths={"1": ("b",)}),
        galleries={"": ("a", "b")},
        measures=("Recall @ 1", "MRR"),
    )
    write_benchmark(bench, tmp_path / "own.jsonl")
    ranked = {Key("1"): Ranking("ab", [2, 1])}
    write_run(
        Run(method="run", rankings=ranked, protocol=bench.header(), seed=5, fingerprint="enc:1"),
        place / "run.jsonl",
    )
    save_run(Run(method="arrays", rankings=ranked, protocol="own val gallery=9"), place / "arrays.npz")
    return place


def test_protocols_stand_apart_and_what_is_left_out_says_why(
    command: Command, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "board.html"
    done = command("board", folder, "--out", out, "--bench", tmp_path / "own.jsonl")
    assert "7 rows in 4 tables, 4 files left out" in done.stdout
    page = out.read_text()
    assert page.count("<table") == 4
    tables = {part.split("</h2>")[0]: part for part in page.split("<h2>")[1:]}
    # One protocol twice, because the annotations were not the same.
    assert page.count("<h2>toy val gallery=2</h2>") == 2
    assert ">12.25</td>" in page
    own = tables["own val gallery=2"]
    for said in (">run</td>", ">0.00</td>", ">50.00</td>", ">5</td>", ">enc:1</td>", ">run.jsonl</td>"):
        assert said in own
    assert "9.50" not in own
    assert "arrays.npz: a run made under own val gallery=9: name that by --bench" in done.stderr
    assert "untold.json: e does not say its protocol" in done.stderr
    assert "broken.json: " in done.stderr
    assert "a run made under own val gallery=9" in tables["Left out"]


def test_a_run_of_another_protocol_stands_apart(command: Command, tmp_path: Path) -> None:
    """Measured here and ranked elsewhere: its number is no number of this column."""
    place = tmp_path / "results"
    place.mkdir()
    mixed = result("mixed", "toy val gallery=9", made="toy val gallery=2", measures={"Recall @ 1": 77.0})
    for name, row in (("plain", result("plain", "toy val gallery=9")), ("mixed", mixed)):
        (place / f"{name}.json").write_text(json.dumps(row))
    done = command("board", place, "--out", tmp_path / "board.html")
    assert "2 rows in 2 tables, 0 files left out" in done.stdout
    plain, apart = (tmp_path / "board.html").read_text().split("<h2>toy val gallery=9</h2>")[1:]
    assert ">5.00</td>" in plain
    assert "77.00" not in plain
    assert "ranked under another protocol: toy val gallery=2" in apart
    assert ">77.00</td>" in apart


def test_nothing_that_a_file_says_is_markup(command: Command, folder: Path, tmp_path: Path) -> None:
    command("board", folder, "--out", tmp_path / "board.html", "--title", "<u>mine</u>")
    page = (tmp_path / "board.html").read_text()
    for bad in ("<script>alert", "<b>f</b>", "<i> & b", "<u>mine", '"kept"</h2>'):
        assert bad not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert page.count("<script>") == 1


def test_an_empty_folder_and_a_wrong_one_are_told(command: Command, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    assert "nothing to show" in command("board", tmp_path / "none", code=2).stderr
    assert "no such folder" in command("board", tmp_path / "nowhere", code=2).stderr


def test_a_table_sorts_and_stands_without_scripts(
    command: Command, folder: Path, tmp_path: Path, browser: Any
) -> None:
    command("board", folder, "--out", tmp_path / "board.html")
    told = "[...document.querySelectorAll('table.board')].find(t => t.rows.length > 3).tBodies[0].rows"
    methods = f"[...{told}].map(row => row.cells[0].firstChild.textContent)"
    faults: list[Any] = []
    for scripts in (False, True):
        context = browser.new_context(java_script_enabled=scripts)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(error))
        page.goto((tmp_path / "board.html").as_uri())
        assert page.locator("table.board").count() == 3
        if scripts:
            # The best first; what was not ranked last, whichever way.
            assert page.evaluate(methods) == ["b", "a", "chance", "c"]
            table = page.locator("table.board", has_text="12.25")
            for head, order in (
                ("R@1", ["b", "a", "chance", "c"]),
                ("R@1", ["chance", "a", "b", "c"]),
                ("NegativeWins", ["b", "a", "c", "chance"]),
                ("method", ["chance", "c", "b", "a"]),
            ):
                table.get_by_role("button", name=head, exact=True).click()
                assert page.evaluate(methods) == order
            assert table.locator("th[aria-sort=descending]").inner_text() == "method"
        else:
            assert page.locator("th button").count() == 0
            assert "12.25" in page.locator("table.board", has_text="NegativeWins").inner_text()
        context.close()
    assert faults == []
