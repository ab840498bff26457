"""Finding the target among the five others of the subset (paper 000)."""

from collections.abc import Mapping
from typing import Any

from circlet.studio.items import Item
from circlet.studio.tasks.task import Task, one_of


class Retrieve(Task):
    """{"choice": the id of the picture that was chosen}; the form says its place in the item.

    >>> asked = Item(id="1", task="retrieve", shown={"candidates": ["a", "b"]}, truth={"choice": "b"})
    >>> Retrieve().right(asked, Retrieve().read({"choice": "1"}, asked))
    True
    """

    name = "retrieve"

    def read(self, form: Mapping[str, str], item: Item, person: str = "") -> dict[str, Any]:
        candidates = item.shown["candidates"]
        places = tuple(map(str, range(len(candidates))))
        return {"choice": candidates[int(one_of(form, "choice", places, "choose"))]}

    def filled(self, answer: Mapping[str, Any]) -> dict[str, str]:
        return {"picture": answer["choice"]}

    def choice(self, answer: Mapping[str, Any]) -> float | str | None:
        return str(answer["choice"])

    def right(self, item: Item, answer: Mapping[str, Any]) -> bool | None:
        return answer["choice"] == item.truth["choice"] if item.truth else None
