"""What models of context find, by source and phenomenon, which claims of paper 002 hold, and their page."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from circlet.core import Benchmark
from circlet.data.published import PHENOMENA
from circlet.experiments.claims import Verdict
from circlet.experiments.composers import Spread
from circlet.experiments.contexts import (
    FIRST,
    MODULES,
    ORACLE,
    READER,
    ZERO_SHOT,
    Hits,
    Lab,
    distances,
    method_hits,
    oracle_hits,
)
from circlet.models.features import FeatureStore
from circlet.train.contexts import BATCH, base_of
from circlet.train.setup import pictures_of

Numbers = dict[str, Any]
PARTS = ("all", "video", "static")
# Rows with the paper's accuracies on test (table 5): those of CLIP, and UNITER's for the single stream.
LABELS: Mapping[str, tuple[str, tuple[float, float, float] | None]] = {
    "blind": ("words and place, no pixels", None),
    "wordless": ("pixels, no words", None),
    ZERO_SHOT: ("zero-shot encoder", (22.4, 15.6, 47.8)),
    "bi-encoder": ("fine-tuned", (24.3, 17.1, 51.3)),
    BATCH: ("+ContextBatch", (28.4, 20.0, 60.0)),
    "context-module": ("+ContextModule", (27.7, 19.6, 58.4)),
    "temporal": ("+TemporalEmbeddings", (29.9, 22.0, 59.8)),
    "single-stream": ("single stream (UNITER)", (21.9, 14.4, 50.1)),
    "single-stream-batch": ("single stream +ContextBatch", (24.8, 17.4, 52.8)),
    "differences": ("+ContextBatch, difference features", None),
    READER: ("frame reader", None),
    ORACLE: ("the true graphs, read alike", None),
}
HARD = ("nuances", "visibility", "negation")


def measured(lab: Lab, tell: Callable[[str], None]) -> Numbers:
    """Everything that the page tells: hits of the test split, and what they go with."""
    test = lab.bench("test")
    hits: dict[str, list[Hits]] = {}
    for way in (*FIRST, *MODULES):
        hits[way] = [lab.hits(way, seed) for seed in lab.seeds(way)]
    tell("measured: trained models")
    features = lab.features("test")
    hits[ZERO_SHOT] = [method_hits(lab.zero_shot, test, features)]
    tell("measured: zero-shot")
    hits[READER] = [method_hits(lab.reader, test, features)]
    hits[ORACLE] = [oracle_hits(lab.reader, test, lab.world)]
    tell("measured: reader")
    below, _ = FeatureStore().features(pictures_of(test), base_of(lab.encoder))
    apart = distances(test, below)
    return summary(test, hits, apart)


def summary(test: Benchmark, hits: Mapping[str, Sequence[Hits]], apart: Hits) -> Numbers:
    """Accuracies in percent by row, source and phenomenon; correlations with length and distance."""
    films = np.array([case.in_time for case in test.cases])
    parts = {"all": films | True, "video": films, "static": ~films}
    words = np.array([len(case.query.last.text.split()) for case in test.cases], float)
    tags = {name: np.array([name in case.aspects for case in test.cases]) for name in PHENOMENA}
    video = {name: flags & films for name, flags in tags.items()}
    return {
        "rows": {
            way: {part: [100 * float(one[at].mean()) for one in seeds] for part, at in parts.items()}
            for way, seeds in hits.items()
        },
        "phenomena": {
            way: {
                name: 100 * float(np.mean([one[at].mean() for one in seeds]))
                for name, at in video.items()
                if at.any()
            }
            for way, seeds in hits.items()
        },
        "counts": {name: int(at.sum()) for name, at in video.items()},
        "pearson": {
            way: {
                "words": _pearson(np.mean(seeds, axis=0), words),
                "distance": _pearson(np.mean(seeds, axis=0), apart),
            }
            for way, seeds in hits.items()
        },
        "distance": {"video": float(apart[films].mean()), "static": float(apart[~films].mean())},
    }


def _pearson(one: Hits, two: Hits) -> float:
    """Pearson's r; 0 where one of them does not vary."""
    return float(np.corrcoef(one, two)[0, 1]) if one.std() and two.std() else 0.0


def _spread(numbers: Numbers, way: str, part: str) -> Spread:
    return Spread.of(numbers["rows"][way][part])


def _verdict(claim: str, holds: bool, evidence: str) -> Verdict:
    return Verdict(claim, "**holds**" if holds else "**does not hold**", evidence)


def check(numbers: Numbers) -> list[Verdict]:
    """Every claim with its verdict."""
    blind, zero = _spread(numbers, "blind", "video"), numbers["rows"][ZERO_SHOT]
    video, static = zero["video"][0], zero["static"][0]
    ratio = numbers["distance"]["static"] / numbers["distance"]["video"]
    order = (ZERO_SHOT, "bi-encoder", BATCH, "temporal")
    spreads = [_spread(numbers, way, "all") for way in order]
    apart = all(lower.high < upper.low for lower, upper in pairwise(spreads))
    reader, timed = _spread(numbers, READER, "video"), _spread(numbers, "temporal", "video")
    oracle = _spread(numbers, ORACLE, "video")
    trained = [way for way in (*FIRST, *MODULES) if way not in ("blind", "wordless")]
    module = f"{_spread(numbers, 'context-module', 'all')} against {_spread(numbers, BATCH, 'all')}"
    phenomena, overall = numbers["phenomena"]["temporal"], timed.mean
    lower = {name: phenomena[name] for name in HARD if name in phenomena}
    length, distance = (numbers["pearson"]["temporal"][name] for name in ("words", "distance"))
    return [
        _verdict("words and place without pixels reach at most 15 on video", blind.high <= 15, str(blind)),
        _verdict(
            "static pictures lie 1.05 to 1.3 times as far apart as frames (paper: 1.13)",
            1.05 <= ratio <= 1.3,
            f"{ratio:.2f}",
        ),
        _verdict(
            "zero-shot 12 to 22 on video and at least 40 on static pictures",
            12 <= video <= 22 and static >= 40,
            f"{video:.1f} and {static:.1f}",
        ),
        _verdict(
            "zero-shot < fine-tuned < +ContextBatch < +TemporalEmbeddings, intervals apart",
            apart,
            " < ".join(map(str, spreads)),
        ),
        _verdict(
            "+ContextModule is no better than +ContextBatch (paper: 27.7 and 28.4)",
            _spread(numbers, "context-module", "all").mean <= _spread(numbers, BATCH, "all").mean,
            module,
        ),
        _verdict(
            "every trained model finds static pictures more often than frames",
            all(_spread(numbers, way, "static").low > _spread(numbers, way, "video").high for way in trained),
            ", ".join(f"{way} {_spread(numbers, way, 'video').mean:.1f} and "
                      f"{_spread(numbers, way, 'static').mean:.1f}" for way in trained),
        ),
        _verdict(
            "the frame reader finds twice as many frames as +TemporalEmbeddings",
            reader.mean >= 2 * timed.mean,
            f"{reader} against {timed}",
        ),
        _verdict(
            "the frame reader finds .8 of what the true graphs give, heard alike",
            reader.mean >= 0.8 * oracle.mean,
            f"{reader} of {oracle}: {reader.mean / max(oracle.mean, 1e-9):.2f}",
        ),
        _verdict(
            "+TemporalEmbeddings finds less where nuances, visibility or negation are told",
            all(value < overall for value in lower.values()),
            f"{overall:.1f} of all frames; " + ", ".join(f"{name} {lower[name]:.1f}" for name in lower),
        ),
        _verdict(
            "accuracy falls with the number of words, rises with the distance of pictures (paper: -.11, .22)",
            length < 0 < distance,
            f"r = {length:+.2f} and {distance:+.2f}",
        ),
    ]  # fmt: skip


def page(numbers: Numbers, about: Sequence[str]) -> str:
    """The tables and the claims as Markdown."""
    lines = ["# The right one out of ten", "", *(f"- {line}" for line in about), ""]
    lines += ["| claim | | |", "| --- | --- | --- |"]
    lines += [f"| {claim} | {holds} | {evidence} |" for claim, holds, evidence in check(numbers)]
    lines += ["", "## Accuracy on test", "", "| | all | video | static | paper: all | video | static |"]
    lines += ["| --- |" + " ---: |" * 6]
    for way, (label, paper) in LABELS.items():
        own = [str(_spread(numbers, way, part)) for part in PARTS]
        told = [f"{value:.1f}" for value in paper] if paper else ["–"] * 3
        lines.append(f"| {label} | " + " | ".join([*own, *told]) + " |")
    names = [name for name in PHENOMENA if numbers["counts"].get(name)]
    lines += ["", "## Accuracy on frames by phenomenon", ""]
    lines += ["| | " + " | ".join(name.replace("_", " ") for name in names) + " |"]
    lines += ["| --- |" + " ---: |" * len(names)]
    lines += ["| descriptions | " + " | ".join(str(numbers["counts"][name]) for name in names) + " |"]
    for way, (label, _) in LABELS.items():
        row = numbers["phenomena"][way]
        lines.append(f"| {label} | " + " | ".join(f"{row[name]:.1f}" for name in names) + " |")
    lines += ["", "## What accuracy goes with", ""]
    lines += ["Pearson's r over the test descriptions; the paper has -.11 and .22", ""]
    lines += ["| | number of words | distance of the set's pictures |", "| --- | ---: | ---: |"]
    for way, (label, _) in LABELS.items():
        row = numbers["pearson"][way]
        lines.append(f"| {label} | {row['words']:+.2f} | {row['distance']:+.2f} |")
    return "\n".join(lines) + "\n"
