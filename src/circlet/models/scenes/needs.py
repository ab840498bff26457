"""What a clause asks of a scene: the needs that there are, and the values that its words name for each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from circlet.models.scenes.scene_words import (
    COLOUR,
    NUMBER,
    PLACE,
    SIDE,
    SIGN,
    TIME,
    TONE,
    WEATHER,
    SceneWords,
    mentions,
    wanted,
)

# What a clause may be about: see `circlet.data.tableaux.world.truth.Need`.
ABOUTS = (
    "add", "remove", "replace", "count", "more", "fewer", "colour", "shirt", "hair", "tone", "larger",
    "smaller", "column", "front", "back", "facing", "left of", "setting", "time", "weather", "closer",
    "wider", "sign", "no sign",
)  # fmt: skip
# Needs of two things, whose order says which is which; and those of the whole picture.
WITH_OTHER = ("replace", "left of")
WHOLE = ("setting", "time", "weather", "closer", "wider", "sign", "no sign")
# Where a need's value stands in the words.
VALUED: Mapping[str, str] = {
    "colour": COLOUR, "shirt": COLOUR, "hair": COLOUR, "tone": TONE, "column": SIDE, "facing": SIDE,
    "setting": PLACE, "time": TIME, "weather": WEATHER, "sign": SIGN, "count": NUMBER,
}  # fmt: skip
# Needs that decide the same.
_SAME = (
    ("count", "more", "fewer", "add", "remove", "replace"), ("colour", "shirt"), ("larger", "smaller"),
    ("front", "back"), ("closer", "wider"), ("sign", "no sign"),
)  # fmt: skip
_ONE = frozenset(("one", "single", "lone", "only", "a", "an"))


@dataclass(frozen=True)
class SceneNeed:
    """One thing that a clause asks of a scene; what it does not name is empty, a number it leaves open 0."""

    about: str
    kind: str = ""
    other: str = ""
    count: int = 0
    colour: str = ""
    value: str = ""
    column: str = ""


def subject_of(need: SceneNeed) -> tuple[str, str, str]:
    """What a need decides: of two that decide the same only one can be meant.

    >>> subject_of(SceneNeed("time", value="night")) == subject_of(SceneNeed("time", value="dawn"))
    True
    """
    for several in _SAME:
        if need.about in several:
            return several[0], need.kind, ""
    # Who is left of whom is decided whichever of them is named first.
    first, second = sorted((need.kind, need.other)) if need.other else (need.kind, "")
    return need.about, first, second


def left_of(need: SceneNeed, later: SceneNeed) -> SceneNeed | None:
    """What is left of a need after a later one; None: nothing.

    >>> left_of(SceneNeed("add", "dog", colour="red"), SceneNeed("colour", "dog", value="blue")).colour
    ''
    >>> left_of(SceneNeed("colour", "dog", value="red"), SceneNeed("remove", "dog"))
    """
    gone = {later.kind} if later.about == "remove" else {later.other} if later.about == "replace" else set()
    if need == later or subject_of(need) == subject_of(later) or (need.kind and need.kind in gone):
        return None
    if need.about in ("add", "replace") and need.kind == later.kind:
        if later.about == "colour":
            return replace(need, colour="")
        if later.about == "column":
            return replace(need, column="")
    return need


# What a clause may ask for, each need with how likely it is meant, the likeliest first.
Heard = Mapping[SceneNeed, float]


def need_of(about: str, clause: SceneWords, *, swapped: bool = False) -> SceneNeed:
    """The need of a clause that is about this, with all that its words name.

    Between two things it is about the first, or with `swapped` about the second.

    >>> from circlet.models.scenes.scene_words import clause_of, tokens
    >>> from circlet.models.scenes.sights import Seeable
    >>> known = Seeable({"dog": "dogs"}, {}, {}, {"colour": ("red",)}, {})
    >>> need_of("add", clause_of(tokens("three red dogs on the left", known)))
    SceneNeed(about='add', kind='dog', other='', count=3, colour='red', value='', column='left')
    """
    if about in WHOLE:
        return SceneNeed(about, value=_value(about, clause))
    kinds = clause.kinds or ((clause.last,) if clause.pronoun else ())
    thing = 1 if about in WITH_OTHER and swapped != (clause.mirrored and about == "left of") else 0
    kind = kinds[thing] if thing < len(kinds) else ""
    other = kinds[1 - thing] if about in WITH_OTHER and len(kinds) > 1 else ""
    count, colour = 0, ""
    if about in ("add", "replace"):
        count, colour = _described(clause, thing)
    elif about == "count":
        count = _counted(clause)
    column = _value("column", clause) if about == "add" else ""
    value = "" if about == "count" else _value(about, clause)
    return SceneNeed(about, kind, other, count, colour, value, column)


def _described(clause: SceneWords, thing: int) -> tuple[int, str]:
    """How many of a thing are to be there, and in which colour, where it is named first with either."""
    found = [(count, colour) for number, count, colour in mentions(clause) if number == thing]
    count = next((count for count, _ in found if count), 0)
    colour = next((colour for _, colour in found if colour), "")
    # Said elsewhere, it is of this thing if it is not of the other: "a dog, a red one".
    of_others = {colour for number, _, colour in mentions(clause) if number != thing}
    rest = (one for one in wanted(clause, COLOUR) if one not in of_others)
    return count, colour or next(rest, "")


def _counted(clause: SceneWords) -> int:
    """How many a clause about numbers says that there are."""
    if numbers := wanted(clause, NUMBER):
        return int(numbers[-1])
    return (
        1
        if any(one.symbol in _ONE for one in clause.tokens)
        else next((count for _, count, _ in mentions(clause)), 0)
    )


def _value(about: str, clause: SceneWords) -> str:
    values = wanted(clause, VALUED[about]) if about in VALUED else []
    if about == "facing":
        values = [value for value in values if value != "middle"]
    # Who says what was and what is to be ends with the latter.
    return values[-1] if values else ""
