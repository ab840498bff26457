"""What the pages show, as plain values: nothing in it says which picture or method is which."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from circlet.studio import TASKS, Answer, Desk, Item
from circlet.studio.items import mixed
from circlet.studio.tasks.compare import SCALE, attention
from circlet.studio.tasks.verify import REASONS


def start(desk: Desk, person: str) -> dict[str, Any]:
    """The tasks with what is left of each."""
    progress = desk.progress(person)
    return {
        "person": person,
        "barred": desk.store.people().get(person, False),
        "tasks": [
            {
                "name": one.task,
                "have": one.have,
                "wanted": one.wanted,
                "left": one.left,
                "failed": bool(person) and desk.failed(person, one.task),
                "practised": bool(person) and desk.store.has_practised(person, one.task),
            }
            for one in progress
        ],
        "all": all(one.have >= one.wanted for one in progress),
        "waits": any(one.have < one.wanted and not one.left for one in progress),
    }


def work(
    desk: Desk,
    person: str,
    item: Item,
    *,
    form: Mapping[str, str] | None = None,
    error: str = "",
    answer: Answer | None = None,
) -> dict[str, Any]:
    """An item as a person is asked it; with `answer`, to be changed."""
    said = form if form is not None else TASKS[item.task].filled(answer.answer) if answer else {}
    progress = next(one for one in desk.progress() if one.task == item.task)
    shown = _SHOWN[item.task](desk, person, item)
    return {
        "task": item.task,
        "person": person,
        "item": item.number,
        "form": _choice(item, said),
        "error": error,
        "answer": answer.number if answer else 0,
        "revision": answer.revision if answer else 0,
        "have": progress.have,
        "wanted": progress.wanted,
        # Whoever is new to a task has the guidelines before them.
        "fresh": sum(one.item.task == item.task for one in desk.store.recent(person, 10)) < 3,
        "guidelines": desk.texts["guidelines"].get(item.task, []),
        **shown,
    }


def _choice(item: Item, said: Mapping[str, str]) -> Mapping[str, str]:
    """The form, empty where nothing is said, with the place of the picture whose id is kept."""
    form: defaultdict[str, str] = defaultdict(str, said)
    if "picture" in form:
        form["choice"] = str(item.shown["candidates"].index(form["picture"]))
    return form


def _modify(desk: Desk, person: str, item: Item) -> dict[str, Any]:
    shown = item.shown
    return {
        "reference": desk.key(shown["reference"]),
        "target": desk.key(shown["target"]),
        "others": [desk.key(id) for id in shown["others"]],
    }


def _extend(desk: Desk, person: str, item: Item) -> dict[str, Any]:
    shown = item.shown
    return {
        "reference": desk.key(shown["reference"]),
        "target": desk.key(shown["target"]),
        "text": shown["text"],
    }


def _retrieve(desk: Desk, person: str, item: Item) -> dict[str, Any]:
    shown = item.shown
    places = mixed(range(len(shown["candidates"])), desk.project.seed, item.id, person)
    return {
        "reference": desk.key(shown["reference"]),
        "text": shown["text"],
        "pictures": [{"value": place, "key": desk.key(shown["candidates"][place])} for place in places],
    }


def _ten(desk: Desk, person: str, item: Item) -> dict[str, Any]:
    shown = item.shown
    places = list(range(len(shown["pictures"])))
    if shown["order"] == "shuffled":
        places = mixed(places, desk.project.seed, item.id, person)
    pictures = [{"value": place, "key": desk.key(shown["pictures"][place])} for place in places]
    return {
        "pictures": pictures,
        "marked": shown.get("place", -1),
        "order": shown["order"],
        "text": shown.get("text", ""),
    }


def _compare(desk: Desk, person: str, item: Item) -> dict[str, Any]:
    shown = item.shown
    sides = mixed((1, 2), desk.project.seed, item.id, person)
    return {
        "reference": desk.key(shown["reference"]),
        "text": shown["text"],
        "sides": [
            {"value": side, "keys": [desk.key(id) for id in shown[f"set{side}"]], "name": name}
            for name, side in zip("AB", sides, strict=True)
        ],
        "each": bool(shown.get("results")),
        "scale": SCALE,
        "attention": attention(item, person),
    }


def _verify(desk: Desk, person: str, item: Item) -> dict[str, Any]:
    shown = item.shown
    pictures = {name: desk.key(shown[name]) for name in ("reference", "target", "negative")}
    return {**pictures, "text": shown["text"], "aspect": shown.get("aspect", ""), "reasons": REASONS}


def _study(desk: Desk, person: str, item: Item) -> dict[str, Any]:
    shown = item.shown
    reference = desk.key(shown["reference"]) if shown.get("reference") else ""
    steps = desk.store.steps(person, item.number)
    return {
        "target": desk.key(shown["target"]),
        "reference": reference,
        "text": shown.get("text", ""),
        "rounds": shown["rounds"],
        "round": max((step["rounds"] for step in steps), default=0),
        "began": bool(steps),
    }


_SHOWN = {
    "modify": _modify,
    "extend": _extend,
    "retrieve": _retrieve,
    "describe": _ten,
    "find": _ten,
    "compare": _compare,
    "verify": _verify,
    "study": _study,
}


def told(desk: Desk, answer: Answer) -> str:
    """An answer in one line, for lists."""
    said, words = answer.answer, TASKS[answer.item.task].words(answer.answer)
    texts = desk.texts
    match answer.item.task:
        case "modify" | "describe":
            return words[0] if words else str(texts[answer.item.task][said["mark"]])
        case "extend":
            return " · ".join(str(value) for value in said.values())
        case "retrieve":
            return str(texts["common"]["chosen"])
        case "find":
            return str(texts["common"]["picture"]).format(number=said["place"] + 1)
        case "compare":
            return f"{said['scores'][0]:g} : {said['scores'][1]:g}, {said['preferred']}"
        case "verify":
            more = said.get("text") or said.get("reason") or ""
            return f"{texts['verify'][said['verdict']]}{f': {more}' if more else ''}"
    return " · ".join(words) or str(texts["study"]["yes" if said["found"] else "no"])


def pictures(desk: Desk, answer: Answer, *, truth: bool = False) -> list[dict[str, str]]:
    """The pictures that an answer is about, and the chosen one; the `truth` is for the owner alone."""
    shown, said = answer.item.shown, answer.answer
    names = [(name, shown[name]) for name in ("reference", "target", "negative") if shown.get(name)]
    if "choice" in said:
        names.append(("chosen", said["choice"]))
    if "pictures" in shown:
        place = said.get("place", shown.get("place", 0))
        names.append(("chosen" if "place" in said else "target", shown["pictures"][place]))
    if truth and "choice" in answer.item.truth:
        names.append(("target", answer.item.truth["choice"]))
    if truth and "place" in answer.item.truth:
        names.append(("target", shown["pictures"][answer.item.truth["place"]]))
    return [{"what": what, "key": desk.key(id)} for what, id in names]
