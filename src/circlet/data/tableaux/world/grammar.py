"""From words back to requirements, by the grammar of the wordings and from the text alone."""

import re
from functools import cache, lru_cache

from circlet.core import DataError
from circlet.data.tableaux.world.kinds import HAIRS, TONES, kinds
from circlet.data.tableaux.world.scene import FACINGS, SIGNS
from circlet.data.tableaux.world.settings import settings
from circlet.data.tableaux.world.truth import Need
from circlet.data.tableaux.world.words import (
    AT,
    DUSK,
    MOOD,
    NUMBERS,
    TIME,
    TO,
    WEATHER,
    Wording,
    every_wording,
    place_of,
)


def parse(text: str) -> tuple[Need, ...]:
    """The needs that a text states; an error when the grammar has no reading of it.

    >>> [(need.about, need.kind, need.count) for need in parse("Add two red cars on the left.")]
    [('add', 'car', 2)]
    """
    plain = text.rstrip(".")
    for opening in ("", *_literals("opening")):
        if _lower(plain).startswith(opening):
            needs = _clauses(plain[len(opening) :])
            if needs is not None:
                return needs
    raise DataError(f"no reading of {text!r}: it is not one of the wordings of the tableaux world")


@lru_cache(maxsize=4096)
def _clauses(text: str) -> tuple[Need, ...] | None:
    """Read clause after clause, trying the longest join first and going back where that fails."""
    alone = _clause(text)
    if alone is not None:
        return (alone,)
    for join in _literals("join"):
        at = text.find(join)
        while at > 0:
            first = _clause(text[:at])
            if first is not None:
                rest = _clauses(text[at + len(join) :])
                if rest is not None:
                    return (first, *rest)
            at = text.find(join, at + 1)
    return None


@cache
def _literals(about: str) -> tuple[str, ...]:
    literals = {each.words for each in every_wording() if each.about == about}
    return tuple(sorted(literals, key=lambda words: (-len(words), words)))


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


@lru_cache(maxsize=4096)
def _clause(text: str) -> Need | None:
    """The need of one clause; a capital may begin a sentence or belong to the word, as in T-shirt."""
    for wording, pattern in _grammar():
        match = pattern.fullmatch(text) or pattern.fullmatch(_lower(text))
        if match:
            return _need(wording, {name: value for name, value in match.groupdict().items() if value})
    return None


@cache
def _lexicon() -> dict[str, dict[str, str]]:
    """For each slot, every phrase that can fill it with what it means."""
    nouns = {noun: each.name for each in kinds().values() for noun in (each.name, each.plural)}
    colours = {colour: colour for each in kinds().values() for colour in each.colours}
    numbers = {word: str(number) for number, word in enumerate(NUMBERS) if number}
    things = dict.fromkeys(("a", "an"), "1") | numbers
    return {
        "noun": nouns,
        "amount": things,
        "number": numbers,
        "colour": colours,
        "at": {phrase: column for column, phrase in AT.items()},
        "to": {phrase: column for column, phrase in TO.items()},
        "side": {side: side for side in FACINGS},
        "hair": {hair: hair for hair in HAIRS},
        "tone": {tone: tone for tone in TONES},
        "where": {place.where: place.name for place in settings().values()},
        "place": {place_of(name): name for name in settings()},
        "time": {phrase: time for time, phrase in TIME.items()},
        "dusk": {phrase: time for time, phrase in DUSK.items()},
        "weather": {phrase: weather for weather, phrase in WEATHER.items()},
        "mood": {phrase: weather for weather, phrase in MOOD.items()},
        "word": {word: word for word in SIGNS},
    }


def _any(slot: str, name: str) -> str:
    phrases = sorted(_lexicon()[slot], key=len, reverse=True)
    return f"(?P<{name}>{'|'.join(map(re.escape, phrases))})"


@cache
def _grammar() -> tuple[tuple[Wording, re.Pattern[str]], ...]:
    """Every clause's wording as a pattern; wordings with more words of their own come first."""
    clauses = [each for each in every_wording() if each.about not in ("join", "opening")]
    clauses.sort(key=lambda each: (-len(re.sub(r"\{\w+\}", "", each.words)), each.words))
    return tuple((each, _pattern(each.words)) for each in clauses)


def _pattern(words: str) -> re.Pattern[str]:
    filled = {
        "the": f"the {_any('noun', 'noun')}",
        "old": f"the {_any('noun', 'other')}",
        "other": f"the {_any('noun', 'other')}",
        "one": _any("noun", "noun"),
        "nouns": _any("noun", "nouns"),
        "thing": f"{_any('amount', 'amount')} (?:{_any('colour', 'colour')} )?{_any('noun', 'noun')}",
        "acolour": f"(?:an? )?{_any('colour', 'colour')}",
    }
    parts, used = [], set()
    for part in re.split(r"( ?\{\w+\}|<[^>]*>)", words):
        slot = part.strip(" {}")
        if part.startswith("<"):
            one, _, many = part[1:-1].partition("/")
            parts.append(f"(?:{re.escape(one)}|{re.escape(many)})")
        elif "{" not in part:
            parts.append(re.escape(part))
        else:
            space = " " if part[0] == " " else ""
            pattern = filled.get(slot) or _any(slot, slot)
            # A wording may name the thing twice ("the car … {noun}"): the first naming counts.
            for name in re.findall(r"\?P<(\w+)>", pattern):
                if name in used:
                    pattern = pattern.replace(f"?P<{name}>", "?:")
                used.add(name)
            parts.append(f"(?:{space}{pattern})?" if slot == "at" and "{thing}" in words else space + pattern)
    return re.compile("".join(parts))


def _need(wording: Wording, slots: dict[str, str]) -> Need:
    lexicon = _lexicon()
    about = wording.about
    noun = slots.get("noun") or slots.get("nouns") or ""
    other = slots.get("other", "")
    amount = slots.get("amount") or slots.get("number") or ""
    column = lexicon["at"].get(slots.get("at", ""), "") or lexicon["to"].get(slots.get("to", ""), "")
    values = [
        lexicon[slot][slots[slot]]
        for slot in (
            "colour",
            "side",
            "hair",
            "tone",
            "where",
            "place",
            "time",
            "dusk",
            "weather",
            "mood",
            "word",
        )
        if slot in slots
    ]
    placing = about in ("add", "replace")
    return Need(
        about=about,
        kind=lexicon["noun"].get(noun, ""),
        other=lexicon["noun"].get(other, ""),
        count=int(lexicon["amount"][amount]) if amount else 0,
        colour=values[0] if placing and values else "",
        column=column if placing else "",
        value=column if about == "column" else values[0] if values and not placing else "",
    )
