"""A user who follows a script: what to do next, told by the rank of a result instead of its name."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
        """A user who says, likes, dislikes, picks, undoes, goes back and branches, the same for a seed."""
        rng = random.Random(seed)
        script: list[ScriptedMove] = [ScriptedMove(name="say", text=rng.choice(WORDS))]
        # How many turns each path has, so that no move asks for what is not there.
        paths, current, marking = {"main": 1}, "main", False
        for _ in range(length - 1):
            turns = paths[current]
            names: list[MoveName] = ["say", "say", "pick", "like", "dislike"]
            names += ["undo", "back", "branch"] if turns > 1 and len(paths) < 4 else []
            names += ["switch"] if len(paths) > 1 else []
            name = rng.choice(names)
            if name == "say":
                move = ScriptedMove(name=name, text=rng.choice(WORDS))
            elif name == "pick":
                text = rng.choice((*WORDS, ""))
                move = ScriptedMove(name=name, ranks=(rng.randint(1, results),), text=text)
            elif name in ("like", "dislike"):
                move = ScriptedMove(name=name, ranks=(rng.randint(1, results),))
            elif name == "back":
                move = ScriptedMove(name=name, turn=rng.randint(1, turns - 1))
                current = str(next(n for n in range(2, 99) if str(n) not in paths))
                paths[current] = move.turn
            elif name == "branch":
                current = f"path-{len(paths)}"
                move = ScriptedMove(name=name, path=current)
                paths[current] = turns
            elif name == "switch":
                current = rng.choice([path for path in paths if path != current])
                move = ScriptedMove(name=name, path=current)
            else:
                move = ScriptedMove(name="undo")
            script.append(move)
            # Marks made one after another are one turn, and words may complete a picked picture: an
            # undo is only asked for where a turn is left in any case.
            if name in ("say", "pick") or (name in ("like", "dislike") and not marking):
                paths[current] += 1
            elif name == "undo":
                paths[current] -= 1
            marking = name in ("like", "dislike")
        return cls(tuple(script))

    def sessions(self, session: "Session") -> Iterator["Session"]:
        """The session after each move."""
        for move in self.script:
            shown = session.results.ids if move.ranks else ()
            session = play(session, move.move(shown))
            yield session
