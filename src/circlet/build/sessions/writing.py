"""Sessions as benchmarks: circlet's own file, with what was shown and the ranks, and CIRCLED's form."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from circlet.build.sessions.building import MadeSession, SessionPlan
from circlet.core import Benchmark
from circlet.core.files import write_text


def session_benchmark(
    benchmark: Benchmark,
    sessions: Sequence[MadeSession],
    plan: SessionPlan,
    closest: Mapping[str, float],
    **told: str,
) -> Benchmark:
    """The sessions as a benchmark over the galleries that they were built in.

    All references of a session leave its gallery, unless the plan says that they stay; notes keep the
    ranks of the building, and how alike the two most similar texts are.
    """
    cases = []
    stay = "kept-references" in plan.deviations
    for one in sessions:
        gone = one.case.exclude if stay else tuple(dict.fromkeys((*one.case.exclude, *one.pictures)))
        notes: dict[str, Any] = {"ranks": list(one.ranks), "closest": round(closest[one.id], 6)}
        if one.note is not None:
            notes["asked"] = one.note
        cases.append(
            replace(
                one.case,
                query=one.query,
                exclude=gone,
                wordings=(),
                subset=(),
                notes={**one.case.notes, **notes},
            )
        )
    longest = max((len(one.query.turns) for one in sessions), default=1)
    return replace(
        benchmark,
        name=f"{benchmark.name}-sessions",
        cases=tuple(cases),
        protocol={"reference": "kept" if stay else "removed", **plan.protocol, **told},
        measures=(
            *(f"Hits(turn={turn}) @ 10" for turn in range(1, longest + 1)),
            "FinalRecall @ 10",
            "AUC @ 10",
        ),
        extra={},
    )


def write_circled(path: Path, benchmark: Benchmark) -> Path:
    """The sessions of a benchmark in CIRCLED's public form, which `circled:FILE` reads."""
    told = [
        {
            "session_id": case.id,
            "subset": case.group or f"{benchmark.name}_{benchmark.split}",
            "ground_truth_ids": list(case.truths),
            "num_turns": len(case.query.turns),
            "turns": [
                {"turn": number, "reference_image_id": turn.picture, "relative_caption": turn.text}
                for number, turn in enumerate(case.query.turns, start=1)
            ],
        }
        for case in benchmark.cases
    ]
    return write_text(path, json.dumps(told, indent=1, ensure_ascii=False) + "\n")
