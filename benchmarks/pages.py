"""The pictures of docs/web.md, taken of the page itself by a real browser.

    circlet demo --serve
    python benchmarks/pages.py [--at http://127.0.0.1:8000] [--out docs/pictures]
    python benchmarks/pages.py --at http://127.0.0.1:8001 --results before    # of another version's results

Needs playwright and Chromium (`--chromium`, else /usr/bin/chromium).
"""

import argparse
import io
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}


def main() -> None:
    """Take every picture anew."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--at", default="http://127.0.0.1:8000")
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--results", metavar="NAME", help="Only results, wide and on a phone, as NAME.")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    said = parser.parse_args()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=said.chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        pictures: list[tuple[str, Any, str, Any]] = [
            ("start", WIDE, "light", None),
            ("turns", WIDE, "light", _three_steps),
            ("dark", WIDE, "dark", _three_steps),
            ("phone", PHONE, "light", _three_steps),
            ("compare", WIDE, "light", _compared),
        ]
        if said.results:
            pictures = [
                (said.results, WIDE, "light", _results),
                (f"{said.results}-phone", PHONE, "light", _results),
            ]
        for name, size, scheme, lead in pictures:
            page = browser.new_page(viewport=size, color_scheme=scheme, base_url=said.at)
            page.goto("/")
            if lead:
                lead(page)
            page.wait_for_load_state("networkidle")
            _save(page.screenshot(), said.out / f"{name}.webp")
        browser.close()


def _results(page: Any) -> None:
    page.goto("/act?text=a+red+car")
    page.wait_for_selector("#grid img")


def _three_steps(page: Any) -> None:
    """Words, a picture with words, a like: all that stands above results is there."""
    page.goto("/act?text=a+red+car")
    page.click("#grid .pick >> nth=0")
    page.wait_for_selector(".step >> nth=1")
    page.fill("#words", "blue, without people")
    page.press("#words", "Enter")
    page.wait_for_selector("#balance")
    page.click("#grid [name=like] >> nth=1")
    page.wait_for_selector(".step >> nth=2")
    page.evaluate("scrollTo(0, 0)")
    page.mouse.move(0, 0)


def _compared(page: Any) -> None:
    page.goto("/compare?text=a+red+car&a=default&b=sum")
    page.wait_for_selector(".pair img")


def _save(data: bytes, path: Path) -> None:
    Image.open(io.BytesIO(data)).save(path, "WEBP", quality=80, method=6)
    print(path)


if __name__ == "__main__":
    main()
