"""One `circlet search` from the shell, against Python importing the runtime and loading the weights.

    python benchmarks/oneshot.py [--pictures 2000] [--rounds 7]

Everything on a warm disk, each command in a process of its own, the best of several rounds: a
search by words, a search by a picture from outside with words, `circlet --help`, and an empty
Python. The floor for words is onnxruntime with the sentence network, for a picture it is both
networks; the ratio to its floor should stay under 2.5. The ratio in processor time holds on a busy
machine, too. Then the same two searches while `circlet serve --warm` runs, which answers for them; what
they print must be the same bytes.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from photographs import folder_of

from circlet.collection.collection import Collection

LOAD_NETWORKS = """
import sys
import onnxruntime
for path in sys.argv[1:]:
    onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
"""


def best(command: list[str], environment: dict[str, str], rounds: int) -> np.ndarray:
    """The least of several runs: seconds on the clock, and of processor time."""
    runs = []
    for _ in range(rounds):
        clock, processor = time.perf_counter(), _spent()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        runs.append((time.perf_counter() - clock, _spent() - processor))
    return np.min(runs, axis=0)


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def report(name: str, took: np.ndarray, floor: np.ndarray) -> None:
    """One line: the times, and how often the floor fits into them."""
    clock, processor = took / floor
    print(
        f"{name}: {took[0]:.2f} s, {clock:.2f} × its floor on the clock, {processor:.2f} × in processor time"
    )


def answered_for(
    questions: dict[str, list[str]], environment: dict[str, str], rounds: int
) -> dict[str, np.ndarray]:
    """The least times of these commands while a server answers for them, the same bytes as without."""

    def said(command: list[str]) -> bytes:
        return subprocess.run(command, env=environment, check=True, capture_output=True).stdout

    before = {name: said(command) for name, command in questions.items()}
    door = Path(environment["CIRCLET_HOME"]) / "warm.sock"
    serve = [sys.executable, "-m", "circlet", "serve", "--port", "0", "--warm"]
    server = subprocess.Popen(serve, env=environment, stdout=subprocess.DEVNULL)
    try:
        while not door.exists():
            time.sleep(0.2)
        for name, command in questions.items():
            assert said(command) == before[name], f"{name}: another answer"
        return {name: best(command, environment, rounds) for name, command in questions.items()}
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Print the times and their ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--home", type=Path, default=Path(tempfile.gettempdir()) / "circlet-oneshot")
    asked = parser.parse_args()
    environment = {
        **os.environ,
        "CIRCLET_HOME": str(asked.home),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    # As an installed command runs: modules compiled once, not at every start.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["CIRCLET_HOME"] = str(asked.home)
    folder = folder_of(asked.home / "photographs", asked.pictures, (320, 240))
    outside = next(folder_of(asked.home / "outside", 1, (1024, 768)).rglob("*.jpg"))
    Collection.open(folder).index()
    circlet, python = [sys.executable, "-m", "circlet"], [sys.executable, "-c"]
    search = [*circlet, "search", "--json", "--all"]
    words = best([*search, "a dog on a beach"], environment, asked.rounds)
    both = best([*search, str(outside), "at night"], environment, asked.rounds)
    # Both are written out by now: the pictures' at indexing, the words' at the first search.
    networks = {path.name.split("-")[0]: str(path) for path in (asked.home / "models").glob("*.onnx")}
    sentences = best([*python, LOAD_NETWORKS, networks["sentences"]], environment, asked.rounds)
    everything = best([*python, LOAD_NETWORKS, *networks.values()], environment, asked.rounds)
    questions = {
        "words": [*search, "a dog on a beach"],
        "a picture from outside and words": [*search, str(outside), "at night"],
    }
    warm = answered_for(questions, environment, asked.rounds)
    empty = best([*python, "pass"], environment, asked.rounds)
    help_ = best([*circlet, "--help"], environment, asked.rounds)
    report("search by words", words, sentences)
    report("search by a picture from outside and words", both, everything)
    for name, cold in zip(questions, (words, both), strict=True):
        print(
            f"search by {name} while circlet serve runs: {warm[name][0]:.2f} s, "
            f"{warm[name][0] / cold[0]:.2f} of the time without it"
        )
    print(f"circlet --help: {help_[0]:.3f} s on the clock, {help_[1]:.3f} s of processor time")
    print(f"python -c pass: {empty[0]:.3f} s, {empty[1]:.3f} s")


if __name__ == "__main__":
    main()
