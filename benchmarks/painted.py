"""From Enter to pictures on the screen, of several servers in one run: is a new page slower than the old?

    circlet serve FOLDER --port 8001 --no-index        # one of each version, over the same pictures
    python benchmarks/painted.py http://127.0.0.1:8001 http://127.0.0.1:8002 [--rounds 20]

For each address the median, in milliseconds, from pressing Enter in the field to the frame in which all
pictures of the first view are drawn, and its ratio to the first address. The servers take turns; what is
drawn is warm.
"""

import argparse
import statistics
import time
from typing import Any

from playwright.sync_api import sync_playwright

WORDS = ("a red car", "a dog", "a house at night", "something blue", "a yellow flower", "a boat")
# Notes when Enter is pressed, also over a page load, and when the pictures in view are drawn after it.
WATCH = """
    addEventListener("keydown", (press) => {
        if (press.key === "Enter") sessionStorage.setItem("pressed", Date.now());
    }, true);
    const look = () => {
        const pressed = Number(sessionStorage.getItem("pressed"));
        const shown = [...document.querySelectorAll("#grid .card img")].filter((one) => {
            const box = one.getBoundingClientRect();
            return box.top < innerHeight && box.bottom > 0;
        });
        const done = document.querySelectorAll(".step").length > 0 && shown.length > 0 &&
            shown.every((one) => one.complete && one.naturalWidth);
        if (pressed && done) {
            requestAnimationFrame(() => requestAnimationFrame(() => {
                if (!document.body.dataset.painted) document.body.dataset.painted = Date.now() - pressed;
            }));
        } else requestAnimationFrame(look);
    };
    addEventListener("DOMContentLoaded", () => requestAnimationFrame(look));
"""


def painted(browser: Any, address: str, words: str) -> float:
    """Milliseconds until the pictures for these words are drawn, in a window of its own."""
    page = browser.new_page(viewport={"width": 1280, "height": 860})
    try:
        page.add_init_script(WATCH)
        page.goto(address)
        page.fill("#words", words)
        page.press("#words", "Enter")
        end = time.monotonic() + 60
        while not (took := page.evaluate("document.body.dataset.painted || ''")):
            assert time.monotonic() < end, f"{address} shows nothing for {words!r}"
            page.wait_for_timeout(10)
        return float(took)
    finally:
        page.close()


def main() -> None:
    """Once to warm up, then in turn."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("addresses", nargs="+")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    asked = parser.parse_args()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=asked.chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        times: dict[str, list[float]] = {address: [] for address in asked.addresses}
        for words in WORDS:
            for address in asked.addresses:
                painted(browser, address, words)
        for number in range(asked.rounds):
            for address, taken in times.items():
                taken.append(painted(browser, address, WORDS[number % len(WORDS)]))
        browser.close()
    first = statistics.median(times[asked.addresses[0]])
    for address, taken in times.items():
        middle = statistics.median(taken)
        print(f"{address}: {middle:.0f} ms (best {min(taken):.0f}), {middle / first:.2f} of the first")


if __name__ == "__main__":
    main()
