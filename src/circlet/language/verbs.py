"""Verbs that ask for something, in all their forms: what takes away, what puts in, what changes."""

from functools import cache

# Verbs that take away by themselves, and such as do so with a little word before or behind the thing.
CUT = (
    "remove", "delete", "erase", "eliminate", "omit", "drop", "exclude", "hide", "lose", "discard", "ditch",
    "scrap", "dump", "skip", "avoid", "banish", "subtract", "conceal", "ban", "trash", "obliterate",
)  # fmt: skip
PARTED = (
    "take", "leave", "cut", "crop", "edit", "photoshop", "airbrush", "throw", "get", "pull", "strip", "clear",
    "wipe", "rub", "kick", "move", "put", "filter", "mask", "shave", "peel", "wash", "clean", "keep", "chuck",
    "snip", "scratch", "tear", "rip", "chop", "shoo", "send",
)  # fmt: skip
PUT = ("add", "include", "insert", "introduce", "attach", "incorporate", "append")
SWAP = ("replace", "swap", "exchange", "switch", "trade")
TURN = ("change", "turn", "transform", "convert", "alter", "switch", "make", "morph")
PAINT = ("paint", "dye", "tint", "recolor", "recolour")
KEEP = ("keep", "leave", "maintain", "preserve", "retain", "save")
SHIFT = (
    "move", "shift", "bring", "send", "push", "pull", "place", "put", "slide", "drag", "position", "turn",
    "point", "rotate", "flip", "raise", "lift", "lower", "relocate",
)  # fmt: skip
# What else an order begins with; together with the verbs above it opens a clause.
OTHERS = (
    "have", "show", "focus", "zoom", "increase", "reduce", "decrease", "use", "let", "set", "target", "give",
    "darken", "lighten", "brighten", "expand", "substitute", "blur", "enlarge", "shrink", "double", "halve",
    "dress", "cover", "sharpen", "desaturate", "adjust", "extend", "shorten", "lengthen", "widen", "narrow",
    "soften", "step", "throw", "do", "make",
)  # fmt: skip
_IRREGULAR = {
    "lose": "lost", "hide": "hidden", "take": "taken", "leave": "left", "cut": "cut", "throw": "thrown",
    "get": "got", "put": "put", "tear": "torn", "rub": "rubbed", "keep": "kept", "send": "sent",
}  # fmt: skip
_DOUBLED = (
    "drop", "scrap", "skip", "omit", "ban", "crop", "strip", "rub", "cut", "put", "get", "swap", "let",
    "chop", "snip", "rip", "set", "flip", "step", "blur", "drag",
)  # fmt: skip


@cache
def forms(*verbs: str) -> tuple[str, ...]:
    """The verbs as orders and statements say them: drop, drops, dropping.

    >>> forms("drop", "erase")
    ('drop', 'drops', 'dropping', 'erase', 'erases', 'erasing')
    """
    return tuple(form for verb in verbs for form in (verb, _third(verb), _ending(verb, "ing")))


@cache
def done(*verbs: str) -> tuple[str, ...]:
    """The verbs as what has happened to a thing.

    >>> done("drop", "erase", "hide")
    ('dropped', 'erased', 'hidden')
    """
    return tuple(_IRREGULAR.get(verb) or _ending(verb, "ed") for verb in verbs)


def _third(verb: str) -> str:
    return verb + "es" if verb.endswith(("sh", "ch", "x")) else verb + "s"


def _ending(verb: str, ending: str) -> str:
    if verb in _DOUBLED:
        return verb + verb[-1] + ending
    return verb.removesuffix("e") + ending


@cache
def either(words: tuple[str, ...]) -> str:
    """A choice of words in the notation of `patterns`.

    >>> either(("cut", "drop"))
    '(cut|drop)'
    """
    return f"({'|'.join(words)})"
