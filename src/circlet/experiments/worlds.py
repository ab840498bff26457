"""The tableaux sets that experiments run on: made on first use, kept under CIRCLET_HOME."""

from pathlib import Path

from circlet.build.tableaux import ASPECTS, make
from circlet.core.home import room
from circlet.data.tableaux.files import Stages, finished
from circlet.models import load_encoder
from circlet.models.features import FileVectors


def world(size: str, stages: Stages | None = None) -> Path:
    """The folder of the tableaux set of this size; one with fewer aspects from before grows in place."""
    place = room("tableaux") / size
    if not finished(place, ASPECTS):
        make(place, size, looker=FileVectors(load_encoder("builtin")), stages=stages)
    return place
