"""What paper 000 says of its table, as checks on ours, and the page that shows both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from circlet.evaluate import RankMeasure
from circlet.evaluate.measures.parse import short
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


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Where the table is made: what is measured, the headline last, and what the paper printed for it."""

    title: str
    measures: tuple[RankMeasure, ...]
    paper_head: tuple[str, ...]
    paper: Mapping[str, Sequence[float | None]]
    human: Sequence[float | None] = ()

    @property
    def headline(self) -> str:
        """The name of what rows are compared by."""
        return repr(self.measures[-1])


CIRR_HEAD = ("paper, CIRR: R@5", "Rsub@1", "mean")
CIRR_PAPER = {row.key: [row.paper[at] for at in (1, 4, 7)] for row in ROWS if row.paper}
TABLEAUX = Setting(
    title="Composers of paper 000, trained on tableaux:cir",
    measures=MEASURES,
    paper_head=CIRR_HEAD,
    paper=CIRR_PAPER,
)


class Verdict(NamedTuple):
    """A claim, whether it holds here, and the numbers that say so."""

    claim: str
    holds: str
    evidence: str


def check(results: TableNumbers, head: str = HEAD) -> list[Verdict]:
    """Every claim that the rows at hand can answer, by this headline."""
    verdicts = []
    subsets = all(SUBSET in row for row in results.values())
    if {"cirplant", "cirplant-no-init"} <= set(results):
        rivals = tuple(key for key in NOT_PRETRAINED if key in results)
        verdicts.append(_above("pretrained CIRPLANT beats CIRPLANT without pretraining", results,
                               "cirplant", rivals, head))  # fmt: skip
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
                verdicts.append(_above(f"{label} beats {name}", results, key, there, head))
    if subsets and {"image-only", "random"} <= set(results):
        own, level = results["image-only"][SUBSET], results["random"][SUBSET].mean
        holds = "holds" if abs(own.mean - level) <= NEAR else "does not hold"
        verdicts.append(
            Verdict(
                f"image-only is near chance within subsets (± {NEAR:g})", holds, f"{own} against {level:.2f}"
            )
        )
    if subsets and {"image-only", "text-only"} <= set(results):
        verdicts.append(_above("text-only is better within subsets than image-only", results, "text-only",
                               ("image-only",), SUBSET))  # fmt: skip
    learned = {row.key for row in ROWS if row.trained} & set(results)
    if learned and "sum" in results:
        best = max(learned, key=lambda key: results[key][head].mean)
        ratio = results[best][head].mean / max(results["sum"][head].mean, 1e-9)
        evidence = f"{best} {results[best][head]} against {results['sum'][head]}: {ratio:.2f} times"
        verdicts.append(
            Verdict(
                "the best composer at least doubles the untrained weighted sum",
                "holds" if ratio >= 2 else "does not hold",
                evidence,
            )
        )
    return verdicts


def _above(claim: str, results: TableNumbers, key: str, rivals: Sequence[str], on: str) -> Verdict:
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


def page(results: TableNumbers, budget: Budget, about: Sequence[str], setting: Setting = TABLEAUX) -> str:
    """The table beside the paper's numbers and the verdicts, as Markdown."""
    names = [_HEADS.get(repr(one), short(repr(one))) for one in setting.measures]
    lines = [f"# {setting.title}", ""]
    lines += [f"- {line}" for line in about]
    seeds = "one seed" if budget.seeds == 1 else f"{budget.seeds} seeds (mean ± half the range)"
    lines += ["- rows without a ± have one seed"] if budget.seeds > 1 else []
    trained = f"{budget.epochs} epoch(s), batch {budget.batch}"
    lines += [f"- {seeds}, at most {budget.queries} training queries, {trained}"]
    usual = Recipe()
    lines += [
        f"- {usual.loss}, {usual.optimizer}, rate rising over {usual.warm:g} of the steps; negatives of a "
        f"step: {usual.negatives} of each query's subset and {usual.others} from anywhere",
        "- with soft triplets, negatives are those of the batch, and rate, warm-up and epochs are ours: the "
        "paper trains CIRPLANT at 1e-5 without warm-up, for 300 epochs, with one negative a pair",
    ]
    lines += [
        f"- {budget.layers} layers of the language model; trained long: {budget.long} epochs over all "
        f"training queries, {HIDDEN:g} of each picture hidden"
    ]
    if budget.size == "small":
        lines += [
            "- little data and little training: this shows that everything runs, not whether a claim holds"
        ]
    lines += ["", "| row | " + " | ".join([*names, *setting.paper_head]) + " |"]
    lines += ["| --- |" + " ---: |" * (len(names) + len(setting.paper_head))]
    for row in ROWS:
        if row.key not in results:
            continue
        own = [str(results[row.key][repr(one)]) for one in setting.measures]
        paper = _printed(setting.paper.get(row.key, [None] * len(setting.paper_head)))
        lines.append(f"| {row.label} | " + " | ".join([*own, *paper]) + " |")
    if setting.human:
        lines.append("| Human | " + " | ".join(["–"] * len(names) + _printed(setting.human)) + " |")
    lines += ["", "| claim | here | evidence |", "| --- | --- | --- |"]
    lines += [f"| {v.claim} | {v.holds} | {v.evidence} |" for v in check(results, setting.headline)]
    return "\n".join(lines) + "\n"


# A mean is named as the paper names it.
_HEADS = {HEAD: "(R@5 + Rsub@1)/2"}


def _printed(numbers: Sequence[float | None]) -> list[str]:
    return ["–" if value is None else f"{value:.2f}" for value in numbers]


def plain(results: TableNumbers) -> dict[str, dict[str, dict[str, float]]]:
    """The same numbers as JSON values."""

    def one(spread: Spread) -> dict[str, float]:
        return spread._asdict()

    return {key: {name: one(spread) for name, spread in row.items()} for key, row in results.items()}
