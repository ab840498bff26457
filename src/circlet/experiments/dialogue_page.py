"""What the dialogue experiment found, as Markdown: tables, and the papers' claims held against them."""

from collections.abc import Mapping, Sequence

import numpy as np

from circlet.evaluate.compare import interval
from circlet.experiments.claims import Verdict
from circlet.experiments.composers import Spread
from circlet.experiments.dialogue import (
    BASES,
    PAPER_HISTORIES,
    PICKERS,
    RIVALS,
    TOP,
    TURN,
    Cell,
    DialogueBudget,
    baselines,
    paired,
    reached,
    rounded,
)
from circlet.experiments.rounds import ROUNDS

Cells = Mapping[str, Cell]


def page(cells: Cells, budget: DialogueBudget, about: Sequence[str]) -> str:
    """The tables and the verdicts."""
    lines = [
        "# Several turns in the tableaux world: papers 003 and 001",
        "",
        *(f"- {line}" for line in about),
    ]
    lines += [
        "",
        f"## Histories, by how the user picks: found by turn {TURN}, of those not found at turn 1",
        "",
    ]
    lines += _table(
        ["encoder", "user picks", *RIVALS, "belief − feedback", "95 % interval"],
        [_pickers(cells, budget, encoder, picks) for encoder in budget.encoders for picks in PICKERS]
        + [_hidden(cells, budget, encoder) for encoder in budget.encoders],
    )
    lines += [
        "",
        "Brier score of the belief after turn 1 and after turn 3 (1 knows nothing, 0 is sure and right):",
        "",
    ]
    lines += _table(
        ["encoder", "turn 1", f"turn {TURN}"], [_brier(cells, budget, one) for one in budget.encoders]
    )
    lines += [
        "",
        "## Rounds of paper 001: the user looks at the first result only, and all may come back",
        "",
    ]
    names = [f"R@1 round {turn}" for turn in ROUNDS] + [f"R@10 round {turn}" for turn in ROUNDS]
    names += [f"Rsub@1 round {turn}" for turn in ROUNDS]
    lines += _table(
        ["encoder", "method", "history", *names],
        [
            [
                encoder,
                method,
                history,
                *(str(_seeds(cells, budget, f"rounds-{method}-{history}-{encoder}", n)) for n in names),
            ]
            for encoder in budget.encoders
            for method, history in rounded(encoder)
        ],
    )
    lines += ["", "## Sessions built, and what the filters took (paper 003, table 3)", ""]
    head = list(_first(cells, "built-")["report"]) if any(name.startswith("built-") for name in cells) else []
    lines += _table(
        ["encoder", "base", "seed", *head],
        [
            [encoder, base, str(seed), *map(str, cells[f"built-{base}-{encoder}-{seed}"]["report"].values())]
            for encoder in budget.builders
            for base in BASES
            for seed in range(budget.seeds)
        ],
    )
    lines += ["", "## Baselines on built sessions: Final Recall@10 / AUC, mean of the seeds", ""]
    ways = [(base, history) for base in BASES for history in PAPER_HISTORIES]
    lines += _table(
        ["encoder", "method", *(f"{base}: {history}" for base, history in ways)],
        [
            [
                encoder,
                method,
                *(
                    _built(cells, budget, f"{base}-{encoder}", f"{method} {history}")
                    for base, history in ways
                ),
            ]
            for encoder in budget.builders
            for method in baselines(encoder)
        ],
    )
    lines += ["", "## Claims", "", "| claim | here | evidence |", "| --- | --- | --- |"]
    lines += [f"| {one.claim} | {one.holds} | {one.evidence} |" for one in check(cells, budget)]
    return "\n".join(lines) + "\n"


def check(cells: Cells, budget: DialogueBudget) -> list[Verdict]:
    """What the papers and the belief promise, held against the numbers."""
    verdicts = []
    for encoder in budget.encoders:
        for picks in PICKERS:
            gain, low, high = _gain(cells, budget, f"picks-{picks}", encoder)
            verdicts.append(Verdict(
                f"the belief is 10 points above the paper's rule by turn {TURN} ({encoder}, {picks})",
                _holds(gain >= 10 and low > 0) if gain >= 10 or low <= 0 else "above it, by less than 10",
                f"{gain:+.1f} ({low:+.1f} to {high:+.1f})",
            ))  # fmt: skip
    for encoder in budget.encoders:
        for method, history in rounded(encoder):
            told = [
                _seeds(cells, budget, f"rounds-{method}-{history}-{encoder}", f"R@1 round {turn}")
                for turn in ROUNDS
            ]
            rising = told[0].mean < told[1].mean < told[2].mean
            verdicts.append(Verdict(
                f"rounds 1, 3, 5 raise the last turn's R@1 ({encoder}, {method}, {history})",
                "holds" if rising else "does not hold", " → ".join(map(str, told)),
            ))  # fmt: skip
    for encoder in budget.builders:
        verdicts += _of_sessions(cells, budget, encoder)
    return verdicts


def _of_sessions(cells: Cells, budget: DialogueBudget, encoder: str) -> list[Verdict]:
    by = {base: f"{base}-{encoder}" for base in BASES}
    built = [cells[f"built-{base}-{seed}"] for base in by.values() for seed in range(budget.seeds)]
    counts = [one["sound"] for one in built]
    total = sum(one["sessions"] for one in counts)
    kept = all(one["sessions"] == one["consistent"] == one["diverse"] for one in counts)
    text, rank = (sum(one["report"][name] for one in built) for name in ("Δ Text", "Δ Rank"))
    verdicts = [
        Verdict(
            f"every built session is ε-consistent and τ-diverse ({encoder})",
            _holds(kept),
            f"{total} sessions",
        ),
        Verdict(
            f"the text filter takes more than the rank filter ({encoder})",
            _holds(text > rank),
            f"{text} against {rank}",
        ),
    ]
    for base in by.values():
        for method in baselines(encoder):
            final = {
                h: _mean(cells, budget, base, f"{method} {h}", "FinalRecall @ 10") for h in PAPER_HISTORIES
            }
            best = "latest" if method == "image" else "weighted"
            verdicts.append(Verdict(
                f"{best.capitalize()} is the best history for {method} (sessions by {base})",
                _holds(final[best] >= max(final.values())),
                ", ".join(f"{h} {v:.1f}" for h, v in final.items()),
            ))  # fmt: skip
        words, looks = (
            max(_mean(cells, budget, base, f"{m} {h}", "FinalRecall @ 10") for h in PAPER_HISTORIES)
            for m in ("text", "image")
        )
        verdicts.append(Verdict(
            f"text-only is better than image-only over turns (sessions by {base})",
            _holds(words > looks), f"{words:.1f} against {looks:.1f}",
        ))  # fmt: skip
    own = [
        [
            max(_mean(cells, budget, base, f"{m} {h}", "FinalRecall @ 10") for h in PAPER_HISTORIES)
            for m in ("sum", "caption")
        ]
        for base in by.values()
    ]
    favoured = own[1][1] - own[0][1] > own[1][0] - own[0][0]
    verdicts.append(Verdict(
        f"sessions favour the base they were built with ({encoder})", _holds(favoured),
        f"caption gains {own[1][1] - own[0][1]:+.1f} on its own sessions, sum {own[1][0] - own[0][0]:+.1f}",
    ))  # fmt: skip
    return verdicts


def _holds(flag: bool) -> str:
    return "holds" if flag else "does not hold"


def _gain(cells: Cells, budget: DialogueBudget, kind: str, encoder: str) -> tuple[float, float, float]:
    """By how many points the belief is above the paper's rule, and the interval over all queries."""
    pairs = [
        (f"{kind}-feedback-{encoder}-{seed}", f"{kind}-belief-{encoder}-{seed}")
        for seed in range(budget.seeds)
    ]
    moved = 100 * paired(cells, pairs)
    low, high = interval(moved)
    return float(np.mean(moved)), low, high


def _pickers(cells: Cells, budget: DialogueBudget, encoder: str, picks: str) -> list[str]:
    found = [
        str(
            Spread.of(
                [reached(cells[f"picks-{picks}-{history}-{encoder}-{seed}"]) for seed in range(budget.seeds)]
            )
        )
        for history in RIVALS
    ]
    gain, low, high = _gain(cells, budget, f"picks-{picks}", encoder)
    return [encoder, picks, *found, f"{gain:+.1f}", f"{low:+.1f} to {high:+.1f}"]


def _hidden(cells: Cells, budget: DialogueBudget, encoder: str) -> list[str]:
    found = {
        history: str(
            Spread.of([reached(cells[f"hidden-best-{history}-{encoder}-{s}"]) for s in range(budget.seeds)])
        )
        for history in ("feedback", "belief")
    }
    gain, low, high = _gain(cells, budget, "hidden-best", encoder)
    row = [found["feedback"], "–", found["belief"], f"{gain:+.1f}", f"{low:+.1f} to {high:+.1f}"]
    return [encoder, "best, nothing shown comes back", *row]


def _brier(cells: Cells, budget: DialogueBudget, encoder: str) -> list[str]:
    told = np.array([cells[f"picks-best-belief-{encoder}-{seed}"]["brier"] for seed in range(budget.seeds)])
    return [encoder, *(f"{value:.3f}" for value in told.mean(axis=0))]


def _seeds(cells: Cells, budget: DialogueBudget, name: str, value: str) -> Spread:
    return Spread.of([cells[f"{name}-{seed}"][value] for seed in range(budget.seeds)])


def _mean(cells: Cells, budget: DialogueBudget, base: str, row: str, measure: str) -> float:
    return float(np.mean([cells[f"built-{base}-{seed}"][row][measure] for seed in range(budget.seeds)]))


def _built(cells: Cells, budget: DialogueBudget, base: str, row: str) -> str:
    return " / ".join(
        f"{_mean(cells, budget, base, row, one):.1f}" for one in ("FinalRecall @ 10", "AUC @ 10")
    )


def _first(cells: Cells, start: str) -> Cell:
    return next(cell for name, cell in cells.items() if name.startswith(start))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def found_at(cells: Cells, budget: DialogueBudget) -> str:
    """How many queries the comparison of histories stands on."""
    tried, failed = 0, {}
    for encoder in budget.encoders:
        first = [cells[f"picks-best-belief-{encoder}-{seed}"]["first"] for seed in range(budget.seeds)]
        ranks = np.concatenate([np.array(one) for one in first])
        tried, failed[encoder] = len(ranks), np.count_nonzero(ranks > TOP)
    listed = ", ".join(f"{count:,} with {encoder}" for encoder, count in failed.items())
    return f"{tried:,} sessions; the target is not found at turn 1 in {listed}"
