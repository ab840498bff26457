"""The dialogue experiment: what it compares, by hand, and a small run that goes on where it was."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.command import Command
from tests.worlds import World

from circlet.core import Benchmark, Case, Query, Turn
from circlet.experiments.dialogue import paired, reached, sound, within_subsets


def test_queries_that_fail_at_turn_one_are_compared_in_pairs() -> None:
    rule = {"first": [3, 40, 50, 60], "last": [3, 5, 80, 11]}
    belief = {"first": [3, 40, 50, 60], "last": [3, 4, 10, 12]}
    cells = {"rule": rule, "belief": belief}
    assert paired(cells, [("rule", "belief")]).tolist() == [0, 1, 0]
    assert reached(rule) == pytest.approx(100 / 3)
    assert reached(belief) == pytest.approx(200 / 3)
    assert np.isnan(reached({"first": [1], "last": [1]}))


def test_within_subsets_each_query_has_a_gallery_of_its_own() -> None:
    cases = [Case(query=Query(id, (Turn(picture=id),)), truths=("b",), subset=("a", "b", id)) for id in "xyz"]
    bench = Benchmark(name="toy", split="val", galleries={"": ("a", "b", "x", "y", "z")}, cases=tuple(cases))
    inside = within_subsets(bench, 2)
    assert [case.id for case in inside.cases] == ["x", "y"]
    assert inside.gallery_of("y") == ("a", "b", "y")


def test_promises_are_counted_from_what_was_noted() -> None:
    notes = [{"ranks": [40, 70, 1], "closest": 0.79}, {"ranks": [40, 71, 1], "closest": 0.8}]
    cases = tuple(Case(query=Query(str(at)), notes=note) for at, note in enumerate(notes))
    bench = Benchmark(name="toy", split="val", galleries={}, cases=cases)
    assert sound(bench) == {"sessions": 2, "consistent": 1, "diverse": 1}


def test_a_small_run_through_the_real_command_goes_on_where_it_was(
    tmp_path: Path, at_home: Callable[[Path], Command], drawn: World
) -> None:
    home, out = at_home(tmp_path / "home"), tmp_path / "dialogue"
    size = ("--sessions", "12", "--seeds", "1", "--encoder", "builtin", "--split", "val")
    run = ("reproduce", "dialogue", "--root", drawn.root, "--out", out, *size)
    first = home(*run, timeout=600)
    page = (out / "dialogue.md").read_text(encoding="utf-8")
    assert "| claim | here | evidence |" in page
    assert "belief − feedback" in page
    cells = sorted((out / "cells").iterdir())
    assert first.stderr.count("picks-") == 9
    # One cell is gone, as if the run had been killed before it: it alone is made again, and is the same.
    gone = cells[0].read_bytes()
    cells[0].unlink()
    again = home(*run, timeout=600)
    assert [line for line in again.stderr.splitlines() if line.strip()] == [cells[0].stem]
    assert cells[0].read_bytes() == gone
    assert json.loads(gone)
    assert (out / "dialogue.md").read_text(encoding="utf-8") == page
    # Cells of fewer sessions would stand in one table with these.
    refused = home(*run, "--sessions", "13", code=2, timeout=600)
    assert "another number of sessions" in refused.stderr
