"""The lowest versions of the base's dependencies, in an environment of their own, pass the smoke test.

python .ci/lowest.py [--python python3.11] [--highest]

Reads the lower bounds of pyproject.toml (the base and `web`), installs exactly these beside the wheel, and
runs .ci/smoke.py there; with --highest whatever pip takes without any pin. Not part of CI: it takes minutes.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def bounds(extras: tuple[str, ...] = ("web",)) -> list[str]:
    """Each requirement of the base and these extras, held at its lower bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = list(project["dependencies"])
    for extra in extras:
        listed += project["optional-dependencies"][extra]
    return [re.sub(r">=", "==", one) for one in listed]


def main() -> None:
    """Install and try."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--highest", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "env"
        subprocess.run([asked.python, "-m", "venv", place], check=True)
        pip = [str(place / "bin" / "pip"), "--quiet"]
        subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, str(ROOT)], check=True)
        wheel = next(Path(folder).glob("circlet-*.whl"))
        held = [] if asked.highest else bounds()
        subprocess.run([*pip, "install", f"{wheel}[web]", *held], check=True)
        print(subprocess.run([*pip, "freeze"], check=True, capture_output=True, text=True).stdout)
        subprocess.run([place / "bin" / "python", ROOT / ".ci" / "smoke.py"], check=True)


if __name__ == "__main__":
    main()
