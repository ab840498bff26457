"""Finding a target in a few rounds with the search page as it is (paper 001)."""

from collections.abc import Mapping, Sequence
from typing import Any

from circlet.studio.items import Item
from circlet.studio.tasks.task import Task, Unfinished, one_of


class Study(Task):
    """{"found": …, "turns": […], "ranks": […]}; the rounds are added by whoever watched the search."""

    name = "study"

    def read(self, form: Mapping[str, str], item: Item, person: str = "") -> dict[str, Any]:
        return {"found": one_of(form, "found", ("yes", "no"), "found") == "yes"}

    def filled(self, answer: Mapping[str, Any]) -> dict[str, str]:
        return {"found": "yes" if answer["found"] else "no"}

    def watched(self, steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The turns as they stand at the end with their seconds; the target's rank by round, 0 for none."""
        if not steps:
            raise Unfinished("search")
        turns = [dict(turn) for turn in steps[-1]["turns"]]
        times = {len(step["turns"]): step["at"] for step in steps}
        for number, turn in enumerate(turns, start=1):
            turn["seconds"] = round(times.get(number, 0.0) - times.get(number - 1, times.get(number, 0.0)), 1)
        return {"turns": turns, "ranks": [step["rank"] for step in steps if step["rounds"]]}

    def words(self, answer: Mapping[str, Any]) -> list[str]:
        return [turn["text"] for turn in answer.get("turns", ()) if turn.get("text")]

    def choice(self, answer: Mapping[str, Any]) -> float | str | None:
        return float(answer["found"])
