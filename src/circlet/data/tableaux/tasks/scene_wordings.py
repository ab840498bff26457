"""Changes of a scene in the words of several writers: what hearing them is learned from."""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from circlet.data.tableaux.tasks.frame_truths import COLOURS
from circlet.data.tableaux.tasks.frame_wordings import NOTHING, every_wording
from circlet.data.tableaux.world.kinds import HAIRS, TONES, kinds
from circlet.data.tableaux.world.scene import COLUMNS, FACINGS, SIGNS, Scene, Thing
from circlet.data.tableaux.world.settings import TIMES, WEATHERS, settings
from circlet.data.tableaux.world.truth import Need
from circlet.data.tableaux.world.words import Wording, filled
from circlet.data.tableaux.world.words import every_wording as every_query_wording

WRITERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
JOIN, OPENING = "join", "opening"
_MOST = 6
# Of texts in anybody's words: how many say the same of several things, and how many of their joins are no
# more than "and" or a comma, which say the least of where a clause ends.
_ALIKE, _PLAIN = 0.2, 0.5
_COUNTED = ("add", "replace", "count")
_VALUES: dict[str, tuple[str, ...]] = {
    "colour": COLOURS,
    "shirt": COLOURS,
    "hair": HAIRS,
    "tone": TONES,
    "column": COLUMNS,
    "facing": FACINGS,
    "setting": tuple(settings()),
    "time": TIMES,
    "weather": WEATHERS,
    "sign": SIGNS,
}


class Change(NamedTuple):
    """A clause as somebody would say it, and the need that it states (None: nothing)."""

    words: str
    need: Need | None


@cache
def _wordings() -> tuple[Wording, ...]:
    """All that may be learned from or chosen by: of the writers, of train and of val."""
    lessons = (Wording(about, who, words) for about, who, words in every_wording("scene_lessons.tsv"))
    return (*lessons, *(one for one in every_query_wording() if one.split in ("train", "val")))


def scene_lessons(whose: Sequence[str], each: int, seed: int = 0) -> Iterator[Change]:
    """So many clauses of each wording of these writers, or of the queries' own of train or val.

    >>> next(scene_lessons(["train"], 1)).need.about
    'add'
    """
    for one in _wordings():
        if one.split in whose and one.about not in (JOIN, OPENING):
            chance = random.Random(f"scene lesson {seed} {one.about} {one.words}")
            yield from (_change(one, chance) for _ in range(each))


def scene_texts(
    whose: Sequence[str], count: int, most: int = 3, seed: int = 0
) -> Iterator[tuple[str, tuple[Need, ...]]]:
    """So many texts of several clauses, joined as these writers do, and what they ask for."""
    for pieces in scene_pieces(whose, count, most, seed):
        needs = (piece.need for piece in pieces if isinstance(piece, Change))
        yield "".join(map(_words, pieces)), tuple(need for need in needs if need)


def _words(piece: Change | str) -> str:
    return piece.words if isinstance(piece, Change) else piece


def scene_pieces(
    whose: Sequence[str],
    count: int,
    most: int = 3,
    seed: int = 0,
    *,
    mixed: bool = False,
    idle: float = 0.0,
) -> Iterator[list[Change | str]]:
    """So many texts in pieces: clauses, and what opens and joins them.

    Each is one writer's; `mixed`, its clauses are anybody's of them, and some are said of several
    things. `idle` of the clauses state nothing.

    >>> [one.need.about for one in next(scene_pieces(["train"], 1, most=1, seed=2))]
    ['facing']
    """
    chance = random.Random(f"scene texts {seed} {' '.join(whose)}")
    by = {who: [one for one in _wordings() if one.split == who] for who in whose}
    every = [one for who in whose for one in by[who]]
    for _ in range(count):
        own = every if mixed else by[chance.choice(list(whose))]
        said = [one for one in own if one.about not in (JOIN, OPENING, NOTHING)]
        wordings = chance.sample(said, chance.randint(1, most))
        if mixed and chance.random() < _ALIKE:
            wordings = wordings[:1] * len(wordings)
        changes = [_change(one, chance) for one in wordings]
        if idle:
            nothing = [one for one in own if one.about == NOTHING]
            changes = [
                _change(chance.choice(nothing), chance) if nothing and chance.random() < idle else change
                for change in changes
            ]
        pieces: list[Change | str] = [changes[0]]
        joins = [one.words for one in own if one.about == JOIN] or [", "]
        plain = [words for words in joins if re.fullmatch(r"[ ,;.]*(and )?", words)] or joins
        for change in changes[1:]:
            join = chance.choice(plain if mixed and chance.random() < _PLAIN else joins)
            pieces += [join, change]
        openings = [one.words for one in own if one.about == OPENING]
        if openings and chance.random() < 0.3:
            pieces.insert(0, chance.choice(openings))
        yield pieces


def _change(one: Wording, chance: random.Random) -> Change:
    """A wording with things of the world in its slots."""
    about = one.about
    people = [each.name for each in kinds().values() if each.palette == "shirt"]
    kind, other = chance.sample(people if about in ("shirt", "hair", "tone") else tuple(kinds()), 2)
    coloured = about in ("add", "replace") and chance.random() < 0.4
    need = Need(
        about=about,
        kind=kind if re.search(r"\{(the|noun|nouns|one|thing)\}", one.words) else "",
        other=other if re.search(r"\{(old|other)\}", one.words) else "",
        count=chance.randint(1, _MOST) if about in _COUNTED else 0,
        colour=chance.choice(COLOURS) if coloured else "",
        value=chance.choice(_VALUES.get(about, ("",))),
        column=chance.choice(COLUMNS) if about == "add" and "{at}" in one.words else "",
    )
    there = tuple(Thing(kind=name, count=chance.choice((1, 1, 2, 3))) for name in (kind, other))
    words = filled(one.words, need, Scene(setting="meadow", things=there))
    words = words[0].upper() + words[1:] if chance.random() < 0.3 else words
    return Change(words, None if about == NOTHING else need)
