"""Four pictures in the plane: two alike, one across, one opposite."""

import pytest

from circlet.core import Gallery, unit


@pytest.fixture
def gallery() -> Gallery:
    rows = unit([[1, 0], [0.9, 0.1], [0, 1], [-1, 0]])
    return Gallery(["a", "bb", "ccc", "dddd"], rows, "toy:1")
