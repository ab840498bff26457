"""Rounds of search and reply: a method ranks, a user picks and says what differs, until it is found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from circlet.core import (
    Benchmark,
    Case,
    DataError,
    Gallery,
    Key,
    Method,
    Progress,
    Query,
    Ranking,
    Run,
    UsageError,
    best,
    blocks,
)
from circlet.dialogue.simulate import Seen, User

Returning = Literal["kept", "picked", "shown"]
RETURNING: tuple[Returning, ...] = get_args(Returning)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How rounds are played: how many, how much is shown, and what leaves the gallery on the way.

    A session ends when a truth is among the `shown` first. What was `seen` may come back (`kept`), or
    pictures that were `picked` do not, or none of what was `shown` does; hiding them alone raises every
    number, so it is said.

    >>> str(Rules(rounds=3))
    'rounds=3 shown=10 seen=picked'
    """

    rounds: int = 5
    shown: int = 10
    seen: Returning = "picked"

    def __post_init__(self) -> None:
        if self.rounds < 1 or self.shown < 1:
            raise UsageError(f"rounds and shown are at least 1, not {self.rounds} and {self.shown}")
        if self.seen not in RETURNING:
            raise UsageError(f"what was seen is {', '.join(RETURNING)}, not {self.seen!r}")

    def __str__(self) -> str:
        return f"rounds={self.rounds} shown={self.shown} seen={self.seen}"

    def gone(self, query: Query) -> tuple[str, ...]:
        """What a query's later turns took out of the gallery."""
        if self.seen == "kept":
            return ()
        later = query.turns[1:]
        if self.seen == "picked":
            return tuple(turn.picture for turn in later if turn.picture)
        return tuple(id for turn in later for id in (turn.picture, *turn.shown) if id)


@dataclass(frozen=True)
class Played:
    """Sessions as they went: their queries with every turn, and the best rank of a truth after each.

    `rankings` has the best of every turn, and `benchmark` is what was played, its cases' queries those
    of the sessions, so that measures over turns read the `run` like any other.
    """

    benchmark: Benchmark
    rules: Rules
    ranks: Mapping[str, tuple[int, ...]]
    rankings: Mapping[Key, Ranking] = field(repr=False)
    method: str = ""
    user: str = ""
    fingerprint: str = ""

    @property
    def run(self) -> Run:
        """The rankings as a run, which can be saved and measured."""
        return Run(
            method=self.method,
            rankings=self.rankings,
            fingerprint=self.fingerprint,
            protocol=self.benchmark.header(),
        )

    def at(self, turn: int, *, cumulative: bool = False) -> "np.ndarray":
        """The rank of every session after a turn; one that ended before keeps its last.

        With `cumulative` it is the best rank up to that turn.
        """
        kept = [ranks[:turn] for ranks in self.ranks.values()]
        return np.array([min(ranks) if cumulative else ranks[-1] for ranks in kept], np.int64)


def play(
    method: Method,
    user: User,
    benchmark: Benchmark,
    pictures: Gallery,
    *,
    rules: Rules | None = None,
    top: int = 50,
    progress: Progress | None = None,
) -> Played:
    """Every case of the benchmark played against the user, all live sessions together.

    The first round is the plain evaluation of the method. Equal calls give equal sessions.
    """
    rules = rules or Rules()
    queries = {case.id: case.query for case in benchmark.cases}
    ranks: dict[str, list[int]] = {id: [] for id in queries}
    rankings: dict[Key, Ranking] = {}
    live = list(queries)
    galleries: dict[str, Gallery] = {}
    for number in range(1, rules.rounds + 1):
        asked: list[Seen] = []
        for group, ids in _grouped(benchmark, live).items():
            if group not in galleries:
                galleries[group] = _part(pictures, benchmark.galleries[group])
            now = [queries[id] for id in ids]
            gone = [(*benchmark.case(query.id).exclude, *rules.gone(query)) for query in now]
            here = _Here(method, galleries[group], pictures, max(top, rules.shown))
            truths = [_reachable(benchmark.case(id), galleries[group]) for id in ids]
            for query, wanted, (rank, ranking) in zip(
                now, truths, here.ranked(now, gone, truths), strict=True
            ):
                ranks[query.id].append(rank)
                rankings[Key(query.id, number)] = ranking[:top]
                if rank > rules.shown and number < rules.rounds:
                    asked.append(Seen(query, ranking.ids[: rules.shown], wanted))
        live = []
        for seen, turn in zip(asked, user.replies(asked), strict=True):
            if turn is not None:
                queries[seen.query.id] = seen.query + turn
                live.append(seen.query.id)
        if progress:
            progress(number, rules.rounds)
        if not live:
            break
    cases = tuple(replace(case, query=queries[case.id]) for case in benchmark.cases)
    told = {"rounds": str(rules.rounds), "shown": str(rules.shown), "seen": rules.seen, "user": str(user)}
    return Played(
        replace(benchmark, cases=cases, protocol={**benchmark.protocol, **told}),
        rules,
        {id: tuple(each) for id, each in ranks.items()},
        rankings,
        repr(method),
        str(user),
        pictures.fingerprint,
    )


@dataclass(frozen=True)
class _Here:
    """Where some sessions search: ranks are counted over all of it, the best are kept."""

    method: Method
    gallery: Gallery
    pictures: Gallery
    top: int

    def ranked(
        self, queries: Sequence[Query], gone: Sequence[Sequence[str]], truths: Sequence[Sequence[str]]
    ) -> Iterator[tuple[int, Ranking]]:
        """For each query the best rank of a truth, equal scores counted as ahead, and the best pictures."""
        for part in blocks(len(queries), len(self.gallery)):
            scores = self.method.score_all(
                queries[part], self.gallery, pictures=self.pictures, exclude=gone[part]
            )
            for row, wanted in zip(scores, truths[part], strict=True):
                own = row[self.gallery.rows_of(wanted)].max()
                found = best(row, self.top)
                # What is no candidate at all stands behind everything.
                rank = int(np.count_nonzero(row >= own)) if own > -np.inf else len(self.gallery)
                yield rank, Ranking(self.gallery.ids_at(found), row[found])


def _grouped(benchmark: Benchmark, ids: Sequence[str]) -> dict[str, list[str]]:
    """The sessions by the gallery that they search."""
    groups: dict[str, list[str]] = {}
    for id in ids:
        groups.setdefault(benchmark.case(id).group, []).append(id)
    if gone := sorted(groups.keys() - benchmark.galleries.keys()):
        raise DataError(
            f"{benchmark.name}: no gallery {gone[0]!r} is listed, so no round can be played in it"
        )
    return groups


def _part(pictures: Gallery, ids: Sequence[str]) -> Gallery:
    return pictures if tuple(ids) == pictures.ids else pictures.subset(ids)


def _reachable(case: Case, gallery: Gallery) -> tuple[str, ...]:
    """The truths that can be found; without any, a user could want nothing."""
    truths = tuple(id for id in case.truths if id in gallery and id not in case.exclude)
    if not truths:
        raise DataError(f"query {case.id} has no truth in its gallery, so nobody could play it")
    return truths
