"""Cases by rule, with no model at all: things, colours, places and numbers put into a caption."""

import random
import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from circlet.build.aspects.drafts import Draft, Drafted, Refusal
from circlet.build.aspects.sources import CaptionSource
from circlet.data.tableaux.tasks.trials import LONG
from circlet.data.tableaux.world.kinds import CROWD, PALETTES, Kind, families, kind, kinds
from circlet.data.tableaux.world.settings import settings
from circlet.data.tableaux.world.words import NUMBERS, counted
from circlet.language import Aspect
from circlet.language.lexicon import any_of
from circlet.language.phrases import apart, tidy, together
from circlet.language.variations import swapped

_COLOURS = PALETTES["bright"] + ("black", "white", "brown")
# What joins a place to the rest of a caption, and words that tell a place from a garment.
_AT = ("on", "in", "at")
_GROUNDS = (
    "grass", "snow", "water", "street", "road", "field", "table", "room", "wall", "city", "town", "river",
    "sea", "ocean", "sky", "ground", "floor", "garden", "yard", "house", "building", "office", "shop",
    "background", "sand", "shore", "bridge", "station", "hill", "mountain", "woods", "kitchen", "studio",
)  # fmt: skip


def by_template(source: CaptionSource, aspect: Aspect, rng: random.Random) -> Drafted:
    """A draft by rule from a caption.

    >>> from pathlib import Path
    >>> dog = CaptionSource("a", "a dog with a ball, on grass", Path("a.jpg"))
    >>> by_template(dog, Aspect.NEGATION, random.Random(0))[1:4]
    ('remove the ball', 'a dog, on grass', 'a dog with a ball')
    """
    if aspect not in _MAKERS:
        return Refusal("no template for this aspect")
    return _MAKERS[aspect](source.caption, _How(rng))


class _How(NamedTuple):
    """How a maker goes about it: by which chance, as one clause of many, and naming nothing of `avoid`."""

    rng: random.Random
    clause: bool = False
    avoid: str = ""

    def say(self, *ways: str, **slots: str) -> str:
        """One of the ways to say it; the last one can stand among other clauses."""
        return (ways[-1] if self.clause else self.rng.choice(ways)).format(**slots)


class _Named(NamedTuple):
    """Where a caption names a kind of thing, and in which form."""

    span: tuple[int, int]
    of: Kind
    plural: bool


@cache
def _nouns() -> dict[str, tuple[Kind, bool]]:
    singular = {each.name.lower(): (each, False) for each in kinds().values()}
    return {each.plural.lower(): (each, True) for each in kinds().values()} | singular


def _things(caption: str) -> list[_Named]:
    return [
        _Named(found.span(), *_nouns()[found[0].lower()]) for found in any_of(*_nouns()).finditer(caption)
    ]


def _others(family: str, caption: str, how: _How) -> list[str]:
    """Kinds of a family that neither the caption nor what is to be avoided names."""
    there = {named.of.name for text in (caption, how.avoid) for named in _things(text)}
    return [name for name in families()[family] if name not in there]


_COUNTED = re.compile(rf"({any_of(*NUMBERS[2:]).pattern}) (\S.*)", re.IGNORECASE)


def _cardinality(caption: str, how: _How) -> Drafted:
    """Other numbers of what is counted; where nothing is, so many of a thing that is named."""
    ways = (
        "make it {number} {things}",
        "there should be {number} {things}",
        "show {number} {things} instead of {was}",
    )
    for joint, part in apart(caption):
        match = _COUNTED.match(part)
        if match is None:
            continue
        was = NUMBERS.index(match[1].lower())
        wanted, wrong = how.rng.sample([n for n in range(2, CROWD + 1) if n != was], 2)
        start = caption.index(joint + part) + len(joint)
        target, negative = (
            swapped(caption, (start, start + len(match[1])), NUMBERS[number]) for number in (wanted, wrong)
        )
        return Draft(
            caption,
            how.say(*ways, number=NUMBERS[wanted], things=match[2], was=NUMBERS[was]),
            target,
            negative,
        )
    if not (named := _things(caption)):
        return Refusal("names nothing that can be counted")
    of = how.rng.choice(named).of
    was, wanted, wrong = how.rng.sample(range(1, CROWD + 1), 3)
    reference, target, negative = (
        f"a photograph of {NUMBERS[number]} {of.named(number)}" for number in (was, wanted, wrong)
    )
    said = how.say(*ways, number=NUMBERS[wanted], things=of.named(wanted), was=NUMBERS[was])
    return Draft(reference, said, target, negative)


def _addition(caption: str, how: _How) -> Drafted:
    """One more thing, and another of the same family in its place."""
    pools = [_others(family, caption, how) for family in families()]
    pool = how.rng.choice([names for names in pools if len(names) > 1])
    one, two = (counted(1, name) for name in how.rng.sample(pool, 2))
    said = how.say(
        "add {thing}", "there should also be {thing}", "put {thing} into the picture as well", thing=one
    )
    return Draft(caption, said, f"{caption}, with {one}", f"{caption}, with {two}")


def _negation(caption: str, how: _How) -> Drafted:
    """One part gone, and that part still there while another is gone."""
    parts = apart(caption)
    things = [at for at, (joint, part) in enumerate(parts) if at and not _is_place(joint, part)]
    if not things or len(parts) < 3:
        return Refusal("names too few things to take one away")
    gone = how.rng.choice(things)
    kept = how.rng.choice([at for at in range(1, len(parts)) if at != gone])
    thing = tidy(parts[gone][1])
    match = _COUNTED.match(thing)
    ways = (
        "remove the {thing}",
        "no {thing} this time",
        "the same, without the {thing}",
        "take the {thing} out of the picture",
    )
    said = how.say(*ways, thing=match[2] if match else thing)
    target, negative = (
        together([part for at, part in enumerate(parts) if at != left]) for left in (gone, kept)
    )
    return Draft(caption, said, target, negative)


def _change(caption: str, how: _How) -> Drafted:
    """Another colour, or another thing of the same family."""
    coloured = list(any_of(*_COLOURS).finditer(caption))
    named = [each for each in _things(caption) if len(_others(each.of.family, caption, how)) > 1]
    if coloured and (not named or how.rng.random() < 0.5):
        return _recoloured(caption, how.rng.choice(coloured), how)
    if not named:
        return Refusal("names no colour and no thing that could be another")
    old = how.rng.choice(named)
    number = 2 if old.plural else 1
    nouns = [kind(name).named(number) for name in how.rng.sample(_others(old.of.family, caption, how), 2)]
    said = how.say(
        "{new} instead of the {old}",
        "swap the {old} for {new}",
        "replace the {old} with {new}",
        old=caption[slice(*old.span)].lower(),
        new=nouns[0] if old.plural else counted(1, nouns[0]),
    )
    target, negative = (swapped(caption, old.span, noun) for noun in nouns)
    return Draft(caption, said, target, negative)


def _recoloured(caption: str, at: re.Match[str], how: _How) -> Draft:
    new = how.rng.sample([colour for colour in _COLOURS if colour != at[0].lower()], 2)
    noun = re.match(r" ([\w-]+)", caption[at.end() :])
    said = f"make the {noun[1]} {new[0]}" if noun else f"make it {new[0]} instead of {at[0]}"
    target, negative = (swapped(caption, at.span(), colour) for colour in new)
    return Draft(caption, said, target, negative)


def _background(caption: str, how: _How) -> Drafted:
    """Another place, and a third one."""
    parts = apart(caption)
    place = next((at for at, (joint, part) in enumerate(parts) if at and _is_place(joint, part)), len(parts))
    where = [each.where for each in settings().values() if each.where not in caption]
    wanted, wrong = how.rng.sample(where, 2)
    target, negative = (
        f"{together(parts[:place])} {phrase}" + "".join(joint + part for joint, part in parts[place + 1 :])
        for phrase in (wanted, wrong)
    )
    ways = ("the same, but {where}", "change the background: {where}", "let all of it be {where} instead")
    return Draft(caption, how.say(*ways, where=wanted), target, negative)


def _is_place(joint: str, part: str) -> bool:
    """Whether a part of a caption says where: "on grass" does, "in a red dress" does not."""
    words = f"{joint} {part}".strip(" ,").split()
    return words[0].lower() in _AT and any_of(*_GROUNDS, *settings()).search(part) is not None


def _complex(caption: str, how: _How) -> Drafted:
    """Several changes in one text, and all of them but the last."""
    said: list[str] = []
    now = caption
    for maker in (_negation, _change, _background, *(_addition,) * 5):
        made = maker(now, _How(how.rng, clause=True, avoid=f"{caption} {'; '.join(said)}"))
        if isinstance(made, Refusal):
            continue
        said.append(made.instruction)
        text = ", ".join(said[:-1]) + f" and {said[-1]}"
        if len(said) > 2 and len(text.split()) > LONG:
            return Draft(caption, text, made.target, now)
        now = made.target
    return Refusal(f"no instruction of more than {LONG} words")


_MAKERS: dict[Aspect, Callable[[str, _How], Drafted]] = {
    Aspect.CARDINALITY: _cardinality,
    Aspect.ADDITION: _addition,
    Aspect.NEGATION: _negation,
    Aspect.COMPARE_CHANGE: _change,
    Aspect.SPATIAL_RELATIONS_BACKGROUND: _background,
    Aspect.STATEMENT_WITH_CONJUNCTION: _complex,
}
