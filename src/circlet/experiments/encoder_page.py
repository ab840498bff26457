"""What the tableaux world's encoder is worth: its numbers, what was expected of them, and the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from circlet.core import Benchmark, PictureEncoder
from circlet.data.load import load_benchmark
from circlet.data.tableaux.tasks.facts import FACTS
from circlet.data.tableaux.tasks.trials import MAKERS
from circlet.experiments.claims import Verdict
from circlet.experiments.composers import Spread
from circlet.experiments.encoder import by_share, caption_scores, measured
from circlet.language import Aspect

METHODS = ("text", "image", "sum")
_CIR = ("Recall @ 1", "Recall @ 5", "SubsetRecall @ 1", "Mean(Recall @ 5, SubsetRecall @ 1)")
# What the plain sum has with the built-in encoder, and what the paper prints for text-only within subsets.
_SUM, _TEXT = 37.85, 38.0
# The picture's shares of the sum that the hardest aspect is tried with, from none to all.
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
SEVERAL = Aspect.STATEMENT_WITH_CONJUNCTION

_LABELS = {"encoder": "tableaux encoder", "shuffled": "the same, captions shuffled"}


@dataclass(frozen=True)
class Probes:
    """What an encoder is measured on, all of the test split (or of val, to choose by)."""

    world: Path
    split: str
    facts: Benchmark
    aspects: Benchmark

    def numbers(self, encoder: PictureEncoder) -> dict[str, float]:
        """Everything measured of one encoder, by name."""
        captions = caption_scores(encoder, self.world, self.split)
        made = {f"caption {name}": value for name, value in captions._asdict().items()}
        facts = measured(encoder, self.facts, "text").values()
        made |= {f"fact {fact}": value for fact, value in zip(FACTS, facts, strict=True)}
        cir = load_benchmark(f"tableaux:cir:{self.world}:{self.split}")
        for method in METHODS:
            values = measured(encoder, cir, method, _CIR).values()
            made |= {f"cir {method} {name}": value for name, value in zip(_CIR, values, strict=True)}
        names = [f"Within('{aspect}', SubsetRecall @ 1)" for aspect in MAKERS]
        for method in ("sum", "text"):
            values = measured(encoder, self.aspects, method, names).values()
            made |= {f"aspect {method} {name}": value for name, value in zip(MAKERS, values, strict=True)}
        shares = by_share(encoder, self.aspects, SEVERAL, SHARES)
        return made | {f"several {share}": value for share, value in shares.items()}


Rows = Mapping[str, Sequence[Mapping[str, float]]]


def check(rows: Rows) -> list[Verdict]:
    """What was expected of the encoder, held against its numbers."""
    if "encoder" not in rows:
        return []
    mean = {name: _spread(rows["encoder"], name).mean for name in rows["encoder"][0]}
    aspects = {str(aspect): mean[f"aspect sum {aspect}"] for aspect in MAKERS}
    facts = {fact: mean[f"fact {fact}"] for fact in FACTS}
    weakest = min(facts, key=lambda fact: facts[fact])
    hardest = min((aspect for aspect in aspects if aspect != "negation"), key=lambda aspect: aspects[aspect])
    shares = {share: mean[f"several {share}"] for share in SHARES}
    best = max(SHARES, key=lambda share: shares[share])
    text, sums = mean["cir text SubsetRecall @ 1"], mean[f"cir sum {_CIR[-1]}"]
    tried = [
        ("a caption finds its picture first, R@1 at least 60", mean["caption first"], 60.0, 1),
        ("a caption finds its picture, R@10 at least 98", mean["caption ten"], 98.0, 1),
        (f"every fact is told apart, at least 85; the weakest is {weakest}", facts[weakest], 85.0, 1),
        ("words alone within subsets as in the paper, at least 38", text, _TEXT, 1),
        ("the plain sum is above the built-in encoder's 37.85", sums, _SUM, 1),
        (f"every aspect but negation at least 70; the weakest is {hardest}", aspects[hardest], 70.0, 1),
        (
            f"several changes at some share of the picture, at least 70; the best is {best:g}",
            shares[best],
            70,
            1,
        ),
        ("the plain sum fails at negation, at most 20", aspects["negation"], 20.0, -1),
    ]
    verdicts = [
        Verdict(claim, "holds" if sign * value >= sign * bound else "does not hold", f"{value:.1f}")
        for claim, value, bound, sign in tried
    ]
    if {"shuffled", "builtin"} <= set(rows):
        # The encoder is mixed with its base, so whoever learned nothing still finds what the base finds.
        blind, base = (rows[name][0]["caption ten"] for name in ("shuffled", "builtin"))
        holds = "holds" if blind <= base else "does not hold"
        evidence = f"R@10 {blind:.1f} against {base:.1f}"
        verdicts.append(Verdict("from shuffled captions nothing is learned beyond the base", holds, evidence))
    return verdicts


def page(rows: Rows, about: Sequence[str]) -> str:
    """Tables by encoder and the verdicts, as Markdown."""
    lines = ["# The tableaux world's own encoder", "", *(f"- {line}" for line in about)]
    tables: tuple[tuple[str, Mapping[str, str]], ...] = (
        (
            "Caption to picture",
            {"R@1": "caption first", "R@5": "caption five", "R@10": "caption ten"},
        ),
        ("Caption against the picture that differs in one fact", {fact: f"fact {fact}" for fact in FACTS}),
        *(
            (
                f"tableaux:cir, {method}, untrained",
                dict(zip(("R@1", "R@5", "Rsub@1", "(R@5 + Rsub@1)/2"),
                         (f"cir {method} {name}" for name in _CIR), strict=True)),
            )
            for method in METHODS
        ),
        *(
            (
                f"tableaux:aspects, {name}: target against hard negative",
                {str(aspect): f"aspect {method} {aspect}" for aspect in MAKERS},
            )
            for method, name in (("sum", "plain sum"), ("text", "words alone"))
        ),
        (
            f"tableaux:aspects, {SEVERAL} by the picture's share of the sum",
            {f"{share:g}": f"several {share}" for share in SHARES},
        ),
    )  # fmt: skip
    for title, columns in tables:
        lines += ["", f"## {title}", "| encoder | " + " | ".join(columns) + " |"]
        lines += ["| --- |" + " ---: |" * len(columns)]
        for name, seeds in rows.items():
            values = [_short(_spread(seeds, key)) for key in columns.values()]
            lines.append(f"| {_LABELS.get(name, name)} | " + " | ".join(values) + " |")
    lines += ["", "| expected | here | evidence |", "| --- | --- | --- |"]
    lines += [f"| {one.claim} | {one.holds} | {one.evidence} |" for one in check(rows)]
    return "\n".join(lines) + "\n"


def _spread(seeds: Sequence[Mapping[str, float]], name: str) -> Spread:
    return Spread.of([numbers[name] for numbers in seeds])


def _short(spread: Spread) -> str:
    half = (spread.high - spread.low) / 2
    return f"{spread.mean:.1f}" + (f" ± {half:.1f}" if half else "")
