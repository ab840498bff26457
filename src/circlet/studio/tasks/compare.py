"""Scoring two methods' results for one query, and saying which are better (paper 004)."""

import random
from collections.abc import Mapping
from typing import Any

from circlet.studio.items import Item
from circlet.studio.tasks.task import Task, Unfinished, one_of

SCALE = ("1", "2", "3", "4", "5")
# One in so many items asks for a sum, which nobody gets wrong who looks at the page.
_EVERY = 6


class Compare(Task):
    """{"scores": [4, 2], "preferred": 1 or 2, "valid": …}; sets are numbered as in the item.

    Where each result is scored, "results" holds those scores by set, and a set's score is their mean.
    """

    name = "compare"

    def read(self, form: Mapping[str, str], item: Item, person: str = "") -> dict[str, Any]:
        answer: dict[str, Any] = {}
        if item.shown.get("results"):
            answer["results"] = [
                [
                    int(one_of(form, f"score{side}_{place}", SCALE, "scores"))
                    for place in range(len(item.shown[f"set{side}"]))
                ]
                for side in (1, 2)
            ]
            answer["scores"] = [sum(each) / len(each) for each in answer["results"]]
        else:
            answer["scores"] = [int(one_of(form, f"score{side}", SCALE, "scores")) for side in (1, 2)]
        answer["preferred"] = int(one_of(form, "preferred", ("1", "2"), "preferred"))
        answer["valid"] = not form.get("invalid")
        if summed := attention(item, person):
            if form.get("sum", "").strip() != str(sum(summed)):
                raise Unfinished("attention")
            wrong = form.get("wrong", "0")
            answer["wrong"] = int(wrong) if wrong.isascii() and wrong.isdigit() else 0
        return answer

    def filled(self, answer: Mapping[str, Any]) -> dict[str, str]:
        form = {"preferred": str(answer["preferred"])}
        if "results" in answer:
            for side, scores in enumerate(answer["results"], start=1):
                form |= {f"score{side}_{place}": str(score) for place, score in enumerate(scores)}
        else:
            form |= {f"score{side}": str(score) for side, score in enumerate(answer["scores"], start=1)}
        return form if answer["valid"] else form | {"invalid": "1"}

    def choice(self, answer: Mapping[str, Any]) -> float | str | None:
        return float(answer["preferred"])

    def right(self, item: Item, answer: Mapping[str, Any]) -> bool | None:
        return answer["preferred"] == item.truth["preferred"] if "preferred" in item.truth else None


def attention(item: Item, person: str) -> tuple[int, int] | None:
    """Two numbers to be added, for one item in six of each person's, the same each time it is shown."""
    chance = random.Random(f"attention {item.id} {person}")
    if not item.shown.get("attention") or chance.randrange(_EVERY):
        return None
    return chance.randint(2, 9), chance.randint(2, 9)
