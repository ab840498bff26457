"""Aspects at paper 001's scale: untrained methods, trained composers and clauses, aspect by aspect."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from circlet.core import Method, Progress, Vectors
from circlet.core.home import room
from circlet.data.tableaux.files import Stages
from circlet.data.tableaux.tasks.clauses import LookAlikes, read_look_alikes
from circlet.data.tableaux.tasks.trials import MAKERS
from circlet.experiments.claims import Verdict
from circlet.experiments.composers import FULL, QUICK, Budget, Row, Spread
from circlet.experiments.encoder import tableaux_encoder
from circlet.models.artefacts import combined
from circlet.models.composers.balanced import Balanced
from circlet.models.learned.folder import CONFIG
from circlet.models.scorers.checked import Checked
from circlet.models.scorers.learned import load_clauses
from circlet.train.clauses import RECIPE, learned_from, open_clauses, train_clauses
from circlet.train.fit import RESUME
from circlet.train.recipe import Recipe

VERSION = "3"  # part of the cached scorer's name: change it when a training would come out otherwise
CLAUSES = "clauses-learned"

# What stands in the table; trained composers are those of `circlet reproduce composers`, over `fine`.
ROWS: tuple[Row, ...] = (
    Row(key="sum", label="Weighted sum, fine", method="sum", trained=False),
    Row(key="edits", label="Edits, fine", method="edits", trained=False),
    Row(key="default", label="Default: clauses untrained, fine", method="default", trained=False),
    Row(key="image-joint", label="Image-only, tableaux encoder", method="image", trained=False, joint=True),
    Row(key="text-joint", label="Text-only, tableaux encoder", method="text", trained=False, joint=True),
    Row(key="sum-joint", label="Weighted sum, tableaux encoder", method="sum", trained=False, joint=True),
    Row(key="slerp-joint", label="Slerp, tableaux encoder", method="slerp", trained=False, joint=True),
    Row(key="caption-joint", label="CIReVL, tableaux encoder", method="caption", trained=False, joint=True),
    Row(key="edits-joint", label="Edits, tableaux encoder", method="edits", trained=False, joint=True),
    Row(key="balanced-joint", label="Balanced, tableaux encoder", method="balanced", trained=False,
        joint=True),
    Row(key="default-joint", label="Clauses untrained, tableaux encoder", method="default", trained=False,
        joint=True),
    Row(key=CLAUSES, label="Clauses learned, tableaux encoder", joint=True, claimed=True,
        learned_clauses=True),
    Row(key="concat", label="Concatenation", model="concat", claimed=True),
    Row(key="tirg", label="TIRG", model="tirg", claimed=True),
    Row(key="combiner", label="Combiner", model="combiner", claimed=True),
    Row(key="cirplant", label="CIRPLANT (pretrained)", model="cirplant", claimed=True),
    Row(key="pic2word-joint", label="Pic2Word, tableaux encoder", model="pic2word", joint=True),
)  # fmt: skip
TRAINED = ("concat", "tirg", "combiner", "cirplant")
STANDARD = ("sum-joint", "slerp-joint", *TRAINED)
# Paper 001, table 1 of its supplement: R@1 on CIRR's validation set, negation and all.
PAPER = (("Pic2Word", 17.81, 23.25), ("Context-I2W", 20.55, 26.96), ("SPRC", 31.51, 55.39))
BUDGETS: Mapping[bool, Budget] = {False: FULL, True: QUICK}


class ClauseData(NamedTuple):
    """What a clause scorer learns from and is checked by, with the encoder's vectors of both."""

    train: LookAlikes
    validation: LookAlikes
    vectors: tuple[Vectors, Vectors]


def clause_data(
    world: Path, drawn: int, *, stages: Stages | None = None, progress: Progress | None = None
) -> ClauseData:
    """Look-alikes drawn for it, and those of the world's val split; pictures and vectors are kept."""
    encoder = tableaux_encoder(world, stages=stages)
    train, validation = learned_from(world, drawn, stages), read_look_alikes(world, "val")
    vectors = open_clauses(train, encoder, progress), open_clauses(validation, encoder, progress)
    return ClauseData(train, validation, vectors)


def clause_place(world: Path, seed: int, drawn: int) -> tuple[Path, bool]:
    """Where clauses over the world's own encoder are kept, and whether they are there, whole."""
    key = combined(tableaux_encoder(world).fingerprint, repr(_recipe(seed)), str(drawn), VERSION)
    out = room("clauses") / f"tableaux-{key}"
    return out, (out / CONFIG).exists() and not (out / RESUME).exists()


def _recipe(seed: int) -> Recipe:
    return replace(RECIPE, seed=seed)


def clause_method(world: Path, seed: int, drawn: int) -> Method:
    """Learned clauses over the world's own encoder, trained or read back from the cache."""
    encoder = tableaux_encoder(world)
    out, there = clause_place(world, seed, drawn)
    if not there:
        train_clauses(*clause_data(world, drawn), encoder, out, _recipe(seed))
    return Checked(Balanced(encoder), load_clauses(out, encoder))


Numbers = Mapping[str, Sequence[Mapping[str, float]]]


def spread(rows: Numbers, key: str, measure: str, aspect: str = "") -> Spread:
    """A row's measure over its seeds, over all aspects or within one."""
    name = f"Within({aspect!r}, {measure})" if aspect else measure
    return Spread.of([numbers[name] for numbers in rows[key]])


def check(rows: Numbers) -> list[Verdict]:
    """The claims, held against what was measured; what was not measured is not judged."""
    verdicts = []
    told = [row for row in STANDARD if row in rows]
    if told:
        hardest = {key: _hardest(rows, key) for key in told}
        failing = [key for key, aspect in hardest.items() if aspect == "negation"]
        verdicts.append(
            Verdict(
                "negation is the hardest aspect for the standard composers",
                "holds" if len(failing) == len(told) else "does not hold",
                ", ".join(f"{key}: {aspect}" for key, aspect in hardest.items()),
            )
        )
    if CLAUSES in rows:
        verdicts += _closed(rows)
    if "default-joint" in rows:
        value = spread(rows, "default-joint", "SubsetRecall @ 1", "negation").mean
        verdicts.append(_at_least("untrained clauses: negation at least 60", value, 60))
    return verdicts


def _hardest(rows: Numbers, key: str) -> str:
    return min(map(str, MAKERS), key=lambda aspect: spread(rows, key, "SubsetRecall @ 1", aspect).mean)


def _closed(rows: Numbers) -> list[Verdict]:
    by = {str(aspect): spread(rows, CLAUSES, "SubsetRecall @ 1", str(aspect)).mean for aspect in MAKERS}
    negation = by.pop("negation")
    others = sum(by.values()) / len(by)
    first = spread(rows, CLAUSES, "Recall @ 1").mean
    found = [
        _at_least("learned clauses close negation: at least 90", negation, 90),
        _at_least(f"and within five points of the other aspects' mean, {others:.1f}", negation, others - 5),
    ]
    best = max((spread(rows, key, "Recall @ 1").mean for key in TRAINED if key in rows), default=None)
    if best is not None:
        claim = f"R@1 over all aspects at least 1.5 × the best trained composer's {best:.1f}"
        found.append(_at_least(claim, first, 1.5 * best))
    return found


def _at_least(claim: str, value: float, bound: float) -> Verdict:
    return Verdict(claim, "holds" if value >= bound else "does not hold", f"{value:.1f}")


def page(rows: Numbers, about: Sequence[str]) -> str:
    """The table and the claims as Markdown."""
    names = [str(aspect) for aspect in MAKERS]
    labels = {row.key: row.label for row in ROWS}
    lines = [
        "# Aspects",
        "",
        *(f"- {line}" for line in about),
        "",
        "SubsetRecall @ 1 (chance 50), and R@1 over all",
        "",
    ]
    lines.append(f"| | {' | '.join(names)} | all | R@1 | R@5 | negation R@1 |")
    lines.append("| --- |" + " ---: |" * (len(names) + 4))
    for key in (row.key for row in ROWS if row.key in rows):
        cells = [spread(rows, key, "SubsetRecall @ 1", name) for name in names]
        cells += [spread(rows, key, measure) for measure in ("SubsetRecall @ 1", "Recall @ 1", "Recall @ 5")]
        cells.append(spread(rows, key, "Recall @ 1", "negation"))
        lines.append(f"| {labels[key]} | {' | '.join(map(str, cells))} |")
    lines += ["", "Paper 001 on CIRR's validation set, R@1: negation, all", ""]
    lines += [f"- {name}: {negation}, {every}" for name, negation, every in PAPER]
    lines += ["", "| claim | | |", "| --- | --- | --- |"]
    lines += [f"| {one.claim} | **{one.holds}** | {one.evidence} |" for one in check(rows)]
    return "\n".join(lines) + "\n"
