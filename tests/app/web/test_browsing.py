"""Looking through a collection: whole pictures in rows, filters with counts, folders and dates."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

SHAPES = {"wide": (900, 300), "tall": (300, 450), "square": (400, 400), "photo": (600, 400)}


@pytest.fixture(scope="module")
def shaped(tmp_path_factory: pytest.TempPathFactory, at_home: Any) -> tuple[Path, Path]:
    """Pictures of many shapes, in two folders, taken in three years."""
    base = tmp_path_factory.mktemp("shaped")
    folder, home = base / "album", base / "home"
    for number in range(24):
        shape = list(SHAPES)[number % 4]
        place = folder / ("trips" if number % 3 else "garden")
        place.mkdir(parents=True, exist_ok=True)
        picture = Image.new("RGB", SHAPES[shape], (10 * number, 200 - 8 * number, 90 + 5 * number))
        exif = picture.getexif()
        exif[0x0132] = datetime(2020 + number % 3, 1 + number % 12, 3).strftime("%Y:%m:%d %H:%M:%S")
        picture.save(place / f"{shape}-{number}.jpg", exif=exif)
    command = at_home(home)
    command("index", folder)
    return folder, home


@pytest.fixture
def looked(visit: Any, sites: Any, shaped: tuple[Path, Path]) -> Any:
    served = sites(folder=shaped[0], home=shaped[1])
    return lambda path="/", **options: visit(path, address=served.address, **options)


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_pictures_are_whole_and_rows_are_even(looked: Any, width: int) -> None:
    visitor = looked("/act?text=something+blue&fold=no")
    page = visitor.page
    page.set_viewport_size({"width": width, "height": 900})
    # All of them are drawn, those out of sight too.
    page.evaluate("document.documentElement.classList.remove('js')")
    boxes = page.evaluate(
        """[...document.querySelectorAll("#grid > .card .pick")].map((pick) => {
            const box = pick.getBoundingClientRect();
            return [pick.dataset.name, Math.round(box.top), box.width, box.height];
        })"""
    )
    for name, _, wide, high in boxes:
        shown = SHAPES[name.partition("-")[0]]
        assert wide / high == pytest.approx(max(0.7, min(3, shown[0] / shown[1])), rel=0.03), name
    rows: dict[int, list[float]] = {}
    for _, top, _, high in boxes:
        rows.setdefault(top, []).append(high)
    assert max(map(len, rows.values())) > 1
    assert all(max(highs) - min(highs) < 4 for highs in rows.values()), rows
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_one_looks_by_date_and_by_folder_before_searching(looked: Any) -> None:
    for scripts in (True, False):
        visitor = looked(java_script_enabled=scripts)
        page = visitor.page
        shelves = page.locator(".shelf").all_inner_texts()
        assert shelves[0].split() == ["By", "date", "all", "2022", "8", "2021", "8", "2020", "8"]
        assert shelves[1].split() == ["By", "folder", "garden", "8", "trips", "16"]
        page.click(".shelf >> text=2021")
        page.wait_for_selector(".chips")
        assert page.inner_text("#results") == "8 pictures"
        months = page.locator(".month h3").all_inner_texts()
        assert [month.split()[1] for month in months] == ["2021"] * len(months)
        assert months[0] == "November 2021"
        page.click(".shelf >> text=trips")
        # As many pictures as before: the third chip says that the answer is there.
        page.wait_for_selector(".chips a >> nth=2")
        assert page.inner_text("#results") == "8 pictures"
        # A chip takes its filter away and leaves the others.
        words = page.locator(".chips a").all_inner_texts()
        assert words == ["in trips", "from 2021-01-01", "until 2021-12-31"]
        page.click("[aria-label='Take away the filter: in trips']")
        page.wait_for_selector(".chips a >> nth=1")
        page.wait_for_selector(".chips a >> nth=2", state="detached")
        page.wait_for_url(lambda url: "folder" not in url)


def test_filters_on_the_start_page_have_real_counts(looked: Any) -> None:
    visitor = looked()
    page = visitor.page
    page.click("#filters > summary")
    told = page.locator("#filters [name=orientation] option").all_inner_texts()
    assert sorted(told[1:]) == ["landscape (12)", "portrait (6)", "square (6)"]
    page.select_option("#filters [name=orientation]", "portrait")
    page.click("#filters >> text=Apply")
    page.wait_for_selector("#results >> text=6 pictures")
    folders = page.locator("#filters [name=folder] option").all_text_contents()
    assert sum(int(one.split("(")[1].rstrip(")")) for one in folders[1:]) == 6


def test_controls_are_calm(looked: Any) -> None:
    visitor = looked("/act?text=something+blue")
    page = visitor.page
    assert not page.is_visible("[name=method]")
    assert not page.is_visible("#grid .score")
    page.click("#advanced > summary")
    assert page.is_visible("[name=method]")
    assert page.is_visible("#grid .score >> nth=0")
    assert not page.is_visible("text=these keys")
    page.focus("#grid .pick")
    page.keyboard.press("?")
    assert page.is_visible("text=these keys")
    page.set_viewport_size({"width": 390, "height": 800})
    fresh = looked("/act?text=something+blue")
    fresh.page.set_viewport_size({"width": 390, "height": 800})
    assert fresh.page.locator("#grid .card").first.bounding_box()["y"] < 400, "results stand high on a phone"
