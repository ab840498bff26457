"""The picture of docs/context.md: a pile on the page, ordered by words, taken by a real browser.

    python benchmarks/pile_page.py [--out docs/pictures/pile.webp]

Draws a burst of eight from OpenMoji art (a dog walks, once a balloon flies by), dates it as a camera does,
indexes it in a home of its own and serves it. Needs playwright and Chromium (`--chromium`, else
/usr/bin/chromium).
"""

import argparse
import io
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from PIL import ExifTags, Image, ImageDraw
from playwright.sync_api import sync_playwright

from circlet.app.cli.openmoji import CREDIT, drawings
from circlet.app.http.config import ServerConfig
from circlet.app.http.server import create_app
from circlet.collection import Collection
from circlet.images import open_picture

WIDE, TALL = 960, 640
WORDS = "something red"


def shot(number: int) -> Image.Image:
    """One of the burst."""
    drawn = Image.new("RGB", (WIDE, TALL), (170, 214, 245))
    ImageDraw.Draw(drawn).rectangle((0, 420, WIDE, TALL), fill=(150, 200, 120))
    things = {"deciduous-tree": (650, 90, 340), "dog": (40 + 45 * number, 300, 280)}
    if number == 4:
        things["balloon"] = (400, 20, 280)
    for name, (left, top, side) in things.items():
        thing = open_picture(drawings()[f"{name}.png"], side=side).convert("RGB").resize((side, side))
        # White is the paper that it was drawn on.
        drawn.paste(thing, (left, top), thing.convert("L").point([255] * 250 + [0] * 6))
    return drawn


def burst(folder: Path) -> None:
    """Eight shots within four seconds."""
    folder.mkdir()
    for number in range(8):
        when = datetime(2024, 7, 1, 12) + timedelta(seconds=number // 2)
        exif = Image.Exif()
        exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = f"{when:%Y:%m:%d %H:%M:%S}"
        shot(number).save(folder / f"walk-{number + 1}.jpg", quality=92, exif=exif)


def served(collection: Collection) -> tuple[uvicorn.Server, str]:
    """A server over the collection, and its address."""
    app = create_app(collection, ServerConfig(credit=CREDIT))
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return server, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"


def led(page: Any) -> None:
    """To the pile, by its badge and its words; then the best beside another one, and kept."""
    page.goto("/act?text=a+dog")
    page.click(".copies")
    page.fill(".which input", WORDS)
    page.press(".which input", "Enter")
    page.wait_for_selector("#pile")
    page.keyboard.press("k")
    page.wait_for_selector('#pile [aria-pressed="true"]')
    page.wait_for_load_state("networkidle")


def main() -> None:
    """Draw, index, serve, look."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("docs/pictures/pile.webp"))
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, sync_playwright() as driver:
        burst(Path(place) / "walk")
        collection = Collection.open(Path(place) / "walk", home=Path(place) / "home")
        collection.index()
        collection.search("a first word")
        server, address = served(collection)
        browser = driver.chromium.launch(
            executable_path=said.chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 1000}, base_url=address)
        led(page)
        seen = Image.open(io.BytesIO(page.screenshot()))
        seen.save(said.out, "WEBP", quality=80, method=6)
        print(said.out)
        browser.close()
        server.should_exit = True


if __name__ == "__main__":
    main()
