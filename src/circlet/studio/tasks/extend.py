"""Four questions about a pair and its sentence (paper 000), answered with CIRR's own tags."""

from collections.abc import Mapping
from typing import Any

from circlet.studio.items import Item
from circlet.studio.tasks.task import Task, Unfinished, one_of, written

NOTHING = "[c] None existed"
NO, COVERED = "[cr0] Nothing worth mentioning", "[cr1] Covered in query"
# Questions with a "nothing" button, and questions with no, covered, or words.
_BUTTON, _THREE = ("0", "1"), ("2", "3")
_KINDS = {"no": NO, "covered": COVERED}


class Extend(Task):
    """{"0": …, "1": …, "2": …, "3": …}: words, or a tag where there is nothing to be said.

    >>> form = {"text0": "Two ducks", "none1": "1", "kind2": "no", "kind3": "words", "text3": "Add grass"}
    >>> Extend().read(form, Item(id="1", task="extend", shown={}))["2"]
    '[cr0] Nothing worth mentioning'
    """

    name = "extend"

    def read(self, form: Mapping[str, str], item: Item, person: str = "") -> dict[str, Any]:
        answer: dict[str, Any] = {}
        for question in _BUTTON:
            text = _plain(form, question)
            if bool(text) == bool(form.get(f"none{question}")):
                raise Unfinished(f"question{question}")
            answer[question] = text or NOTHING
        for question in _THREE:
            kind = one_of(form, f"kind{question}", ("no", "covered", "words"), f"question{question}")
            text = _plain(form, question)
            if bool(text) != (kind == "words"):
                raise Unfinished(f"question{question}")
            answer[question] = text or _KINDS[kind]
        return answer

    def filled(self, answer: Mapping[str, Any]) -> dict[str, str]:
        form: dict[str, str] = {}
        for question in _BUTTON:
            empty = answer[question] == NOTHING
            form |= {f"none{question}": "1"} if empty else {f"text{question}": answer[question]}
        for question in _THREE:
            kind = next((name for name, tag in _KINDS.items() if tag == answer[question]), "words")
            form[f"kind{question}"] = kind
            if kind == "words":
                form[f"text{question}"] = answer[question]
        return form

    def words(self, answer: Mapping[str, Any]) -> list[str]:
        return [text for text in answer.values() if not str(text).startswith("[c")]


def _plain(form: Mapping[str, str], question: str) -> str:
    """The words for a question; they may not look like one of the tags."""
    return written(form, f"text{question}").lstrip("[")
