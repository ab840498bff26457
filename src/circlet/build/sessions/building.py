"""Sessions by paper 003's construction: search, pick, say what differs, until the target is shown."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from circlet.build.line_book import LineBook
from circlet.core import Benchmark, Case, Gallery, Method, Progress, Query, Turn, UsageError
from circlet.dialogue.rounds import Rules, play
from circlet.dialogue.simulate import User

# Sessions that go on together. Fixed: sums of floats depend on what is multiplied with what.
_BATCH = 64
_RECIPE = "recipe"

# Where the released code of paper 003 differs from the paper.
DEVIATIONS = {
    "similar-texts": "a text that stays too similar after every retry is kept",
    "first-texts": "sessions whose first text is empty are left out",
    "equal-pictures": "sessions that show one picture twice, or the target, are left out",
    "seventh-turn": "a session may have seven turns",
    "kept-references": "pictures that were picked stay in the gallery",
}


@dataclass(frozen=True, kw_only=True)
class SessionPlan:
    """How sessions are made: by which base and user, in which encoder's space, with which deviations.

    >>> SessionPlan(base="caption", user="truth").rules
    Rules(rounds=6, shown=10, seen='picked')
    """

    base: str
    user: str
    encoder: str = ""
    source: str = ""
    seed: int = 0
    turns: int = 6
    shown: int = 10
    deviations: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if wrong := [one for one in self.deviations if one not in DEVIATIONS]:
            raise UsageError(f"no deviation {wrong[0]!r}: pick of {', '.join(DEVIATIONS)}")

    @property
    def rules(self) -> Rules:
        """The rounds that are played."""
        return Rules(
            rounds=self.turns + ("seventh-turn" in self.deviations),
            shown=self.shown,
            seen="kept" if "kept-references" in self.deviations else "picked",
        )

    @property
    def protocol(self) -> dict[str, str]:
        """What is printed with everything that is measured on these sessions."""
        told = {"base": self.base, "user": self.user, "built": str(self.rules), "seed": str(self.seed)}
        return told | ({"deviations": ",".join(self.deviations)} if self.deviations else {})


@dataclass(frozen=True)
class MadeSession:
    """A session as it went, with the rank of the target after each turn."""

    id: str
    query: Query
    truths: tuple[str, ...]
    ranks: tuple[int, ...]
    case: Case = field(repr=False)
    note: Any = field(default=None, repr=False)

    @property
    def texts(self) -> tuple[str, ...]:
        """What was said, turn by turn."""
        return tuple(turn.text for turn in self.query.turns)

    @property
    def pictures(self) -> tuple[str, ...]:
        """The reference of every turn."""
        return tuple(turn.picture for turn in self.query.turns if turn.picture)


def make_sessions(
    benchmark: Benchmark,
    base: Method,
    user: User,
    pictures: Gallery,
    book: Path,
    plan: SessionPlan,
    *,
    noted: Callable[[Query], Any] | None = None,
    progress: Progress | None = None,
) -> list[MadeSession]:
    """Every query of the benchmark as a session, in its order; what the book has is not made again.

    A run that was killed goes on where it was and ends with the same bytes. `noted` says what else is to
    be kept of a session, as plain JSON values.
    """
    kept = LineBook(book)
    _claim(kept, plan)
    cases = benchmark.cases
    for start in range(0, len(cases), _BATCH):
        some = cases[start : start + _BATCH]
        new = [case.id for case in some if case.id not in kept.records]
        if new:
            # A batch is played whole, so that a session does not depend on which others were there.
            part = benchmark.only([case.query for case in some])
            played = play(base, user, part, pictures, rules=plan.rules, top=plan.shown)
            queries = {query.id: query for query in played.benchmark.queries}
            tell = noted or (lambda query: None)
            kept.add(*(_record(queries[id], played.ranks[id], tell(queries[id])) for id in new))
        if progress:
            progress(min(start + _BATCH, len(cases)), len(cases))
    return list(_read(cases, kept.records))


def _claim(book: LineBook, plan: SessionPlan) -> None:
    recipe = {"id": _RECIPE, "circlet": "sessions in the making", "source": plan.source,
              "encoder": plan.encoder, **plan.protocol}  # fmt: skip
    if not book.records:
        book.add(recipe)
    elif book.records.get(_RECIPE) != recipe:
        raise UsageError(
            f"{book.path} holds sessions that were begun otherwise (see its first line): name another file "
            "with --out, or remove it"
        )


def _record(query: Query, ranks: Sequence[int], note: Any) -> dict[str, Any]:
    turns = [turn.to_dict() for turn in query.turns]
    told = {"id": query.id, "turns": turns, "ranks": list(ranks)}
    return told if note is None else {**told, "note": note}


def _read(cases: Sequence[Case], records: Mapping[str, Mapping[str, Any]]) -> Iterator[MadeSession]:
    for case in cases:
        record = records[case.id]
        turns = tuple(Turn.from_dict(turn) for turn in record["turns"])
        ranks = tuple(record["ranks"])
        yield MadeSession(case.id, Query(case.id, turns), case.truths, ranks, case, record.get("note"))
