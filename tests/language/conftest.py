"""Real captions of CIRR, CIRCO and FashionIQ, where their annotation files are at hand."""

import json
import os
from pathlib import Path
from typing import Any

import pytest


def read(name: str) -> Any:
    beside = Path(__file__).parents[2].parent / "shared" / "data"
    file = Path(os.environ.get("CIRCLET_SHARED_DATA", beside)) / name
    if not file.exists():
        pytest.skip(f"{name} is not there: set CIRCLET_SHARED_DATA to the folder with the annotation files")
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def circo() -> list[dict[str, Any]]:
    return read("circo/annotations/val.json")


@pytest.fixture(scope="session")
def cirr() -> list[str]:
    return [entry["caption"] for entry in read("cirr/captions/cap.rc2.val.json")]


@pytest.fixture(scope="session")
def captions(circo: list[dict[str, Any]], cirr: list[str]) -> list[str]:
    dresses = read("fashioniq/captions/cap.dress.val.json")[:500]
    return cirr[:2000] + [e["relative_caption"] for e in circo] + [c for e in dresses for c in e["captions"]]


@pytest.fixture(scope="session")
def all_cirr(cirr: list[str]) -> list[str]:
    return cirr + [entry["caption"] for entry in read("cirr/captions/cap.rc2.test1.json")]
