"""In how many turns somebody who points finds a chosen drawing, by history: in a real browser, or without.

    circlet demo --serve                       # 2,459 OpenMoji drawings
    python benchmarks/targets.py [--at http://127.0.0.1:8000] [--targets 20] [--seed 0]
    python benchmarks/targets.py --direct [--targets 300]         # the same sessions without a browser
    python benchmarks/targets.py --direct --careless 1            # a control: picks that mean nothing

The user has a drawing in mind and no name for it. In the first turn he says what kind of thing it is (the
nearest of some everyday kinds). Then, turn by turn, he looks at the first ten, picks the one most like it,
and says its main colour where the picked one has another and it was not said yet. His eye is the encoder's
(how alike two drawings are, never where they stand in the results); with `--eye names` it is half the names'
and half that of small copies of the drawings, which has nothing of what searches. He stops when the drawing
is among the first ten, or after six turns. Drawings that the first turn finds are passed over: every history
would find them. Flags of countries are nobody's target. Needs playwright and Chromium (`--chromium`), unless
`--direct`.
"""

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from PIL import Image

from circlet.app.cli.openmoji import drawings
from circlet.collection import Collection, SearchOptions
from circlet.core.home import room
from circlet.models.encoders.sentences import Sentences

HISTORIES = ("belief", "conversation", "feedback", "weighted", "latest")
SHOWN, LAST = 10, 6
KINDS = (
    "a person", "a face", "a hand", "an animal", "a bird", "a fish", "an insect", "a plant", "a flower",
    "a fruit", "food", "a drink", "a building", "a landscape", "a vehicle", "a ship", "an aircraft",
    "clothing", "a tool", "a machine", "a toy", "a ball", "a musical instrument", "a sign", "a flag",
    "a clock", "a heart", "a letter", "the weather", "the sky", "a map", "furniture", "a book", "a box",
)  # fmt: skip
# Name, hue in degrees from, to; white, grey and black are told by how bright they are.
HUES = (
    ("red", 0, 14), ("orange", 14, 42), ("yellow", 42, 68), ("green", 68, 165), ("blue", 165, 255),
    ("purple", 255, 290), ("pink", 290, 345), ("red", 345, 361),
)  # fmt: skip


class Looked(Protocol):
    """A search that is looked at: said to, picked from."""

    def say(self, words: str) -> None: ...

    def pick(self, name: str) -> None: ...

    def first(self) -> list[str]: ...


@dataclass
class Drawings:
    """What the user knows of the drawings: their names, and how they look."""

    folder: Path
    seen: Callable[[list[str]], Any] | None = None
    _looks: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def names(self) -> list[str]:
        """The files, by name."""
        return sorted(path.name for path in self.folder.glob("*.png"))

    @cached_property
    def targets(self) -> list[str]:
        """Those that have a name in a person's words and are no country's flag."""
        flags = {name for name, file in drawings().items() if file.stem.startswith(("1F1", "1F3F4"))}
        return [name for name in self.names if not name.startswith("openmoji-") and name not in flags]

    @cached_property
    def _texts(self) -> Any:
        return cache(lambda words: Sentences().texts([words])[0])

    @cached_property
    def _kinds(self) -> Any:
        return Sentences().texts(KINDS)

    def name(self, file: str) -> Any:
        """What the drawing is called, as a unit vector."""
        return self._texts(file.removesuffix(".png").replace("-", " "))

    def kind(self, file: str) -> str:
        """The everyday kind that its name is nearest to."""
        return KINDS[int((self._kinds @ self.name(file)).argmax())]

    def look(self, name: str) -> Any:
        """A small copy, as a unit vector around white."""
        if name not in self._looks:
            picture = Image.open(self.folder / name).convert("RGB").resize((12, 12), Image.Resampling.BOX)
            ink = 255.0 - np.asarray(picture, np.float64).ravel()
            self._looks[name] = ink / max(float(np.linalg.norm(ink)), 1e-9)
        return self._looks[name]

    def likeness(self, one: str, other: str) -> float:
        """By the vectors of who searches; without them half by name, half by small copies."""
        if self.seen is not None:
            first, second = self.seen([str(self.folder / name) for name in (one, other)])
            return float(first @ second)
        return float(self.name(one) @ self.name(other) + self.look(one) @ self.look(other)) / 2

    def colour(self, name: str) -> str:
        """What most of its ink is, black outlines and the white ground apart; nothing where it has none."""
        pixels = np.asarray(Image.open(self.folder / name).convert("HSV").resize((48, 48)), np.float64)
        hue, strong, bright = (pixels[..., at].ravel() for at in range(3))
        inked = (strong > 70) & (bright > 70)
        counts: dict[str, int] = {}
        for colour, low, high in HUES:
            within = inked & (hue * 360 / 255 >= low) & (hue * 360 / 255 < high)
            counts[colour] = counts.get(colour, 0) + int(within.sum())
        best = max(counts, key=lambda colour: counts[colour])
        return best if counts[best] > 20 else ""


def search(
    looked: Looked, target: str, known: Drawings, *, careless: float, rng: random.Random
) -> tuple[int, list[str]]:
    """The turn in which the target was among the first ten (none: after the last), and what was done."""
    looked.say(known.kind(target))
    done, said, before = [known.kind(target)], set[str](), set[str]()
    for turn in range(1, LAST + 1):
        seen = looked.first()
        if target in seen:
            return turn, done
        if turn == LAST:
            break
        fresh = [name for name in seen if name not in before] or seen
        picked = max(fresh, key=lambda name: known.likeness(name, target))
        if careless and rng.random() < careless:
            picked = rng.choice(fresh)
        before.add(picked)
        looked.pick(picked)
        colour = known.colour(target)
        if colour and colour not in said and colour != known.colour(picked):
            said.add(colour)
            looked.say(f"in {colour}")
            picked += f", in {colour}"
        done.append(picked)
    return LAST + 1, done


class InBrowser:
    """The search page in a window of its own."""

    def __init__(self, browser: Any, address: str, history: str) -> None:
        self.page = browser.new_page(viewport={"width": 1280, "height": 900}, base_url=address)
        self.page.goto(f"/?history={history}&fold=no")
        self.turns = 0

    def say(self, words: str) -> None:
        """Type and press Enter."""
        self.page.fill("#words", words)
        self.page.press("#words", "Enter")
        self.turns = self.turns or 1
        self._until(lambda steps: len(steps) == self.turns and words in steps[-1])

    def pick(self, name: str) -> None:
        """Click a picture."""
        self.page.click(f'#grid > .card .pick[data-name="{name}"]')
        self.turns += 1
        self._until(lambda steps: len(steps) == self.turns)

    def first(self) -> list[str]:
        """The first ten names on the page."""
        script = "[...document.querySelectorAll('#grid > .card .pick')].map((pick) => pick.dataset.name)"
        return list(self.page.evaluate(script))[:SHOWN]

    def _until(self, check: Callable[[list[str]], bool]) -> None:
        end = time.monotonic() + 120
        script = """[document.body.classList.contains('busy'),
                     [...document.querySelectorAll('.step')].map((step) => step.innerText)]"""
        while True:
            busy, steps = self.page.evaluate(script)
            if not busy and check(steps):
                return
            assert time.monotonic() < end, f"waited in vain at {steps}"
            self.page.wait_for_timeout(20)

    def close(self) -> None:
        """Close the window."""
        self.page.close()


class Direct:
    """The same session in this process."""

    def __init__(self, collection: Collection, folder: Path, history: str) -> None:
        self.folder = folder
        self.session = collection.session(options=SearchOptions(top=SHOWN, history=history, fold=False))

    def say(self, words: str) -> None:
        """Words, as the page takes them."""
        self.session = self.session.say(words)

    def pick(self, name: str) -> None:
        """A result by its name."""
        self.session = self.session.pick(str(self.folder / name))

    def first(self) -> list[str]:
        """The first ten names."""
        return [Path(id).name for id in self.session.results.ids]

    def close(self) -> None:
        """Nothing is open."""


def play(open_search: Callable[[str], Any], known: Drawings, asked: argparse.Namespace) -> dict[str, Any]:
    """For each history the turn in which every target was found."""
    rng = random.Random(f"targets {asked.seed}")
    named = list(known.targets)
    rng.shuffle(named)
    histories = asked.history or HISTORIES
    found: dict[str, list[int]] = {history: [] for history in histories}
    for target in named:
        if len(found[histories[0]]) == asked.targets:
            break
        for history in histories:
            looked = open_search(history)
            draw = random.Random(f"{asked.seed} {target}")
            turns, done = search(looked, target, known, careless=asked.careless, rng=draw)
            looked.close()
            if turns == 1:
                break
            found[history].append(turns)
            if asked.tell:
                print(
                    f"{target} · {history}: {turns if turns <= LAST else '–'} · {' → '.join(done)}",
                    flush=True,
                )
    return {history: np.array(turns) for history, turns in found.items()}


def table(found: dict[str, Any]) -> None:
    """A row for each history, and how far the first is ahead of it, target by target."""
    own, first = next(iter(found.items()))
    rng = np.random.default_rng(0)
    some = rng.integers(0, len(first), (10_000, len(first)))
    print(f"| history | mean turns | found within 3 | within {LAST} | turns fewer with {own} |")
    print("| --- | ---: | ---: | ---: | --- |")
    for history, turns in found.items():
        ahead = turns - first
        low, high = np.percentile(ahead[some].mean(axis=1), (2.5, 97.5))
        less = f"{ahead.mean():+.2f} ({low:+.2f} to {high:+.2f})" if history != own else ""
        print(f"| {history} | {turns.mean():.2f} | {np.sum(turns <= 3)} of {len(turns)} | "
              f"{np.sum(turns <= LAST)} | {less} |")  # fmt: skip


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--at", default="http://127.0.0.1:8000")
    parser.add_argument("--folder", type=Path, default=room("demo") / "openmoji")
    parser.add_argument("--targets", type=int, default=20)
    parser.add_argument("--history", action="append", help="may be repeated; several, if none is named")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--careless", type=float, default=0.0, help="how often any of the ten is picked")
    parser.add_argument("--eye", choices=("encoder", "names"), default="encoder")
    parser.add_argument("--direct", action="store_true", help="without a browser")
    parser.add_argument("--tell", action="store_true", help="print every session")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    asked = parser.parse_args()
    collection = Collection.open(asked.folder)
    space = collection.store.space(collection.encoder.fingerprint)
    known = Drawings(asked.folder, space.vectors_of if asked.eye == "encoder" else None)
    if asked.direct:
        found = play(lambda history: Direct(collection, asked.folder, history), known, asked)
    else:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as driver:
            # The user knows the drawings by name: what they look like need not be loaded.
            flags = ["--no-sandbox", "--disable-gpu", "--blink-settings=imagesEnabled=false"]
            browser = driver.chromium.launch(executable_path=asked.chromium, args=flags)
            found = play(lambda history: InBrowser(browser, asked.at, history), known, asked)
            browser.close()
    how = "without a browser" if asked.direct else "in a browser"
    told = (
        f"{len(known.names):,} drawings, {asked.targets} targets, seed {asked.seed}, {how}, eye: {asked.eye}"
    )
    print(f"{told}; not found in {LAST} turns counts as {LAST + 1}")
    table(found)


if __name__ == "__main__":
    main()
