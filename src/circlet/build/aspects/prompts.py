"""Cases from a language model: what it is asked for each aspect, and what of its answers is taken."""

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

from circlet.build.aspects.drafts import Draft, Drafted, Drafter, Refusal
from circlet.build.aspects.sources import CaptionSource
from circlet.build.aspects.templates import by_template
from circlet.data.tableaux.tasks.trials import LONG
from circlet.language import Aspect

_ASK = """\
You prepare examples for a picture search in which people say how the picture they want differs from one \
they have. Here is the caption of the picture they have. Invent one change to it of this kind: {kind}

Write three texts:
- "instruction": what a person would say to ask for the change, {length}. It names this kind of change only.
- "target": the caption of the changed picture. What the instruction does not touch stays as it is.
- "hard_negative": the caption of a picture that could easily be taken for the target and is not: {negative}

Every caption describes a picture that could exist, in one sentence, without mentioning any other picture.
Answer with one JSON object with these three keys and nothing else. If the caption leaves no room for such a \
change, answer {{"refused": "why"}} instead.

Caption: {caption}"""
_SHORT = "in one short sentence"
# What each aspect asks for, and in what its hard negative fails.
KINDS: Mapping[Aspect, tuple[str, str]] = {
    Aspect.ADDITION: (
        "a thing is added that fits into the scene.",
        "something else was added in its place.",
    ),
    Aspect.NEGATION: (
        "a thing that the caption names is no longer there.",
        "that thing is still there, and something else that the caption names is gone.",
    ),
    Aspect.COMPARE_CHANGE: (
        "a thing becomes another thing, or gets another colour, material, pattern or pose.",
        "it became something else again than what was asked for.",
    ),
    Aspect.SPATIAL_RELATIONS_BACKGROUND: (
        "the same things are somewhere else: another place or background, season, weather or light.",
        "they are in a third place or light, neither the old one nor the one asked for.",
    ),
    Aspect.STATEMENT_WITH_CONJUNCTION: (
        "several things change at once: what is there, how it looks and where it is.",
        "all of the changes are made but one.",
    ),
}
_LONGEST = 120
_KEYS = ("instruction", "target", "hard_negative")


def prompt(caption: str, aspect: Aspect) -> str:
    """What a model is asked to make of a caption.

    >>> prompt("a dog", Aspect.NEGATION).endswith("Caption: a dog")
    True
    """
    kind, negative = KINDS[aspect]
    long = aspect is Aspect.STATEMENT_WITH_CONJUNCTION
    length = f"in {LONG + 5} to {LONG + 20} words, all changes in one text" if long else _SHORT
    return _ASK.format(kind=kind, negative=negative, length=length, caption=caption)


def by_server(ask: Callable[[str], str]) -> Drafter:
    """A drafter that asks a language model, except for numbers, which models get wrong: see `templates`."""

    def draft(source: CaptionSource, aspect: Aspect, rng: random.Random) -> Drafted:
        if aspect not in KINDS:
            made = by_template(source, aspect, rng)
            return made._replace(maker="template") if isinstance(made, Draft) else made
        return read_answer(ask(prompt(source.caption, aspect)), source.caption, aspect)

    return draft


def read_answer(answer: str, caption: str, aspect: Aspect) -> Drafted:
    """The draft that an answer holds, or what is wrong with it.

    >>> told = 'Here: {"instruction": "add a cup", "target": "a cup and a dog", "hard_negative": "two dogs"}'
    >>> read_answer(told, "a dog", Aspect.ADDITION).instruction
    'add a cup'
    >>> read_answer('{"refused": "nothing to remove"}', "a dog", Aspect.NEGATION)
    Refusal(reason='the model refused', detail='nothing to remove')
    """
    told = _object(answer)
    if told is None:
        return Refusal("the answer is no JSON object", _cut(answer))
    if "refused" in told:
        return Refusal("the model refused", _cut(str(told["refused"])))
    texts = [told.get(key) for key in _KEYS]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        return Refusal("the answer lacks a text", _cut(answer))
    instruction, target, negative = (" ".join(str(text).split()) for text in texts)
    if len({_plain(caption), _plain(target), _plain(negative)}) < 3:
        return Refusal("two of the three captions are the same", _cut(answer))
    if max(len(text.split()) for text in (instruction, target, negative)) > _LONGEST:
        return Refusal(f"a text of more than {_LONGEST} words", _cut(answer))
    if aspect is Aspect.STATEMENT_WITH_CONJUNCTION and len(instruction.split()) <= LONG:
        return Refusal(f"an instruction of {LONG} words or fewer", instruction)
    return Draft(caption, instruction, target, negative)


def _object(answer: str) -> dict[str, Any] | None:
    """The first JSON object in a text; models like to say something around it."""
    at = answer.find("{")
    while at >= 0:
        try:
            told, _ = json.JSONDecoder().raw_decode(answer, at)
        except (json.JSONDecodeError, RecursionError):
            at = answer.find("{", at + 1)
            continue
        return told if isinstance(told, dict) else None
    return None


def _plain(text: str) -> str:
    return " ".join(text.lower().strip(" .").split())


def _cut(text: str) -> str:
    return " ".join(text.split())[:200]
