"""CIRR's pairs as dialogues: consecutive modifications within a subset, or through several (figures 6, 8)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from circlet.core import Benchmark, Case, DataError, Query, UsageError
from circlet.data.annotations import choose
from circlet.data.readers.cirr import read_cirr

OPTIONS = {"through": ("subset", "subsets")}
MEMBERS = 6
Steps = dict[int, Case]


@dataclass(frozen=True)
class SubsetShape:
    """How the pairs lie in their subsets: how many each has, and the share that closes a loop, in percent."""

    subsets: int
    pairs: float
    closed: float


def steps_of(benchmark: Benchmark) -> dict[str, Steps]:
    """By subset, the pairs that lead from one member to the next, by the rank of the reference."""
    found: dict[str, Steps] = {}
    for case in benchmark.cases:
        together = case.notes.get("img_set", {})
        steps = found.setdefault(str(together.get("id")), {})
        if together.get("target_rank") == (together.get("reference_rank", 0) + 1) % MEMBERS:
            steps[together["reference_rank"]] = case
    return found


def shape_of(benchmark: Benchmark) -> SubsetShape | None:
    """Pairs per subset and closed loops; none where the benchmark does not say its pairs' ranks."""
    if not any("target_rank" in case.notes.get("img_set", {}) for case in benchmark.cases):
        return None
    steps = steps_of(benchmark)
    closed = sum(len(each) == MEMBERS for each in steps.values())
    return SubsetShape(len(steps), len(benchmark) / len(steps), 100 * closed / len(steps))


def paths(benchmark: Benchmark, *, across: bool = False) -> Iterator[tuple[str, list[Case]]]:
    """Every longest path of two and more consecutive pairs, with its name; no picture comes twice.

    A closed loop is a path of five pairs: the sixth would lead back to the first picture. `across`
    goes on where the last picture is a member of another subset that leads further.
    """
    steps = steps_of(benchmark)
    leading: dict[str, list[tuple[Steps, int]]] = {}
    for each in steps.values():
        for rank, case in each.items():
            leading.setdefault(str(case.query.last.picture), []).append((each, rank))
    for name, each in steps.items():
        starts = [rank for rank in sorted(each) if (rank - 1) % MEMBERS not in each] or [0] * bool(each)
        for start in starts:
            seen = {str(each[start].query.last.picture)}
            path = _walk(each, start, seen)
            while across and path:
                onward = (_walk(*further, seen) for further in leading.get(str(path[-1].target), ()))
                more = next((found for found in onward if found), [])
                if not more:
                    break
                path += more
            if len(path) > 1:
                yield f"{name}.{start}", path


def _walk(steps: Steps, rank: int, seen: set[str]) -> list[Case]:
    """The pairs from this rank on, until one is missing or leads to a picture that was seen."""
    path: list[Case] = []
    while (case := steps.get(rank)) and case.target and case.target not in seen:
        seen.add(case.target)
        path.append(case)
        rank = (rank + 1) % MEMBERS
    return path


def read_dialogues(root: Path, split: str, asked: Mapping[str, str]) -> Benchmark:
    """Dialogues over CIRR's pairs: a turn for each, the last turn's target sought; `asked` sets OPTIONS."""
    chosen = choose("dialogues", asked, OPTIONS)
    pairs = read_cirr(root, split, {})
    if shape_of(pairs) is None:
        raise UsageError(
            f"CIRR does not tell the targets of {split}, so nobody knows its dialogues; take val"
        )
    cases = []
    for name, path in paths(pairs, across=chosen["through"] == "subsets"):
        turns = tuple(case.query.last for case in path)
        cases.append(
            Case(
                query=Query(name, turns),
                truths=path[-1].truths,
                exclude=tuple(str(turn.picture) for turn in turns),
                notes={"pairs": [case.id for case in path]},
            )
        )
    if not cases:
        raise DataError(f"{root}: no two pairs of {split} follow each other")
    return replace(
        pairs,
        name="dialogues",
        cases=tuple(cases),
        protocol={"reference": "removed", **chosen},
        measures=tuple(f"FinalRecall @ {k}" for k in (1, 5, 10, 50)),
        extra={},
    )
