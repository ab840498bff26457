"""The pictures of docs/studio.md, taken of the studio's own pages by a real browser.

    python benchmarks/studio_pages.py [--out docs/pictures]

Draws a few hundred drawings, builds pairs, tens, results and cases of them, opens the studio over each by
the real command and answers as three people would. Needs playwright and Chromium (`--chromium`).
"""

import argparse
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from circlet.app.cli.openmoji import drawings
from circlet.images import open_picture
from circlet.studio import Desk, Item, project_text
from studio import Server

WIDE, TALL = {"width": 1280, "height": 860}, {"width": 1280, "height": 1080}
PHONE = {"width": 390, "height": 844}
SENTENCES = (
    "make it face the other way and add a second one",
    "the same animal, but only its head, seen from the front",
    "another colour, and without the background",
    "smaller, with its mouth open",
    "a flag of other colours, with stripes instead of a cross",
    "turn it upside down",
    "remove everything but the round part",
    "the cute one, cropped from the picture",
    "more of them, side by side",
)


def main() -> None:
    """Make the projects and take every picture anew."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        base = Path(folder)
        photos = draw(base / "photos")
        browser = driver.chromium.launch(
            executable_path=said.chromium, args=["--no-sandbox", "--disable-gpu"]
        )

        def take(
            project: Path, *shots: tuple[str, str, dict[str, int], str, Callable[[Any], None] | None]
        ) -> None:
            server = Server(project, base / "home")
            try:
                for name, path, size, scheme, lead in shots:
                    page = browser.new_page(viewport=size, color_scheme=scheme, base_url=server.address)
                    page.set_default_timeout(120_000)
                    enter(page, path)
                    page.wait_for_load_state("networkidle")
                    if lead:
                        lead(page)
                    page.wait_for_load_state("networkidle")
                    page.mouse.move(0, 0)
                    save(page.screenshot(), said.out / f"studio-{name}.webp")
                    page.close()
            finally:
                server.kill()

        pairs = of_pairs(base, photos)
        take(
            pairs,
            ("start", "/studio", WIDE, "light", None),
            ("modify", "/studio/tasks/modify", TALL, "light", typed),
            ("extend", "/studio/tasks/extend", PHONE, "light", None),
            ("retrieve", "/studio/tasks/retrieve", WIDE, "light", lambda page: page.keyboard.press("3")),
            ("review", "/studio/review", WIDE, "dark", None),
            ("report", "/studio/report", WIDE, "light", None),
        )
        take(of_tens(base, photos), ("describe", "/studio/tasks/describe", TALL, "light", None))
        take(of_results(base, photos), ("compare", "/studio/tasks/compare", TALL, "light", scored))
        take(of_cases(base, photos), ("verify", "/studio/tasks/verify", WIDE, "dark", None))
        take(of_searches(base), ("study", "/studio/tasks/study", WIDE, "light", searched))
        browser.close()


def draw(folder: Path) -> list[Path]:
    """Every eighth of the drawings, as pictures."""
    folder.mkdir()
    known = drawings()
    files = []
    for name in list(known)[::8][:320]:
        files.append(folder / Path(name).with_suffix(".jpg").name)
        open_picture(known[name], side=320).convert("RGB").resize((320, 320)).save(files[-1])
    return files


def of_pairs(base: Path, photos: list[Path]) -> Path:
    """Pairs as the commands build them, most of them annotated by three people."""
    mine = base / "pairs"
    run(base, "build", "subsets", "photos", "--out", "pairs/subsets.json", "--near", "0.99", "--most", "6")
    run(base, "build", "pairs", "pairs/subsets.json", "--out", "pairs")
    project = write(mine, title="My own CIRR", kind="cirr", source=".", pictures="../photos")
    desk = Desk.open(project)
    people = [desk.store.person() for _ in range(4)]
    # Everybody takes their time, which ends now.
    now = time.time() - 3 * 3600
    desk.store.clock = lambda: now

    def answer(person: str, task: str, form: Callable[[Item], dict[str, str]], seconds: float) -> None:
        nonlocal now
        if item := desk.next(person, task):
            now += seconds
            desk.answer(person, item, form(item))

    for number in range(30):
        text = SENTENCES[number % len(SENTENCES)]
        said = {"text": text} if number % 11 else {"mark": "irrelevant"}
        answer(people[0], "modify", lambda item, said=said: said, 30 + 7 * (number % 5))
    four = {"text0": "drawn with thick lines", "none1": "1", "kind2": "no", "kind3": "covered"}
    for number, person in enumerate(people[1:]):

        def chosen(item: Item, number: int = number) -> dict[str, str]:
            place = item.shown["candidates"].index(item.truth["choice"])
            return {"choice": str((place + (item.number % 7 == number)) % 5)}

        for _ in range(16):
            if number == 0:
                answer(person, "extend", lambda item: four, 45)
            answer(person, "retrieve", chosen, 9)
    for number, one in enumerate(desk.store.answers(task="modify")[:12]):
        desk.review(one.number, "rejected" if number == 7 else "accepted")
    desk.close()
    return project


def of_tens(base: Path, photos: list[Path]) -> Path:
    """Two sets of ten in ImageCoDe's form."""
    mine = base / "tens"
    for number, name in enumerate(("static-first", "static-second")):
        ten = mine / "image-sets" / name
        ten.mkdir(parents=True)
        for place, photo in enumerate(photos[60 + number * 10 : 70 + number * 10]):
            shutil.copy(photo, ten / f"img{place}.jpg")
    (mine / "train_data.json").write_text(json.dumps({"static-first": {}, "static-second": {}}))
    return write(mine, title="One of ten", kind="tens", source=".")


def of_results(base: Path, photos: list[Path]) -> Path:
    """Two methods' results for a few queries."""
    names = [photo.name for photo in photos]
    records = [
        {
            "id": str(number),
            "reference": names[number],
            "text": "is red and has a round shape",
            "sets": [{"images": names[at : at + 5]} for at in (number + 40, number + 90)],
        }
        for number in range(5)
    ]
    mine = base / "results"
    mine.mkdir()
    (mine / "sets.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return write(mine, title="Two methods", kind="compare", source="sets.jsonl", pictures="../photos")


def of_cases(base: Path, photos: list[Path]) -> Path:
    """Generated cases to be verified."""
    mine = base / "cases"
    mine.mkdir()
    lines = []
    for number in range(4):
        names = ("reference", "target", "hard_negative")
        shown = {name: f"../photos/{photos[100 + number + at].name}" for at, name in enumerate(names)}
        words = {f"{name}_caption": "" for name in names}
        about = {"id": str(number), "aspect": "change", "status": "unverified", "source": "", "maker": ""}
        lines.append(json.dumps({**about, **shown, **words, "instruction": "turn it into something else"}))
    (mine / "aspects.jsonl").write_text("\n".join(lines) + "\n")
    return write(mine, title="Generated cases", kind="verify", source="aspects.jsonl")


def of_searches(base: Path) -> Path:
    """A few targets to be found by searching."""
    run(base, "index", "photos")
    return write(base / "study", title="Search in rounds", kind="study", source=".", pictures="../photos")


def write(folder: Path, **said: Any) -> Path:
    """A project's file."""
    folder.mkdir(exist_ok=True)
    (folder / "project.toml").write_text(project_text(**said))
    return folder / "project.toml"


def run(base: Path, *said: str) -> None:
    """A command of circlet's, in this folder and with a home of its own."""
    environment = {**os.environ, "CIRCLET_HOME": str(base / "home")}
    subprocess.run([sys.executable, "-m", "circlet", *said], cwd=base, env=environment, check=True)


def enter(page: Any, path: str) -> None:
    """Begin, practise, and go where the picture is to be taken."""
    page.goto("/studio")
    page.click("form.begin button")
    page.goto(path)
    if "/practice/" in page.url:
        for place in range(page.locator("fieldset.question").count()):
            page.check(f"[name=q{place}][value=yes]")
        page.click("button.main")
        page.click("#real")


def typed(page: Any) -> None:
    """A sentence that breaks a guideline, told while it is typed."""
    page.fill("#text", "a beautiful flag with more stripes, cropped")
    page.wait_for_selector("#breaches li")


def scored(page: Any) -> None:
    """Half an answer."""
    page.locator("[name=score1][value='4']").check(force=True)
    page.locator("[name=score2][value='2']").check(force=True)


def searched(page: Any) -> None:
    """One round played, once the server has loaded what a search needs."""
    ask = {"turns": [{"text": "a round yellow face"}]}
    while "retry-after" in page.request.post("/api/v1/search", data=ask).headers:
        page.wait_for_timeout(500)
    page.click("main a.button.main")
    page.fill("#words", "a round yellow face")
    page.press("#words", "Enter")
    page.wait_for_selector(".step")
    page.wait_for_timeout(1500)


def save(data: bytes, path: Path) -> None:
    """Keep a screenshot small."""
    Image.open(io.BytesIO(data)).save(path, "WEBP", quality=80, method=6)
    print(path)


if __name__ == "__main__":
    main()
