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
