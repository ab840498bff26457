"""What is odd about answers, told by rule: to be looked at by somebody, never to be dropped unseen."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from circlet.studio.guidelines import breaches, description_breaches, too_short
from circlet.studio.items import Answer
from circlet.studio.tasks import TASKS
from circlet.studio.tasks.extend import COVERED, NO, NOTHING

# Whoever ticks a box for more than this share of at least so many answers is looked at. CIRR kept 8.4 of nine
# pairs a subset, and the least often answered of its questions has words for 48 % of the pairs.
_TICKED, _AT_LEAST = {"modify": 0.5, "extend": 0.8, "describe": 0.5}, 5
# Nobody reads and answers in fewer seconds than this, nor in a fifth of the usual time.
_FASTEST, _FRACTION = {"modify": 4.0, "extend": 6.0, "describe": 4.0, "study": 5.0}, 0.2
_FAST = 1.5


@dataclass(frozen=True)
class Flag:
    """An answer and the rule that it met; the texts say the rule in words."""

    answer: int
    rule: str


def flags(answers: Sequence[Answer]) -> list[Flag]:
    """What is odd about these answers, each with what the others say beside it.

    Rules: the guidelines' own (`breaches`, `description_breaches`), `short`, `fast`, `ticked`, `twice`,
    `copied`, `attention`, `disagrees`, and `known` for what is known and was answered wrong.
    """
    found: list[Flag] = []
    usual = _usual(answers)
    ticked = _ticking(answers)
    for one in answers:
        rules = [*_of_words(one), *_of_time(one, usual), *_of_choice(one)]
        if (one.person, one.item.task) in ticked and _is_tick(one):
            rules.append("ticked")
        found += [Flag(one.number, rule) for rule in dict.fromkeys(rules)]
    return [*found, *_twice(answers), *_disagreeing(answers)]


def by_answer(found: Iterable[Flag]) -> dict[int, list[str]]:
    """The rules by the answers that met them.

    >>> by_answer([Flag(1, "fast"), Flag(1, "short")])
    {1: ['fast', 'short']}
    """
    rules: dict[int, list[str]] = {}
    for flag in found:
        rules.setdefault(flag.answer, []).append(flag.rule)
    return rules


def to_review(answers: Sequence[Answer], *, share: float, seed: int = 0) -> dict[int, list[str]]:
    """The answers that somebody should look at: the flagged ones, and a share of each person's by chance.

    The rules are listed by the answer's number; "chance" is among them for those drawn by it.
    """
    chosen = by_answer(flags(answers))
    of_person: dict[str, list[Answer]] = defaultdict(list)
    for one in answers:
        of_person[one.person].append(one)
    for person, theirs in of_person.items():
        # By each answer's own number, so that more answers do not draw others.
        drawn = [one for one in theirs if random.Random(f"{seed} {person} {one.number}").random() < share]
        for one in drawn:
            chosen.setdefault(one.number, []).append("chance")
    return chosen


def _of_words(one: Answer) -> Iterator[str]:
    task = one.item.task
    for text in TASKS[task].words(one.answer):
        if task == "modify" or (task == "verify" and one.answer.get("verdict") == "fix"):
            yield from breaches(text)
        elif task == "describe":
            yield from description_breaches(text)
            yield from ("short",) if too_short(text) else ()
        elif task == "extend":
            yield from ("short",) if too_short(text) else ()
            yield from (rule for rule in breaches(text) if rule in ("sides", "opinion"))
            if text.lower() == str(one.item.shown.get("text", "")).lower():
                yield "copied"


def _usual(answers: Sequence[Answer]) -> dict[str, float]:
    """The median time by task, of answers that were given in one go."""
    times: dict[str, list[float]] = defaultdict(list)
    for one in answers:
        times[one.item.task].append(one.seconds)
    return {task: median(each) for task, each in times.items() if len(each) >= _AT_LEAST}


def _of_time(one: Answer, usual: dict[str, float]) -> Iterator[str]:
    task = one.item.task
    least = max(_FASTEST.get(task, _FAST), _FRACTION * usual.get(task, 0.0))
    # A tick is a moment's work where a sentence is not.
    if one.seconds < (_FAST if _is_tick(one) else least):
        yield "fast"


def _of_choice(one: Answer) -> Iterator[str]:
    if one.answer.get("wrong"):
        yield "attention"
    if one.item.known and TASKS[one.item.task].right(one.item, one.answer) is False:
        yield "known"


def _is_tick(one: Answer) -> bool:
    if one.item.task == "extend":
        return all(text in (NOTHING, NO, COVERED) for text in one.answer.values())
    return "mark" in one.answer


def _ticking(answers: Sequence[Answer]) -> set[tuple[str, str]]:
    """Who ticks rather than writes, by person and task."""
    all_, ticks = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for one in answers:
        key = (one.person, one.item.task)
        all_[key] += 1
        ticks[key] += _is_tick(one)
    return {
        key
        for key, count in all_.items()
        if count >= _AT_LEAST and key[1] in _TICKED and ticks[key] / count > _TICKED[key[1]]
    }


def _twice(answers: Sequence[Answer]) -> Iterator[Flag]:
    """The same sentence of a person for two pictures: it cannot lead to one alone."""
    seen: dict[tuple[str, str, str], int] = {}
    for one in answers:
        if one.item.task not in ("modify", "describe"):
            continue
        for text in TASKS[one.item.task].words(one.answer):
            key = (one.person, str(one.item.shown.get("set", one.item.shown.get("reference"))), text.lower())
            if key in seen:
                yield Flag(one.number, "twice")
                yield Flag(seen[key], "twice")
            seen[key] = one.number


def _disagreeing(answers: Sequence[Answer]) -> Iterator[Flag]:
    """Choices that most of at least three others do not share."""
    chosen: dict[int, list[Answer]] = defaultdict(list)
    for one in answers:
        if not one.item.known and TASKS[one.item.task].choice(one.answer) is not None:
            chosen[one.item.number].append(one)
    for group in chosen.values():
        if len(group) < 3:
            continue
        votes = Counter(TASKS[one.item.task].choice(one.answer) for one in group)
        (most, count), *_ = votes.most_common(1)
        if count * 2 > len(group):
            yield from (
                Flag(one.number, "disagrees")
                for one in group
                if TASKS[one.item.task].choice(one.answer) != most
            )
