"""The Python door: what it shows, and that looking at it loads nothing."""

import subprocess
import sys
from typing import Any

import pytest

import circlet


def test_the_door_shows_these_names_and_no_others() -> None:
    assert circlet.__all__ == [
        "CircletError", "Collection", "Hit", "Query", "Results", "SearchOptions", "Session", "Turn",
        "bar", "open",
    ]  # fmt: skip
    assert dir(circlet) == sorted([*circlet.__all__, "__version__"])


@pytest.mark.parametrize("name", circlet.__all__)
def test_every_name_leads_somewhere(name: str) -> None:
    assert callable(getattr(circlet, name))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'serach'"):
        _ = circlet.serach


def test_importing_circlet_loads_nothing_heavy(command: Any) -> None:
    heavy = "{'numpy', 'PIL', 'torch', 'onnxruntime', 'click', 'rich'}"
    code = f"import sys, circlet; print(sorted({heavy} & set(sys.modules)))"
    said = subprocess.run(
        [sys.executable, "-c", code], env=command.environment, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[]"
