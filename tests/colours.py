"""Pictures whose right answers are plain to see: one colour each."""

from pathlib import Path

from PIL import Image

COLOURS = {"red": (220, 30, 30), "green": (30, 180, 60), "blue": (40, 60, 220), "black": (10, 10, 10)}


def painted(folder: Path) -> dict[str, Path]:
    """A picture of each colour, by its name."""
    files = {name: folder / f"{name}.png" for name in COLOURS}
    for name, file in files.items():
        Image.new("RGB", (64, 64), COLOURS[name]).save(file)
    return files
