"""A user who follows a script: what to do next, told by the rank of a result instead of its name."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from circlet.dialogue.heard import heard
from circlet.dialogue.moves import Move, MoveName, play

if TYPE_CHECKING:
    from circlet.dialogue import Session

WORDS = ("at night", "red", "without people", "a cat", "two of them", "on a beach", "smaller", "blue")


@dataclass(frozen=True, kw_only=True)
class ScriptedMove:
    """A move whose pictures are told by their ranks: `ScriptedMove(name="like", ranks=(2,))`."""

    name: MoveName
    text: str = ""
    ranks: tuple[int, ...] = ()
    turn: int = 0
    path: str = ""

    def move(self, shown: Sequence[str]) -> Move:
        """The move for somebody who sees these results."""
        pictures = tuple(shown[rank - 1] for rank in self.ranks)
        return Move(name=self.name, text=self.text, pictures=pictures, turn=self.turn, path=self.path)

    @property
    def line(self) -> str:
        """The same as a line for `circlet session`.

        >>> ScriptedMove(name="pick", ranks=(2,), text="at night").line
        'pick 2 at night'
        """
        if self.name == "back":
            return f"back to {self.turn}"
        if self.name in ("edit", "drop"):
            return f"{self.name} {self.turn} {self.text}".strip()
        ranks = " ".join(map(str, self.ranks))
        return " ".join(part for part in (self.name, ranks, self.text or self.path) if part)


@dataclass(frozen=True)
class ScriptedUser:
    """Plays its moves one after the other.

    >>> from circlet.dialogue import Session
    >>> user = ScriptedUser((ScriptedMove(name="say", text="a beach"), ScriptedMove(name="say", text="red")))
    >>> [session.history[-1] for session in user.sessions(Session())]
    ['a beach', 'red']
    """

    script: tuple[ScriptedMove, ...]

    @classmethod
    def at_random(cls, seed: int, *, length: int = 8, results: int = 6) -> "ScriptedUser":
        """A user who makes every move there is but those on weights and balance, the same for a seed."""
        from circlet.dialogue import Session

        rng, session = random.Random(seed), Session()
        script: list[ScriptedMove] = []
        for number in range(length):
            names: list[MoveName] = ["say"] if not number else ["say", "say", "pick", "like", "dislike"]
            # Liking a picture twice takes a turn away: not so near to the beginning that none would be left.
            if len(session.turns) > 2 and len(session.branches) < 5:
                names += ["undo", "back", "branch", "edit", "drop"]
            if session.turns and session.turns[-1].text:
                names += ["also", "instead"]
            if len(session.turns) > 2 and any(one.changeable for one in heard(session.turns)):
                names += ["strike", "turn"]
            if len(session.branches) > 1:
                names.append("switch")
            move = cls._drawn(rng, rng.choice(names), session, results)
            # Played here with pictures that nobody has: only how many turns and paths there are counts.
            session = play(session, move.move([f"{number}-{rank}" for rank in range(results)]))
            script.append(move)
        return cls(tuple(script))

    @staticmethod
    def _drawn(rng: random.Random, name: MoveName, session: "Session", results: int) -> ScriptedMove:
        ranks = (rng.randint(1, results),) if name in ("pick", "like", "dislike") else ()
        said = [str(one) for one in heard(session.turns) if one.changeable]
        words = {"say": WORDS, "pick": (*WORDS, ""), "edit": WORDS, "strike": said, "turn": said}.get(
            name, ("",)
        )
        text = rng.choice(words)
        path = f"path-{len(session.branches)}" if name == "branch" else ""
        if name == "switch":
            path = rng.choice([path for path in session.branches if path != session.current])
        turn = rng.randint(1, len(session.turns) - 1) if name in ("back", "edit", "drop") else 0
        return ScriptedMove(name=name, ranks=ranks, text=text, path=path, turn=turn)

    def sessions(self, session: "Session") -> Iterator["Session"]:
        """The session after each move."""
        for move in self.script:
            shown = session.results.ids if move.ranks else ()
            session = play(session, move.move(shown))
            yield session
