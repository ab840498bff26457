"""The tableaux sets that experiments run on: made on first use, kept under CIRCLET_HOME."""

from pathlib import Path

from circlet.build.tableaux import make
from circlet.core.home import home
from circlet.data.tableaux.files import Stages
from circlet.models import load_encoder
from circlet.models.features import FileVectors


def world(size: str, stages: Stages | None = None) -> Path:
    """The folder of the tableaux set of this size."""
    place = home() / "tableaux" / size
    if not (place / "cir.test.jsonl").exists():  # the last file that is written
        make(place, size, looker=FileVectors(load_encoder("builtin")), stages=stages)
    return place
