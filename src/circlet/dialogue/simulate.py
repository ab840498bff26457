"""Users who are simulated: they know what they want, look at what is shown, pick and say what differs."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

import numpy as np

from circlet.core import Query, Turn, UsageError, Vectors

Picks = Literal["best", "three", "first"]
PICKS: tuple[Picks, ...] = get_args(Picks)


@dataclass(frozen=True)
class Seen:
    """What a user is asked about: the query so far, what is shown for it, and what would satisfy it."""

    query: Query
    shown: tuple[str, ...]
    truths: tuple[str, ...]


@dataclass(frozen=True)
class Contrast:
    """What a user is to put into words: how the wanted picture differs from the one that was picked.

    `said` holds what was said in the turns before; `draw` makes the wording, the same for the same turn.
    """

    query: Query
    picked: str
    wanted: str
    draw: str

    @property
    def said(self) -> tuple[str, ...]:
        """The words of the turns before, oldest first."""
        return tuple(turn.text for turn in self.query.turns if turn.text)


class User(Protocol):
    """Whoever answers what is shown with the next turn, or with None when there is no more to say."""

    def replies(self, asked: Sequence[Seen]) -> list[Turn | None]:
        """The next turn of each session."""
        ...


class Likeness(Protocol):
    """Tells how near each of the pictures shown comes to the one that is wanted; more is nearer."""

    def __call__(self, wanted: str, shown: Sequence[str]) -> Sequence[float]: ...


class Teller(Protocol):
    """Puts differences into words, many at once; an empty text where there is none."""

    def __call__(self, contrasts: Sequence[Contrast]) -> list[str]: ...


@dataclass(frozen=True, kw_only=True)
class SimulatedUser:
    """Picks by likeness and tells the difference to what is wanted.

    `picks` is how: the `best` of what is shown, one of the best `three`, or the `first`, which is what a
    user of paper 001 looks at. `noise` is how often any of the shown is picked instead; after `patience`
    turns nothing more is said. One who `speaks` gives up where there is nothing to say; others pick alone.

    >>> def near(wanted, shown):
    ...     return [len(set(wanted) & set(one)) for one in shown]
    >>> user = SimulatedUser(likeness=near, tell=lambda contrasts: [f"a {one.wanted}" for one in contrasts])
    >>> user.reply(Query("1", (Turn(text="fruit"),)), ("lime", "pear", "lemon"), ("peach",))
    Turn(picture='pear', text='a peach', shown=('lime', 'pear', 'lemon'))
    """

    likeness: Likeness
    tell: Teller
    picks: Picks = "best"
    patience: int = 6
    noise: float = 0.0
    speaks: bool = False
    seed: int = 0
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.picks not in PICKS:
            raise UsageError(f"a user picks {', '.join(PICKS)}, not {self.picks!r}")
        if not 0 <= self.noise <= 1:
            raise UsageError(f"noise is a share from 0 to 1, not {self.noise}")

    def __str__(self) -> str:
        """The user in one line, for protocols."""
        more = f" noise={self.noise:g}" if self.noise else ""
        return f"{self.name or 'simulated'} picks={self.picks}{more}"

    def reply(self, query: Query, shown: Sequence[str], truths: Sequence[str]) -> Turn | None:
        """The next turn of one session."""
        return self.replies([Seen(query, tuple(shown), tuple(truths))])[0]

    def replies(self, asked: Sequence[Seen]) -> list[Turn | None]:
        """The next turn of each session; what differs is told for all of them at once."""
        answers: list[Turn | None] = [None] * len(asked)
        if isinstance(self.likeness, CaptionLikeness) and not self._first:
            self.likeness.prepare([id for one in asked for id in (*one.shown, *one.truths)])
        goes_on = [at for at, one in enumerate(asked) if one.shown and len(one.query.turns) < self.patience]
        contrasts = [self._picked(asked[at]) for at in goes_on]
        for at, contrast, text in zip(goes_on, contrasts, self.tell(contrasts), strict=True):
            if text or not self.speaks:
                answers[at] = Turn(picture=contrast.picked, text=text, shown=asked[at].shown)
        return answers

    @property
    def _first(self) -> bool:
        """Whether the first is picked in any case."""
        return self.picks == "first" and not self.noise

    def _picked(self, seen: Seen) -> Contrast:
        draw = f"{self.seed} {seen.query.id} {len(seen.query.turns)}"
        rng = random.Random(draw)
        before = {turn.picture for turn in seen.query.turns}
        # Nobody goes back to a picture that was left behind, unless there is nothing else.
        fresh = [id for id in seen.shown if id not in before] or list(seen.shown)
        if self._first and len(seen.truths) == 1:
            # Nothing is compared, so nothing has to be described, which a server would be paid for.
            return Contrast(seen.query, fresh[0], seen.truths[0], draw)
        near = {wanted: np.asarray(self.likeness(wanted, fresh), np.float64) for wanted in seen.truths}
        # Of several that would do, the user has the one in mind that what is shown comes nearest to.
        wanted = max(seen.truths, key=lambda id: float(near[id].max()))
        order = np.argsort(-near[wanted], kind="stable")
        if self.noise and rng.random() < self.noise:
            at = rng.randrange(len(fresh))
        elif self.picks == "first":
            at = 0
        else:
            at = int(order[rng.randrange(min(3, len(order))) if self.picks == "three" else 0])
        return Contrast(seen.query, fresh[at], wanted, draw)


class CaptionLikeness:
    """Likeness by the cosine of captions' vectors: paper 003, equation 5.

    `describe` gives the captions of pictures and `texts` the unit vectors of words; each picture is
    described once, when it is first looked at.
    """

    def __init__(
        self, describe: Callable[[Sequence[str]], list[str]], texts: Callable[[Sequence[str]], Vectors]
    ) -> None:
        self.describe, self.texts = describe, texts
        self._rows: dict[str, Vectors] = {}

    def prepare(self, ids: Sequence[str]) -> None:
        """Look at many pictures at once."""
        new = [id for id in dict.fromkeys(ids) if id not in self._rows]
        if new:
            self._rows |= zip(new, self.texts(self.describe(new)), strict=True)

    def __call__(self, wanted: str, shown: Sequence[str]) -> Sequence[float]:
        self.prepare([wanted, *shown])
        return [float(self._rows[id] @ self._rows[wanted]) for id in shown]
