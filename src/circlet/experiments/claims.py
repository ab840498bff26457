"""What paper 000 says of its table, as checks on ours, and the page that shows both."""

from collections.abc import Sequence
from typing import NamedTuple

from circlet.experiments.composers import HEADLINE, HIDDEN, MEASURES, ROWS, Budget, Spread, TableNumbers
from circlet.train.recipe import Recipe

HEAD, SUBSET = repr(HEADLINE), "SubsetRecall @ 1"
NOT_PRETRAINED = ("cirplant-no-init", "cirplant-no-init-fast")
RIVALS = ("tirg", "tirg-lastconv", "maaf", "maaf-it", "maaf-rp", "concat")
# Its words are pretrained, so it stands apart from the rivals whose words are not.
WORDED = ("maaf-bert",)
ALONE = ("image-only", "text-only", "random-image")
# How far from chance, in points, still counts as near it; the paper's own image-only row is 0.93 away.
NEAR = 3.0


class Verdict(NamedTuple):
    """A claim, whether it holds here, and the numbers that say so."""

    claim: str
    holds: str
    evidence: str


def check(results: TableNumbers) -> list[Verdict]:
    """Every claim that the rows at hand can answer."""
    verdicts = []
    if {"cirplant", "cirplant-no-init"} <= set(results):
        rivals = tuple(key for key in NOT_PRETRAINED if key in results)
        verdicts.append(_above("pretrained CIRPLANT beats CIRPLANT without pretraining", results,
                               "cirplant", rivals))  # fmt: skip
    for key, label in (
        ("cirplant", "pretrained CIRPLANT"),
        ("cirplant-no-init", "CIRPLANT without pretraining"),
    ):
        for rivals, name in (
            (RIVALS, "TIRG, MAAF and concatenation"),
            (WORDED, "MAAF with pretrained words"),
            (ALONE, "the one-modality baselines"),
        ):
            there = tuple(rival for rival in rivals if rival in results)
            if key in results and there:
                verdicts.append(_above(f"{label} beats {name}", results, key, there))
    if {"image-only", "random"} <= set(results):
        own, level = results["image-only"][SUBSET], results["random"][SUBSET].mean
        holds = "holds" if abs(own.mean - level) <= NEAR else "does not hold"
        verdicts.append(
            Verdict(
                f"image-only is near chance within subsets (± {NEAR:g})", holds, f"{own} against {level:.2f}"
            )
        )
    if {"image-only", "text-only"} <= set(results):
        verdicts.append(_above("text-only is better within subsets than image-only", results, "text-only",
                               ("image-only",), SUBSET))  # fmt: skip
    learned = {row.key for row in ROWS if row.trained} & set(results)
    if learned and "sum" in results:
        best = max(learned, key=lambda key: results[key][HEAD].mean)
        ratio = results[best][HEAD].mean / results["sum"][HEAD].mean
        evidence = f"{best} {results[best][HEAD]} against {results['sum'][HEAD]}: {ratio:.2f} times"
        verdicts.append(
            Verdict(
                "the best composer at least doubles the untrained weighted sum",
                "holds" if ratio >= 2 else "does not hold",
                evidence,
            )
        )
    return verdicts


def _above(claim: str, results: TableNumbers, key: str, rivals: Sequence[str], on: str = HEAD) -> Verdict:
    """Whether a row lies above its rivals: by intervals that do not overlap, by the mean only, or not."""
    own = results[key][on]
    best = max(rivals, key=lambda rival: results[rival][on].mean)
    highest = max(results[rival][on].high for rival in rivals)
    if own.low > highest:
        holds = "holds"
    elif own.mean > results[best][on].mean:
        holds = "holds for the mean; the intervals overlap"
    else:
        holds = "does not hold"
    return Verdict(claim, holds, f"{own} against {best} {results[best][on]} ({on})")


def page(results: TableNumbers, budget: Budget, about: Sequence[str]) -> str:
    """The table beside the paper's numbers and the verdicts, as Markdown."""
    names = [repr(one) for one in MEASURES[:-1]] + ["(R@5 + Rsub@1)/2"]
    short = [name.replace("SubsetRecall @ ", "Rsub@").replace("Recall @ ", "R@") for name in names]
    lines = ["# Composers of paper 000, trained on tableaux:cir", ""]
    lines += [f"- {line}" for line in about]
    seeds = "one seed" if budget.seeds == 1 else f"{budget.seeds} seeds (mean ± half the range)"
    lines += ["- rows without a ± have one seed"] if budget.seeds > 1 else []
    lines += [f"- {seeds}, {budget.queries} training queries, {budget.epochs} epoch(s), batch {budget.batch}"]
    usual = Recipe()
    lines += [
        f"- {usual.loss}, {usual.optimizer}, rate rising over {usual.warm:g} of the steps; negatives of a "
        f"step: {usual.negatives} of each query's subset and {usual.others} from anywhere"
    ]
    lines += [
        f"- {budget.layers} layers of the language model; trained long: {budget.long} epochs over all "
        f"training queries, {HIDDEN:g} of each picture hidden"
    ]
    if budget.size == "small":
        lines += [
            "- a small world and little training: this shows that everything runs, not whether a claim holds"
        ]
    lines += ["", "| row | " + " | ".join(short) + " | paper, CIRR: R@5 | Rsub@1 | mean |"]
    lines += ["| --- |" + " ---: |" * (len(short) + 3)]
    for row in ROWS:
        if row.key not in results:
            continue
        own = [str(results[row.key][repr(one)]) for one in MEASURES]
        paper = [f"{row.paper[at]:.2f}" for at in (1, 4, 7)] if row.paper else ["–"] * 3
        lines.append(f"| {row.label} | " + " | ".join([*own, *paper]) + " |")
    lines += ["", "| claim | here | evidence |", "| --- | --- | --- |"]
    lines += [f"| {v.claim} | {v.holds} | {v.evidence} |" for v in check(results)]
    return "\n".join(lines) + "\n"


def plain(results: TableNumbers) -> dict[str, dict[str, dict[str, float]]]:
    """The same numbers as JSON values."""

    def one(spread: Spread) -> dict[str, float]:
        return spread._asdict()

    return {key: {name: one(spread) for name, spread in row.items()} for key, row in results.items()}
