"""The practice round: a few examples, judged by the person, explained at once."""

from collections.abc import Mapping
from typing import Any

from circlet.core import UsageError
from circlet.studio import Desk


def asked(desk: Desk, task: str) -> dict[str, Any]:
    """The examples of a task, to be judged."""
    if task not in desk.project.tasks:
        raise UsageError(f"this project has no task {task[:20]!r}: go back to the start")
    questions = [{"ask": one["ask"], "said": "", "why": "", "right": False} for one in _of(desk, task)]
    return {"task": task, "questions": questions, "checked": False, "whole": False, "right": 0}


def answered(desk: Desk, task: str, form: Mapping[str, str]) -> dict[str, Any]:
    """The examples with what was said of each, and why it is right or not."""
    view = asked(desk, task)
    for place, (question, one) in enumerate(zip(view["questions"], _of(desk, task), strict=True)):
        said = form.get(f"q{place}", "")
        question |= {"said": said, "why": one["why"], "right": said == ("yes" if one["fine"] else "no")}
    view["checked"] = True
    view["whole"] = all(question["said"] in ("yes", "no") for question in view["questions"])
    view["right"] = sum(question["right"] for question in view["questions"])
    return view


def _of(desk: Desk, task: str) -> list[dict[str, Any]]:
    return list(desk.texts["practise"][task])
