"""Finding the picture that a description is of, among ten (paper 002)."""

from collections.abc import Mapping
from typing import Any

from circlet.studio.items import Item
from circlet.studio.tasks.task import Task, one_of


class Find(Task):
    """{"place": the place of the chosen picture in its set}."""

    name = "find"

    def read(self, form: Mapping[str, str], item: Item, person: str = "") -> dict[str, Any]:
        places = tuple(map(str, range(len(item.shown["pictures"]))))
        return {"place": int(one_of(form, "choice", places, "choose"))}

    def filled(self, answer: Mapping[str, Any]) -> dict[str, str]:
        return {"choice": str(answer["place"])}

    def choice(self, answer: Mapping[str, Any]) -> float | str | None:
        return float(answer["place"])

    def right(self, item: Item, answer: Mapping[str, Any]) -> bool | None:
        return answer["place"] == item.truth["place"] if item.truth else None
