"""Table 3 of paper 000 from real annotations: CIRR or FashionIQ, where their pictures are there."""

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from circlet.core import Benchmark, Case, DataError, UsageError
from circlet.data.load import load_split, parse_name
from circlet.evaluate import MAP, ByGroup, RankMeasure
from circlet.evaluate.result import default_measures
from circlet.experiments.claims import CIRR_HEAD, CIRR_PAPER, Setting
from circlet.experiments.composers import sample
from circlet.train.setup import pictures_of

# At most this share of the training queries chooses the epoch.
HELD_OUT = 0.2
# Of people within CIRR's subsets, as the paper prints it: R@5, Rsub@1, mean.
HUMAN = (None, 86.09, None)
# The paper's table 4: mean R@10, mean R@50 and the mean of both; TIRG as its row 7 has it.
FASHIONIQ_PAPER: dict[str, tuple[float, ...]] = {
    "image-only": (4.28, 14.20, 9.15),
    "concat": (11.77, 31.33, 21.55),
    "tirg": (17.40, 37.39, 27.40),
    "mrn": (15.44, 34.28, 24.86),
    "film": (15.52, 35.04, 25.28),
    "relationship": (18.29, 40.49, 29.39),
    "val": (24.15, 46.61, 35.40),
    "maaf": (24.3, 48.8, 36.6),
    "cirplant-no-init": (14.82, 35.52, 25.17),
    "cirplant": (18.87, 41.53, 30.20),
}


class Splits(NamedTuple):
    """What is trained on, what chooses the epoch, and what is measured."""

    train: Benchmark
    validation: Benchmark
    test: Benchmark


def real_splits(data: str, validation: int) -> Splits:
    """The splits of `cirr:ROOT` or `fashioniq:ROOT`; a picture that is missing is an error that names it.

    The test splits of both say no truths, so val is what is measured, and nothing else looks at it:
    the last sets of train (for FashionIQ, the pairs of its last references) choose the epoch.
    """
    asked = parse_name(data)
    if asked.scheme not in ("cirr", "fashioniq") or asked.split:
        raise UsageError(f"--data {data}: write cirr:ROOT or fashioniq:ROOT, without a split")
    train, test = load_split(data, "train"), load_split(data, "val")
    files = pictures_of(train, test)
    lost = [id for id, path in files.items() if not path.is_file()]
    if lost:
        raise DataError(
            f"{data}: {len(lost):,} of {len(files):,} pictures are missing, the first of them {lost[0]} "
            f"({files[lost[0]]}); put them there, or leave --data out"
        )
    kept, held = _held_out(train, min(validation, int(HELD_OUT * len(train))))
    return Splits(kept, held, test)


def _held_out(train: Benchmark, amount: int) -> tuple[Benchmark, Benchmark]:
    """Train without the last families of each group, and these: whole ones that reach the amount."""
    groups = {case.group: Counter[str]() for case in train.cases}
    for case in train.cases:
        groups[case.group][_family(case)] += 1
    chosen: set[str] = set()
    for families in groups.values():
        held = 0
        for family, size in reversed(families.items()):
            if held * len(groups) >= amount:
                break
            held += size
            chosen.add(family)
    # A family may be of several groups.
    apart = {case.id for case in train.cases if _family(case) in chosen}
    if not apart or len(apart) == len(train):
        raise DataError(f"{train.name}: {len(train)} training queries are too few to choose an epoch by some")
    rest = replace(train, cases=tuple(case for case in train.cases if case.id not in apart))
    few = replace(train, cases=tuple(case for case in train.cases if case.id in apart))
    return rest, sample(few, len(few))


def _family(case: Case) -> str:
    """Queries that share pictures: CIRR's sets; elsewhere those of one reference."""
    together = case.notes.get("img_set", {})
    return str(together.get("id", case.query.pictures[:1]))


def real_setting(test: Benchmark) -> Setting:
    """What is measured there, mAP included, and what the paper printed for it."""
    *measures, headline = (one for one in default_measures(test) if isinstance(one, RankMeasure))
    if test.name == "cirr":
        return Setting(
            title="Composers of paper 000, trained on CIRR",
            measures=(*measures, MAP, headline),
            paper_head=CIRR_HEAD,
            paper=CIRR_PAPER,
            human=HUMAN,
        )
    return Setting(
        title="Composers of paper 000, trained on FashionIQ",
        measures=(*measures, ByGroup(MAP), headline),
        paper_head=("paper, FashionIQ: R@10", "R@50", "mean"),
        paper=FASHIONIQ_PAPER,
    )
