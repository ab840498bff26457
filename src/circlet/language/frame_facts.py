"""What can be said of one picture among a few: facts, what was seen of each picture, and how well they hold.

A fact holds by degrees: from a fifth on it is literally true, and of several pictures of which it is true
the one is meant that it fits best. Whoever speaks would also have mentioned what is odd about a picture,
so a blurred one of which nobody said that it is blurred is meant less likely.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

Degrees = NDArray[np.float64]

# What is seen of a thing in a picture: how many; the shares of it that show, that are inside the picture and
# that something else covers; the middle of what shows (across, down) and its height, in parts of the
# picture; where it faces, −1 for left and 1 for right. Where nothing of it shows, it has no middle (nan).
SEEN = ("count", "share", "inside", "covered", "x", "y", "size", "facing")
# What is seen of the whole picture: the blur (in pixels of a picture 224 pixels wide), the light (1 is the
# usual), how much of another picture shines through.
LOOKS = ("blur", "light", "fade")
# From here on a fact is literally true, though another picture may be the better case of it.
TRUE = 0.2
_LEAST = 0.03
# Literally true, and yet not what somebody would say who sees more of them.
_MORE = 0.55
# How likely a picture is meant of which something odd was not mentioned.
_UNMENTIONED = 0.6


@dataclass(frozen=True)
class FrameFact:
    """One thing that words say of the picture that is meant.

    >>> FrameFact("beside", "dog", other="hut", value="left").count
    1
    """

    about: str
    kind: str = ""
    other: str = ""
    value: str = ""
    count: int = 1

    @property
    def of_one(self) -> "FrameFact":
        """The same without the other thing: whether something is covered does not depend on by what."""
        return replace(self, other="")


# What words may state, each fact with how likely it is meant.
Heard = Mapping[FrameFact, float]


@dataclass(frozen=True)
class Series:
    """What was seen in a few pictures: of each thing (pictures, SEEN), and of the wholes (pictures, LOOKS).

    `stated` has, by (about, thing, value), how sure it is of each picture that its colour, setting, time or
    weather is this one. `timed` says that the order of the pictures is time. `told` are facts (`of_one`)
    whose degrees somebody says outright; they count as much as what was seen.
    """

    things: Mapping[str, Degrees]
    looks: Degrees
    timed: bool = True
    stated: Mapping[tuple[str, str, str], Degrees] = field(default_factory=dict)
    told: Mapping[FrameFact, Degrees] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.looks)

    def of(self, kind: str, name: str) -> Degrees:
        """One column of what was seen of a thing."""
        return self.things[kind][:, SEEN.index(name)]


def rising(values: Degrees, low: float, high: float) -> Degrees:
    """From 0 at `low` to 1 at `high`; what is unknown has none of it.

    >>> rising(np.array([0.0, 0.2, 0.4, np.nan]), 0.1, 0.3).round(2).tolist()
    [0.0, 0.5, 1.0, 0.0]
    """
    return np.nan_to_num(np.clip((values - low) / (high - low), 0, 1))


def _falling(values: Degrees, low: float, high: float) -> Degrees:
    return np.where(np.isnan(values), 0.0, 1 - rising(values, low, high))


def _before(values: Degrees) -> Degrees:
    """Each picture's value in the one before; the first has none before it."""
    return np.concatenate([[np.nan], values[:-1]])


def _after(values: Degrees) -> Degrees:
    return np.concatenate([values[1:], [np.nan]])


class _Told:
    """A fact beside the series, with short names for what its rule needs."""

    def __init__(self, fact: FrameFact, series: Series) -> None:
        self.fact, self.series = fact, series
        self.sign = -1.0 if fact.value == "left" else 1.0

    def __getattr__(self, name: str) -> Degrees:
        return self.series.of(self.fact.kind, name)

    @property
    def shows(self) -> Degrees:
        """How surely something of the thing is to be seen."""
        return rising(self.share, 0.03, 0.07)

    @property
    def unseen(self) -> Degrees:
        return _falling(self.share, 0.02, 0.06)

    @property
    def away(self) -> Degrees:
        """How far to the right of the other it is; less than nothing: to the left."""
        return self.x - self.series.of(self.fact.other, "x")

    def ranged(self, name: str, least: float) -> Degrees:
        """Where a value lies between the series' least and most, where these are far enough apart."""
        values = np.where(self.share > 0.05, getattr(self, name), np.nan)
        if np.isnan(values).all():
            return values
        low, high = np.nanmin(values), np.nanmax(values)
        return (values - low) / (high - low) if high - low >= least else np.full(len(values), np.nan)


def _counted(told: _Told) -> Degrees:
    over = told.count - told.fact.count
    return np.maximum(_falling(np.abs(over), 0.25, 0.75), _MORE * rising(over, 0.5, 1.0))


def _stepped(sign: int) -> Callable[[_Told], Degrees]:
    def rule(told: _Told) -> Degrees:
        exact = _falling(np.abs(told.count - told.fact.count), 0.25, 0.75)
        return exact * rising(sign * (told.count - _before(told.count)), 0.25, 0.75)

    return rule


def _turned(told: _Told) -> Degrees:
    return rising(told.sign * told.facing, -0.2, 0.6) * rising(-told.sign * _before(told.facing), -0.2, 0.6)


def _column(told: _Told) -> Degrees:
    if told.fact.value == "middle":
        return _falling(np.abs(told.x - 0.5), 0.08, 0.25)
    return rising(told.sign * (told.x - 0.5), 0.05, 0.25)


_RULES: dict[str, Callable[[_Told], Degrees]] = {
    "none": lambda t: t.unseen,
    "hidden": lambda t: t.unseen * rising(t.covered, 0.75, 0.95),
    "partly": lambda t: rising(t.covered, 0.08, 0.3) * _falling(t.covered, 0.75, 0.95) * t.shows,
    "half": lambda t: _falling(np.abs(t.share - 0.5), 0.1, 0.26),
    "sliver": lambda t: rising(t.share, 0.01, 0.04) * _falling(t.share, 0.12, 0.28),
    "most": lambda t: rising(t.share, 0.55, 0.72) * _falling(t.share, 0.93, 0.99),
    "clear": lambda t: rising(t.share, 0.93, 0.99),
    "uncovered": lambda t: _falling(t.covered, 0.02, 0.1) * t.shows,
    "cut": lambda t: _falling(t.inside, 0.84, 0.97) * t.shows * (t.sign * (t.x - 0.5) > 0),
    "beside": lambda t: rising(t.sign * t.away, 0.0, 0.12),
    "near": lambda t: _falling(np.abs(t.away), 0.1, 0.36),
    "far": lambda t: rising(np.abs(t.away), 0.3, 0.66),
    "column": _column,
    "edge": lambda t: rising(t.sign * (t.x - 0.5), 0.12, 0.44),
    "high": lambda t: _falling(t.ranged("y", 0.1), 0, 1),
    "low": lambda t: rising(t.ranged("y", 0.1), 0, 1),
    "large": lambda t: rising(t.ranged("size", 0.06), 0, 1),
    "small": lambda t: _falling(t.ranged("size", 0.06), 0, 1),
    "count": _counted,
    "arrived": _stepped(1),
    "left": _stepped(-1),
    "soon": lambda t: t.shows * _falling(_after(t.share), 0.02, 0.06),
    "emerged": lambda t: t.shows * _falling(_before(t.share), 0.02, 0.06),
    "turned": _turned,
    "facing": lambda t: rising(t.sign * t.facing, -0.5, 0.5) * t.shows,
    "approaching": lambda t: (
        rising(-np.sign(t.away) * t.facing, -0.5, 0.5) * rising(np.abs(t.away), 0.03, 0.15)
    ),
    "leaving": lambda t: rising(np.sign(t.away) * t.facing, -0.5, 0.5) * rising(np.abs(t.away), 0.03, 0.15),
}
# Of whole pictures: which column, and between which values the degree rises (or falls).
OVERALL = {
    "blurry": ("blur", 0.6, 2.4),
    "bright": ("light", 1.08, 1.4),
    "dark": ("light", 0.88, 0.5),
    "fade": ("fade", 0.1, 0.4),
}
_STEPS = ("arrived", "left")
_IN_TIME = (*_STEPS, "soon", "emerged", "turned")
# These hold between two things, each where it is; what covers something is named, and need not be known.
_BETWEEN = ("beside", "near", "far", "approaching", "leaving")
WITH_OTHER = ("hidden", "partly", *_BETWEEN)
STATED = ("colour", "setting", "time", "weather")
ABOUTS = (*_RULES, *OVERALL, *STATED)
# How many of a kind somebody says there are, at most; and what is told with a side.
_MOST = 6
_SIDED = ("cut", "edge", "facing", "turned")


def _of_one() -> Iterator[FrameFact]:
    for about in _RULES:
        if about in ("count", *_STEPS):
            yield from (FrameFact(about, count=count) for count in range(1, _MOST + 1))
        elif about in _SIDED:
            yield from (FrameFact(about, value=side) for side in ("left", "right"))
        elif about == "column":
            yield from (FrameFact(about, value=side) for side in ("left", "middle", "right"))
        elif about not in _BETWEEN:
            yield FrameFact(about)


# Every fact about one thing alone, of no kind yet; and those of them that only films have.
OF_ONE: tuple[FrameFact, ...] = tuple(_of_one())
OF_FILMS = tuple(fact.about in _IN_TIME for fact in OF_ONE)


def degrees(fact: FrameFact, series: Series) -> Degrees | None:
    """How well a fact holds of each picture, 0 to 1; None where what was seen says nothing of it.

    >>> dog = np.array([[1, 1.0, 1, 0, 0.2, 0.8, 0.3, 1], [1, 0.5, 1, 0.5, 0.5, 0.8, 0.3, 1]])
    >>> seen = Series({"dog": dog}, np.array([[0, 1, 0], [0, 1, 0]]))
    >>> degrees(FrameFact("half", "dog"), seen).tolist(), degrees(FrameFact("half", "cat"), seen)
    ([0.0, 1.0], None)
    """
    told, seen = series.told.get(fact.of_one), _by_rule(fact, series)
    if told is None or seen is None:
        return seen if told is None else told
    return (told + seen) / 2


def _by_rule(fact: FrameFact, series: Series) -> Degrees | None:
    if fact.about in STATED:
        return series.stated.get((fact.about, fact.kind, fact.value))
    if fact.about in OVERALL:
        name, low, high = OVERALL[fact.about]
        return rising(series.looks[:, LOOKS.index(name)], low, high)
    known = fact.kind in series.things and (fact.about not in _BETWEEN or fact.other in series.things)
    if not known or (fact.about in _IN_TIME and not series.timed):
        return None
    return np.asarray(_RULES[fact.about](_Told(fact, series)))


def likely_degrees(heard: Heard, series: Series) -> Degrees | None:
    """How well what was heard holds of each picture, over all that it may be; None: nobody can say.

    What is left to certainty says the same of all pictures.

    >>> seen = Series({}, np.array([[0.0, 1, 0], [3.0, 1, 0]]))
    >>> likely_degrees({FrameFact("blurry"): 0.5, FrameFact("fade"): 0.5}, seen).tolist()
    [0.0, 0.5]
    """
    known = [(likely, held) for fact, likely in heard.items() if (held := degrees(fact, series)) is not None]
    if not known:
        return None
    sure = sum(likely for likely, _ in known)
    both = np.asarray(sum(likely * held for likely, held in known))
    return both + (1 - sure) * both.mean() / sure


def listen(said: Sequence[Heard], series: Series) -> Degrees:
    """How well each picture is meant by what was heard: logarithms, to be compared within the series."""
    total = np.zeros(len(series))
    for heard in said:
        held = likely_degrees(heard, series)
        if held is not None:
            total += np.log(np.maximum(held, _LEAST))
    for about in OVERALL:
        odd = FrameFact(about)
        mentioned = max((heard.get(odd, 0.0) for heard in said), default=0.0)
        if mentioned < 1 and (held := degrees(odd, series)) is not None:
            total += (1 - mentioned) * np.log(_UNMENTIONED) * held
    return total
