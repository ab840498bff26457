"""How many functions and files a search goes through: the length of a way through the house.

    python benchmarks/ways.py [--list]

Indexes a few drawings in an empty home, then counts the distinct functions of circlet that run (lambdas,
comprehensions and whatever only an import calls left out), and the files they stand in:
- the real command, `circlet search PICTURE WORDS`, which loads everything and prints;
- a second search of an open collection, other words about the same picture;
- a turn on the page: the press of a button, and the page that it leads to.
"""

import argparse
import contextlib
import io
import os
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import circlet

ROOT = str(Path(circlet.__file__).parent)


def _importing(frame: FrameType | None) -> bool:
    """Whether a call was made by the body of a module of circlet: it is part of an import."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and code.co_filename.startswith(ROOT):
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def counted(into: set[CodeType]) -> Iterator[None]:
    """Every function of circlet that is called inside, in any thread."""

    def see(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code in into or not code.co_filename.startswith(ROOT):
            return
        if not code.co_name.startswith("<") and not _importing(frame):
            into.add(code)

    threading.setprofile(see)
    sys.setprofile(see)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def show(name: str, codes: set[CodeType], *, listed: bool) -> None:
    """One line, and with `listed` the functions by file."""
    files: dict[str, list[str]] = defaultdict(list)
    for code in codes:
        files[os.path.relpath(code.co_filename, ROOT)].append(code.co_qualname)
    print(f"{name:<44}{len(codes):>5} functions {len(files):>4} files")
    for file in sorted(files) if listed else ():
        print(f"  {file}: {', '.join(sorted(files[file]))}")


def command(*words: str) -> None:
    """The real command in this process, its output unseen."""
    from circlet.app.cli.main import cli

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        cli.main(list(words), prog_name="circlet", standalone_mode=False)


def page(folder: Path, picture: Path) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """A site over the drawings: the press of a button, and the page that it leads to."""
    from starlette.testclient import TestClient

    from circlet.app.http.keys import written
    from circlet.app.http.server import create_app
    from circlet.index import key_of

    client = TestClient(
        create_app(circlet.open(folder)), base_url="http://127.0.0.1:8000", follow_redirects=False
    )
    where = client.get("/act", params={"text": "a truck"}).headers["location"]
    client.get(where)
    press = {"s": where.partition("s=")[2], "like": written(key_of(str(picture)))}
    there = client.get("/act", params=press).headers["location"]
    return lambda: client.get("/act", params=press), lambda: client.get(there)


def main() -> None:
    """Count the ways and print them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", action="store_true", dest="listed", help="name the functions by file")
    listed = parser.parse_args().listed
    with tempfile.TemporaryDirectory() as home:
        os.environ["CIRCLET_HOME"] = home
        command("demo", "--count", "60")
        folder = Path(home) / "demo" / "openmoji"
        picture = folder / "automobile.png"
        one: set[CodeType] = set()
        with counted(one):
            command("search", str(picture), "a truck")
        show("the command, picture and words", one, listed=listed)
        collection = circlet.open()
        collection.search(picture, "a truck")
        again: set[CodeType] = set()
        with counted(again):
            collection.search(picture, "a bus")
        show("an open collection, other words", again, listed=listed)
        for name, act in zip(
            ("a turn on the page, the press", "and the page"), page(folder, picture), strict=True
        ):
            seen: set[CodeType] = set()
            with counted(seen):
                act()
            show(name, seen, listed=listed)


if __name__ == "__main__":
    main()
