"""One `circlet search` from the shell, against Python importing the runtime and loading the weights.

    python benchmarks/oneshot.py [--pictures 2000] [--rounds 7]

Everything on a warm disk, each command in a process of its own, the best of several rounds: a
search by words, a search by a picture from outside with words, `circlet --help`, and an empty
Python. The floor for words is onnxruntime with the sentence network, for a picture it is both
networks; the ratio to its floor should stay under 2.5.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from photographs import folder_of

from circlet.app.collection import Collection

LOAD = """
import sys
import onnxruntime
from circlet.models import load_encoder
"""
LOAD_NETWORKS = """
import sys
import onnxruntime
for path in sys.argv[1:]:
    onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
"""


def best(command: list[str], environment: dict[str, str], rounds: int) -> float:
    """The shortest of several runs, in seconds."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return min(times)


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
    os.environ["CIRCLET_HOME"] = str(asked.home)
    folder = folder_of(asked.home / "photographs", asked.pictures, (320, 240))
    outside = next(folder_of(asked.home / "outside", 1, (1024, 768)).rglob("*.jpg"))
    Collection.open(folder).index()
    networks = {path.name.split("-")[0]: str(path) for path in (asked.home / "models").glob("*.onnx")}
    circlet, python = [sys.executable, "-m", "circlet"], [sys.executable, "-c"]
    search = [*circlet, "search", "--json", "--all"]
    words = best([*search, "a dog on a beach"], environment, asked.rounds)
    both = best([*search, str(outside), "at night"], environment, asked.rounds)
    floor = best([*python, LOAD_NETWORKS, *networks.values()], environment, asked.rounds)
    empty = best([*python, "pass"], environment, asked.rounds)
    help_ = best([*circlet, "--help"], environment, asked.rounds)
    print(f"runtime and weights {floor:.2f} s ({', '.join(networks)})")
    print(f"search by words {words:.2f} s: {words / floor:.2f} of it")
    print(f"search by a picture from outside and words {both:.2f} s: {both / floor:.2f} of it")
    print(f"circlet --help {help_:.3f} s; python -c pass {empty:.3f} s")


if __name__ == "__main__":
    main()
