"""What `--rerank` adds to a search, in milliseconds: with and without it in one process, in one run.

    python benchmarks/rerank.py FOLDER                                  # any 100 pictures or more
    python benchmarks/rerank.py FOLDER --rerank CKPT --encoder NAME     # a scorer that was trained, too
    python benchmarks/rerank.py FOLDER --home ~/.circlet                # where FOLDER is indexed already

Indexes FOLDER in a home of its own, unless it is told of one, then searches by pictures of it with words that
no search repeats, and goes on for a second turn: without a scorer, with `clauses`, and with each CKPT. They
take turns, so that a busy moment hits all alike; the first rounds, in which things are loaded, do not count.
What is added is the median over rounds of the difference from the search without a scorer in the same round,
by the clock and by the processor's time of all threads, which a machine that is busy otherwise tells better.
One search has one thread for its products, as in `circlet serve`. At most 30 ms is the project's target, for
100 candidates on two cores.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

# Said before numpy and torch are loaded, which heed it.
os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

from circlet.collection import Collection, SearchOptions
from circlet.collection.methods import RERANKED
from circlet.core import Query, Turn

TEXTS = ("in the snow, without people", "in red", "at night, add a dog", "but a cat, with no cars")
THEN = ("seen from the side", "a little smaller", "on a beach", "in blue")
LOADING = 3


def main() -> None:
    """Index, search, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rerank", action="append", default=[], metavar="CKPT")
    parser.add_argument("--encoder", default="builtin")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--rounds", type=int, default=30)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        collection = Collection.open(asked.folder, home=asked.home or home, encoder=asked.encoder)
        if asked.home is None:
            collection.index()
        with collection:
            ids = [id for id, _ in collection.store.walk(str(collection.folder))]
            print(f"{len(ids):,} pictures, encoder {asked.encoder}, {asked.rounds} rounds")
            if len(ids) < RERANKED + 1:
                raise SystemExit(f"{len(ids)} pictures are fewer than are reranked: name a larger folder")
            for turns in (1, 2):
                measure(collection, ids, ["", "clauses", *asked.rerank], turns, asked.rounds)


def measure(collection: Collection, ids: list[str], scorers: list[str], turns: int, rounds: int) -> None:
    """One line a scorer: how long a search takes, and what the scorer added to it."""
    clock: dict[str, list[float]] = {name: [] for name in scorers}
    spent: dict[str, list[float]] = {name: [] for name in scorers}
    for number in range(rounds + LOADING):
        # Whoever comes first finds cold caches: each does so as often.
        first = number % len(scorers)
        for name in scorers[first:] + scorers[:first]:
            query = question(number, number * len(scorers) + scorers.index(name), ids, turns)
            options = SearchOptions(rerank=name)
            began, used = time.perf_counter(), time.process_time()
            collection.find(query, options)
            spent[name].append(1000 * (time.process_time() - used))
            clock[name].append(1000 * (time.perf_counter() - began))
    for name in scorers:
        told = ", ".join(
            f"{_middle(times[name]):.1f} ms {by}" + (f", adds {_added(times, name)}" if name else "")
            for by, times in (("by the clock", clock), ("of processor", spent))
        )
        print(f"{turns} turn{'s'[: turns > 1]}, {name or 'without a scorer'}: {told}")


def _middle(times: list[float]) -> float:
    return statistics.median(times[LOADING:])


def _added(times: dict[str, list[float]], name: str) -> str:
    """What a scorer adds, round by round: the median, and between what half of the rounds are."""
    more = [one - other for one, other in zip(times[name], times[""], strict=True)][LOADING:]
    low, middle, high = statistics.quantiles(more, n=4)
    return f"{middle:.1f} ms (half of the rounds {low:.1f} to {high:.1f})"


def question(number: int, unique: int, ids: list[str], turns: int) -> Query:
    """A picture with words, and more words in a second turn; no two have the same."""
    picture = ids[number * 7 % len(ids)]
    query = Query("q") + Turn(picture=picture, text=f"{TEXTS[number % len(TEXTS)]}, like number {unique}")
    return query + Turn(text=f"{THEN[number % len(THEN)]}, as in {unique}") if turns > 1 else query


if __name__ == "__main__":
    main()
