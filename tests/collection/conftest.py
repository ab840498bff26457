"""Pictures in plain colours, and a collection of them."""

from pathlib import Path
from typing import Any

import pytest
from tests.collection.colours import Colours

from circlet.collection import Collection


@pytest.fixture
def shades(picture: Any) -> Path:
    """Six pictures from red to green to blue, wide and tall, in two folders."""
    picture("warm/red.png", (250, 20, 20))
    picture("warm/copy-of-red.png", (250, 20, 20))
    picture("warm/orange.png", (250, 110, 20), seed=1)
    picture("cold/green.png", (20, 250, 20), size=(200, 300), seed=2)
    picture("cold/teal.png", (20, 200, 160), seed=3)
    return picture("cold/blue.png", (20, 20, 250), seed=4).parents[1]


@pytest.fixture
def collection(shades: Path, tmp_path: Path) -> Collection:
    made = Collection.open(shades, home=tmp_path / "home", encoder=Colours())
    made.index()
    return made
