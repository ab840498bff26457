"""How the turns of a session join: every history on one benchmark of several turns.

    python benchmarks/histories.py WORLD [--split test] [--method default] [--encoder builtin] [--unseen]

WORLD is a folder that `circlet data make tableaux` wrote. Queries of `tableaux:cir` that lead to the same
target from different references become one session: a turn each, the reference picked from the look-alikes
of its subset without the target, which count as shown. The references of a session are left out of its
gallery. With --unseen nobody says what was shown. The sessions
are written as a benchmark file, and each history is measured on it as `circlet eval --history` does.
"""

import argparse
import random
import tempfile
from dataclasses import replace
from pathlib import Path

from circlet.core import Benchmark, Case, Query
from circlet.data import load_benchmark, write_benchmark
from circlet.dialogue import HISTORIES
from circlet.evaluate import FinalRecall, Hits, Recall
from circlet.experiments.bench import Bench

TURNS = 3
MEASURES = (*(Hits(turn=turn) @ 10 for turn in range(1, TURNS + 1)), FinalRecall @ 10, Recall @ 1)


def sessions(cir: Benchmark, seed: int, *, unseen: bool = False) -> Benchmark:
    """Sessions of two or three turns, each to one target from several references."""
    rng = random.Random(seed)
    together: dict[str, list[Case]] = {}
    for case in cir.cases:
        together.setdefault(case.truths[0], []).append(case)
    cases = []
    for target, several in together.items():
        chosen = list({case.query.last.picture: case for case in several}.values())
        rng.shuffle(chosen)
        chosen = chosen[:TURNS]
        # Whoever had seen the target would have picked it.
        seen = [tuple(id for id in case.subset if id != target) for case in chosen]
        turns = [
            replace(case.query.last, shown=shown if number and not unseen else ())
            for number, (case, shown) in enumerate(zip(chosen, seen, strict=True))
        ]
        gone = tuple(turn.picture or "" for turn in turns)
        if len(turns) > 1 and target not in gone:
            cases.append(Case(query=Query(f"to {target}", tuple(turns)), truths=(target,), exclude=gone))
    return replace(
        cir, name="tableaux-paths", cases=tuple(cases), measures=tuple(map(repr, MEASURES)), extra={}
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("world", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--method", action="append", help="may be repeated; default, if none is named")
    parser.add_argument("--encoder", default="builtin")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--history", action="append", help="may be repeated; all, if none is named")
    parser.add_argument("--unseen", action="store_true", help="leave out what was shown")
    asked = parser.parse_args()
    built = sessions(
        load_benchmark(f"tableaux:cir:{asked.world}:{asked.split}"), asked.seed, unseen=asked.unseen
    )
    with tempfile.TemporaryDirectory() as folder:
        bench = load_benchmark(str(write_benchmark(built, Path(folder) / "paths.jsonl")))
        lengths = [len(query.turns) for query in bench.queries]
        mean = sum(lengths) / len(lengths)
        print(f"{bench.header()}: {len(bench)} sessions, {mean:.2f} turns, seed {asked.seed}")
        print("| method | history | " + " | ".join(map(repr, MEASURES)) + " |")
        print("| --- | --- |" + " ---: |" * len(MEASURES))
        for method in asked.method or ["default"]:
            for history in asked.history or HISTORIES:
                here = Bench(bench, asked.encoder, history=history)
                row, _ = here.row(here.method(method), method, MEASURES)
                numbers = " | ".join(f"{row.measures[repr(one)]:.1f}" for one in MEASURES)
                print(f"| {method} | {history} | {numbers} |")


if __name__ == "__main__":
    main()
