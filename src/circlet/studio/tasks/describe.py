"""Describing one of ten pictures so that it can be told from the others (paper 002)."""

from collections.abc import Mapping
from typing import Any

from circlet.studio.items import Answer, Item
from circlet.studio.project import Project
from circlet.studio.tasks.task import Task, Unfinished, written


class Describe(Task):
    """{"text": …}, or {"mark": "none"} where nothing tells the target from the others."""

    name = "describe"

    def read(self, form: Mapping[str, str], item: Item, person: str = "") -> dict[str, Any]:
        text, none = written(form, "text"), form.get("mark", "") == "none"
        if bool(text) == none:
            raise Unfinished("both" if none else "description")
        return {"mark": "none"} if none else {"text": text}

    def filled(self, answer: Mapping[str, Any]) -> dict[str, str]:
        return {name: str(value) for name, value in answer.items()}

    def words(self, answer: Mapping[str, Any]) -> list[str]:
        return [answer["text"]] if "text" in answer else []

    def follow(self, answer: Answer, project: Project) -> list[Item]:
        if "text" not in answer.answer:
            return []
        return finding(answer.item, answer.answer["text"], project, answer)


def finding(item: Item, text: str, project: Project, answer: Answer | None = None) -> list[Item]:
    """The item in which others look for the picture by its description, if that is asked at all."""
    wanted = project.wanted("find", item.split)
    of = item.id.partition(":")[2] + (f":{answer.number}.{answer.revision}" if answer else "")
    shown = {name: item.shown[name] for name in ("set", "pictures", "order")}
    made = Item(
        id=f"find:{of}",
        task="find",
        shown={**shown, "text": text},
        truth={"place": item.shown["place"]},
        wanted=wanted,
        split=item.split,
        author=answer.person if answer else "",
        parent=answer.number if answer else None,
    )
    return [made] if wanted else []
