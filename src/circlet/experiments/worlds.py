"""The tableaux sets that experiments run on: made on first use, kept under CIRCLET_HOME."""

from pathlib import Path

from circlet.build.film_sets import FRAMES, add_films
from circlet.build.graded import RELEVANCE, add_grades
from circlet.build.tableaux import ASPECTS, SIZES, make
from circlet.core.home import room
from circlet.data.tableaux.files import Stages, finished
from circlet.models import load_encoder
from circlet.models.features import FileVectors


def world(size: str, stages: Stages | None = None) -> Path:
    """The folder of the tableaux set of this size; one from before, which lacks a part, grows in place."""
    place = room("tableaux") / size
    if not finished(place, aspects=ASPECTS):
        make(place, size, looker=FileVectors(load_encoder("builtin")), stages=stages)
        return place
    if not finished(place, relevance=RELEVANCE):
        add_grades(place, SIZES[size].graded, stages=stages)
    if not finished(place, frames=FRAMES):
        add_films(place, SIZES[size].frames, stages=stages)
    return place
