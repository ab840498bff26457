"""The modifying sentence (paper 000): from the reference to the target, and to no other of the subset."""

from collections.abc import Mapping
from typing import Any

from circlet.studio.items import Answer, Item
from circlet.studio.project import Project
from circlet.studio.tasks.task import Task, Unfinished, written

# What may be said instead of a sentence, and the soft label that CIRR makes of it.
MARKS = {"same": 1.0, "none": 0.5, "irrelevant": -1.0}


class Modify(Task):
    """{"text": …}, or {"mark": …} where there is nothing to be said."""

    name = "modify"

    def read(self, form: Mapping[str, str], item: Item, person: str = "") -> dict[str, Any]:
        text, mark = written(form, "text"), form.get("mark", "")
        if text and mark:
            raise Unfinished("both")
        if mark:
            if mark not in MARKS:
                raise Unfinished("sentence")
            return {"mark": mark}
        if not text:
            raise Unfinished("sentence")
        return {"text": text}

    def filled(self, answer: Mapping[str, Any]) -> dict[str, str]:
        return {name: str(value) for name, value in answer.items()}

    def words(self, answer: Mapping[str, Any]) -> list[str]:
        return [answer["text"]] if "text" in answer else []

    def follow(self, answer: Answer, project: Project) -> list[Item]:
        if "text" not in answer.answer:
            return []
        return followers(answer.item, answer.answer["text"], project, answer)


def followers(pair: Item, text: str, project: Project, answer: Answer | None = None) -> list[Item]:
    """What is asked about a sentence: the four questions, and whether others find the target by it."""
    shown = pair.shown
    of = f"{shown['pair']}" if answer is None else f"{shown['pair']}:{answer.number}.{answer.revision}"
    common: dict[str, Any] = {
        "split": pair.split,
        "author": answer.person if answer else "",
        "parent": answer.number if answer else None,
    }
    made = {
        "extend": {"reference": shown["reference"], "target": shown["target"]},
        "retrieve": {
            "reference": shown["reference"],
            "candidates": sorted((shown["target"], *shown["others"])),
        },
    }
    return [
        Item(
            id=f"{task}:{of}",
            task=task,
            shown={"pair": shown["pair"], "text": text, **more},
            truth={"choice": shown["target"]} if task == "retrieve" else {},
            wanted=project.wanted(task),
            **common,
        )
        for task, more in made.items()
        if project.wanted(task)
    ]
