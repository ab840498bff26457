"""The lowest versions of the dependencies that pyproject.toml allows pass the smoke test.

python .ci/lowest.py [--python python3.11] [--highest | --pinned]

Takes for each requirement of the base and `web` the lowest version that has a wheel for this Python, installs
them with the built wheel into an environment of their own, and runs .ci/smoke.py there; with --highest
whatever is newest, with --pinned what constraints.txt says. Not part of CI: it takes minutes.
"""

import argparse
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
WAYS = {"highest": ("--resolution", "highest"), "pinned": ("--constraint", str(ROOT / "constraints.txt"))}


def required(extras: tuple[str, ...] = ("web",)) -> list[str]:
    """The requirements of the base and these extras, as pyproject.toml has them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [
        *project["dependencies"],
        *(one for extra in extras for one in project["optional-dependencies"][extra]),
    ]


def main() -> None:
    """Install and try."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", default=sys.executable)
    either = parser.add_mutually_exclusive_group()
    for way in WAYS:
        either.add_argument(f"--{way}", action="store_true")
    asked = parser.parse_args()
    way = next((way for way in WAYS if getattr(asked, way)), "lowest")
    with tempfile.TemporaryDirectory() as folder:
        tools, place = Path(folder) / "tools" / "bin", Path(folder) / "env"
        subprocess.run([sys.executable, "-m", "venv", tools.parent], check=True)
        subprocess.run([tools / "pip", "install", "--quiet", "uv"], check=True)
        subprocess.run([tools / "uv", "venv", "--quiet", "--python", asked.python, place], check=True)
        subprocess.run([tools / "uv", "build", "--quiet", "--wheel", "--out-dir", folder, ROOT], check=True)
        wheel = next(Path(folder).glob("circlet-*.whl"))
        chosen = WAYS.get(way, ("--resolution", "lowest-direct"))
        pip = [
            tools / "uv",
            "pip",
            "install",
            "--quiet",
            "--python",
            place,
            "--only-binary",
            ":all:",
            *chosen,
        ]
        subprocess.run([*pip, f"{wheel}[web]", *required()], check=True)
        subprocess.run([tools / "uv", "pip", "freeze", "--python", place], check=True)
        # The limit on the size is for what pip takes today: old versions of onnxruntime bring sympy along.
        old = ["--any-size"] if way == "lowest" else []
        subprocess.run([place / "bin" / "python", ROOT / ".ci" / "smoke.py", *old], check=True)


if __name__ == "__main__":
    main()
