"""How likely a scene is what was asked for, and how much of another scene it keeps."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from circlet.core import Vectors
from circlet.models.scenes.needs import Heard, SceneNeed
from circlet.models.scenes.sights import COUNT, Seen

# Things of the picture that one starts from which are likelier than this are to stay.
_SHOWN = 0.2
# One fact that was read wrong must not outweigh all others: no probability is less.
LEAST = 0.01
# What is likelier than this to be asked for is not held against a picture as a change.
_TOUCHES = 0.1
# People ask for strange things, and things are overlooked: so much of what is heard stands whatever is seen.
_DOUBT = 0.05
_ATTRIBUTES = ("colour", "size", "column", "depth", "facing", "tone", "hair")
# What may speak for a picture as an answer: what is asked, that things are there, what they are like, the
# whole, and that nothing came unasked.
ASKED, THERE, UNASKED = "asked", "there", "unasked"
EVIDENCE = (
    ASKED, THERE, COUNT, *_ATTRIBUTES, "setting", "time", "weather", "view", "sign", UNASKED,
)  # fmt: skip
_OF_NEED = {"colour": "colour", "shirt": "colour", "column": "column", "facing": "facing", "tone": "tone",
            "hair": "hair", "front": "depth", "back": "depth"}  # fmt: skip
_TOUCHED = _OF_NEED | {"count": COUNT, "more": COUNT, "fewer": COUNT, "larger": "size", "smaller": "size"}
_WHOLE = {"setting": "setting", "time": "time", "weather": "weather", "closer": "view", "wider": "view",
          "sign": "sign", "no sign": "sign"}  # fmt: skip


def holds(need: SceneNeed, seen: Seen, before: Seen) -> Vectors | None:
    """How likely what a need asks is true of each picture, seen from the one before; None: nobody can say."""
    about = need.about
    if about in _WHOLE:
        return _of_whole(need, seen, before)
    if not need.kind:
        return None
    if about == "remove":
        return 1 - seen.there(need.kind)
    if about in ("add", "count", "replace"):
        return _there(need, seen)
    if about in ("more", "fewer"):
        return _compared(
            seen.of(need.kind, COUNT), before.of(need.kind, COUNT)[0], about == "more", at_least=1
        )
    there = seen.there(need.kind)
    if about in ("larger", "smaller"):
        sizes = seen.of(need.kind, "size"), before.of(need.kind, "size")[0]
        return there * _compared(*sizes, about == "larger")
    if about == "left of":
        return _beside(need, seen) if need.other else None
    attribute = _OF_NEED[about]
    value = seen.known.value(attribute, about if attribute == "depth" else need.value)
    return None if value < 0 else there * seen.of(need.kind, attribute)[:, value]


def meant(heard: Heard, before: Seen) -> Heard:
    """What a clause may ask for, now that the first picture is seen.

    "A red dog" asks for another colour where there is a dog, and for a dog where there is none.
    """
    weighed = {need: likely * max(_supposed(need, before), _DOUBT) for need, likely in heard.items()}
    share = sum(heard.values()) / max(sum(weighed.values()), 1e-9)
    return {need: likely * share for need, likely in weighed.items()}


def _supposed(need: SceneNeed, before: Seen) -> float:
    """How likely the first picture is one of which somebody would ask this."""
    if need.about == "no sign":
        return 1 - float(before.whole("sign")[0, 0]) if "sign" in before.known.wholes else 1.0
    if not need.kind or need.about == "left of":
        return 1.0
    there = float(before.there(need.kind)[0])
    if need.about == "add":
        return 1 - there
    if need.about == "replace":
        return (1 - there) * (float(before.there(need.other)[0]) if need.other else 1.0)
    return there


def heard_holds(heard: Heard, seen: Seen, before: Seen) -> Vectors | None:
    """How likely what a clause may ask for is true of each picture, over all that it may mean."""
    known = [
        (likely, held)
        for need, likely in meant(heard, before).items()
        if (held := holds(need, seen, before)) is not None
    ]
    if not known:
        return None
    sure = sum(likely for likely, _ in known)
    return np.asarray(sum(likely * held for likely, held in known) / sure, np.float32)


def touched(heard: Sequence[Heard], before: Seen) -> list[SceneNeed]:
    """All that clauses may well ask for: of what these speak, nobody says that it stays."""
    return [need for one in heard for need, likely in meant(one, before).items() if likely >= _TOUCHES]


def _there(need: SceneNeed, seen: Seen) -> Vectors:
    """So many of the kind, in the colour and the column named, and none of what they take the place of."""
    counts = seen.of(need.kind, COUNT)
    likely = counts[:, need.count] if 0 < need.count < counts.shape[1] else seen.there(need.kind)
    for attribute, asked in (("colour", need.colour), ("column", need.column)):
        value = seen.known.value(attribute, asked) if asked else -1
        if value >= 0:
            likely = likely * seen.of(need.kind, attribute)[:, value]
    return likely * (1 - seen.there(need.other)) if need.other else likely


def _compared(now: Vectors, was: Vectors, more: bool, at_least: int = 0) -> Vectors:
    """How likely a value is higher (or lower) than another, of two that are ordered."""
    below = np.concatenate([[0], np.cumsum(was)[:-1]])
    other = below if more else 1 - np.cumsum(was)
    return np.asarray(now[:, at_least:] @ other[at_least:], np.float32)


def _beside(need: SceneNeed, seen: Seen) -> Vectors:
    left, right = seen.of(need.kind, "column"), seen.of(need.other, "column")
    after = right[:, ::-1].cumsum(axis=1)[:, ::-1] - right
    return seen.there(need.kind) * seen.there(need.other) * (left * after).sum(axis=1)


def _of_whole(need: SceneNeed, seen: Seen, before: Seen) -> Vectors | None:
    attribute = _WHOLE[need.about]
    likely = seen.whole(attribute)
    if attribute == "view":
        # Views are ordered from close to wide.
        return _compared(likely, before.whole(attribute)[0], need.about == "wider")
    value = 0 if need.about == "no sign" else seen.known.value(attribute, need.value)
    return None if value < 0 or (not need.value and need.about != "no sign") else likely[:, value]


class Stay(NamedTuple):
    """One fact of the first picture that no need speaks of, in every candidate.

    `about` says which of `EVIDENCE` it is, `weight` how much it counts among what stays, `held` how much of
    that is there, and `same` how likely nothing about it has changed.
    """

    about: str
    weight: Vectors
    held: Vectors
    same: Vectors


def stays(needs: Sequence[SceneNeed], seen: Seen, before: Seen) -> Iterator[Stay]:
    """What no need speaks of, fact by fact; what came unasked is a fact as well, none of which is held."""
    known, none = seen.known, np.zeros(len(seen), np.float32)
    gone = {need.kind for need in needs if need.about in ("add", "remove", "replace")}
    gone |= {need.other for need in needs if need.about == "replace"}
    touched = {(need.kind, _TOUCHED[need.about]) for need in needs if need.about in _TOUCHED}
    touched |= {
        (kind, "column") for need in needs if need.about == "left of" for kind in (need.kind, need.other)
    }
    spoken = {_WHOLE[need.about] for need in needs if need.about in _WHOLE}
    was = before.kinds(_SHOWN)
    for kind in was:
        if kind in gone:
            continue
        sure, there = float(before.there(kind)[0]), seen.there(kind)
        yield Stay(THERE, none + sure, sure * there, 1 - sure + sure * there)
        for attribute in (COUNT, *known.varying.get(kind, _ATTRIBUTES)):
            if (kind, attribute) not in touched:
                now, then = seen.of(kind, attribute), before.of(kind, attribute)
                if attribute == COUNT:
                    now, then = (part[:, 1:] / (1 - part[:, :1] + 1e-6) for part in (now, then))
                alike = np.minimum((now * then).sum(axis=1), 1)
                # Of what is gone nothing else has changed: that it is gone is a fact of its own.
                yield Stay(attribute, none + sure, sure * there * alike, 1 - sure * there * (1 - alike))
    for attribute in known.wholes:
        if attribute in spoken:
            continue
        now, then = seen.whole(attribute), before.whole(attribute)[0]
        if attribute == "sign":
            # A sign is to stay where there was one; elsewhere a new one is something unasked.
            sure, unasked = float(then[1:].sum()), 1 - now[:, 0]
            yield Stay(attribute, (1 - sure) * unasked + sure, now[:, 1:] @ then[1:], now @ then)
        else:
            yield Stay(attribute, none + 1, now @ then, now @ then)
    for kind in set(seen.kinds(_SHOWN)) - set(was) - gone:
        there = seen.there(kind)
        yield Stay(UNASKED, there, none, 1 - there)


def kept(staying: Iterable[Stay]) -> Vectors:
    """The share of what was to stay that is still there; what came unasked takes some back."""
    weight, held = (sum(part) for part in zip(*((one.weight, one.held) for one in staying), strict=True))
    return np.asarray(held / np.maximum(weight, 1e-6), np.float32)


def evidence(heard: Sequence[Heard], seen: Seen, before: Seen) -> Vectors:
    """What speaks for each picture as an answer in full, (`EVIDENCE`, pictures): logarithms, 0 at best.

    A row is the sum over all facts of one kind: how likely each is still the same, or is what was asked for.
    """
    found = np.zeros((len(EVIDENCE), len(seen)), np.float32)
    for one in stays(touched(heard, before), seen, before):
        found[EVIDENCE.index(one.about)] += np.log(np.clip(one.same, LEAST, 1))
    for said in heard:
        likely = heard_holds(said, seen, before)
        found[EVIDENCE.index(ASKED)] += np.log(np.clip(0.5 if likely is None else likely, LEAST, 1))
    return found
