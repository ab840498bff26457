"""Verifying a generated case: reference, instruction, target, hard negative (paper 001)."""

from collections.abc import Mapping
from typing import Any

from circlet.studio.items import Item
from circlet.studio.tasks.task import Task, Unfinished, one_of, written

REASONS = ("target", "negative", "instruction", "broken", "other")


class Verify(Task):
    """{"verdict": "accept"}, {"verdict": "fix", "text": …} or {"verdict": "reject", "reason": …}."""

    name = "verify"

    def read(self, form: Mapping[str, str], item: Item, person: str = "") -> dict[str, Any]:
        verdict = one_of(form, "verdict", ("accept", "fix", "reject"), "verdict")
        if verdict == "reject":
            return {"verdict": verdict, "reason": one_of(form, "reason", REASONS, "reason")}
        if verdict == "accept":
            return {"verdict": verdict}
        text = written(form, "text")
        if not text or text == item.shown["text"]:
            raise Unfinished("fix")
        return {"verdict": verdict, "text": text}

    def filled(self, answer: Mapping[str, Any]) -> dict[str, str]:
        return {name: str(value) for name, value in answer.items()}

    def words(self, answer: Mapping[str, Any]) -> list[str]:
        return [answer["text"]] if "text" in answer else []

    def choice(self, answer: Mapping[str, Any]) -> float | str | None:
        return str(answer["verdict"])

    def right(self, item: Item, answer: Mapping[str, Any]) -> bool | None:
        return answer["verdict"] == item.truth["verdict"] if "verdict" in item.truth else None
