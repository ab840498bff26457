"""Kill -9 at random moments: the store opens, verifies, and every finished batch is there."""

import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import circlet
from circlet.index.embedded.embedded import Embedded
from circlet.testing import whole

SCRIPT = Path(__file__).with_name("adder.py")
KILLS = 10


def adder():
    """The script as a module, for the pictures and vectors that it must have written."""
    spec = importlib.util.spec_from_file_location("adder", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_and_kill(folder: Path, seed: int, seconds: float) -> list[tuple[str, int]]:
    """What the script said before it was killed, a random time after it was ready."""
    command = [sys.executable, str(SCRIPT), str(folder), str(seed)]
    source = {**os.environ, "PYTHONPATH": str(Path(circlet.__file__).parents[1])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=source) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(seconds)
        process.kill()
        said = process.stdout.read().splitlines()
    # The last line may have been cut by the kill, but then its newline is missing too.
    return [
        (word, int(start)) for word, _, start in (line.partition(" ") for line in said) if start.isdigit()
    ]


def test_nothing_that_was_finished_is_lost(tmp_path) -> None:
    script = adder()
    random = np.random.default_rng(0)
    present: set[int] = set()
    unsure: set[int] = set()
    finished = 0
    for kill in range(KILLS):
        said = run_and_kill(tmp_path, kill, float(random.uniform(0, 0.3)))
        for word, start in said:
            numbers = set(range(start, start + script.BATCH))
            if word == "added":
                present |= numbers
                finished += 1
            elif word == "forgetting":
                unsure |= numbers
            elif word == "forgot":
                present -= numbers
                unsure -= numbers
        with Embedded.open(tmp_path) as reader:
            assert reader.verify() == []
            if not reader.counts().spaces:
                continue
            kept = {
                entry.size: entry.path
                for entry in reader.entries(sorted(dict(reader.walk("/p", script.SPACE))))
            }
            assert present - unsure <= set(kept), "a finished batch is missing"
            expected = np.stack([script.vector(number) for number in kept])
            np.testing.assert_array_equal(
                reader.space(script.SPACE).vectors_of(list(kept.values())), expected
            )
            assert set(whole(reader.space(script.SPACE)).ids) == set(kept.values())
        present, unsure = set(kept), set()
    assert finished, "no batch was ever finished: nothing was tested"
    with Embedded.open(tmp_path, write=True) as store:
        assert store.verify() == []
