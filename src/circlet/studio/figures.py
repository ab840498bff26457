"""The report's numbers: how much, how fast, how well people agree; beside what the papers print."""

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median

from circlet.core import Benchmark, DataError, Query, Turn, cases_of
from circlet.data.analysis import Stats, stats
from circlet.data.published import Beside, beside
from circlet.data.tables import SPLITS
from circlet.evaluate import Krippendorff
from circlet.studio.desk import Desk
from circlet.studio.items import Answer
from circlet.studio.quality import by_answer, flags
from circlet.studio.tasks import TASKS
from circlet.studio.tasks.modify import MARKS
from circlet.studio.validation import validation

# A longer pause between two answers of a person is no work.
_PAUSE = 600.0
# The papers' figures: paper 000 (tables 3 and 6, appendix D), 002 (table 3, section 3.3), 004 (table 3).
PUBLISHED = {
    "human Rsub@1": (86.09, "CIRR, table 3"),
    "pairs with question 1": (67.65, "CIRR, table 6"),
    "pairs with question 2": (68.15, "CIRR, table 6"),
    "pairs with question 3": (48.02, "CIRR, table 6"),
    "pairs with question 4": (59.69, "CIRR, table 6"),
    "acceptance": (90.0, "CIRR: “over 90 %” of whitelisted people"),
    "accuracy in find, kept, val": (90.9, "ImageCoDe, table 3"),
    "accuracy in find, kept, test": (90.8, "ImageCoDe, table 3"),
    "α (nominal) in find, kept, val": (0.797, "ImageCoDe, table 3"),
    "α (nominal) in find, kept, test": (0.795, "ImageCoDe, table 3"),
    "α (interval) in find, kept, val": (0.872, "ImageCoDe, table 3"),
    "α (interval) in find, kept, test": (0.869, "ImageCoDe, table 3"),
    "descriptions left out": (26.5, "ImageCoDe, section 3.3"),
    "queries called invalid": (100 * 307 / 3050, "HS-FashionIQ, table 1"),
}


@dataclass(frozen=True)
class TaskFigures:
    """What is to be said of one task."""

    task: str
    answers: int
    wanted: int
    people: int
    seconds: float
    an_hour: float
    flagged: float
    accepted: float | None


@dataclass(frozen=True)
class PersonFigures:
    """What is to be said of one person's answers."""

    person: str
    answers: int
    flagged: int
    accepted: int
    rejected: int
    barred: bool

    @property
    def acceptance(self) -> float | None:
        """Accepted of those that were looked at, in percent."""
        looked = self.accepted + self.rejected
        return 100 * self.accepted / looked if looked else None


@dataclass(frozen=True)
class Figures:
    """The whole report: `values` are single numbers by name, `words` the statistics of what was written."""

    title: str
    at: float
    tasks: tuple[TaskFigures, ...]
    people: tuple[PersonFigures, ...]
    values: dict[str, float]
    rules: dict[str, int]
    words: Stats | None
    beside: tuple[Beside, ...] = ()


def figures(desk: Desk) -> Figures:
    """Every number of the report, from the answers as they are now."""
    answers = desk.store.answers()
    flagged = by_answer(flags(answers))
    reviews = desk.store.reviews()
    tasks = []
    for progress in desk.progress():
        of_task = [one for one in answers if one.item.task == progress.task]
        looked = [reviews[one.number][0] for one in of_task if one.number in reviews]
        tasks.append(
            TaskFigures(
                progress.task,
                progress.have,
                progress.wanted,
                len({one.person for one in of_task}),
                median([one.seconds for one in of_task]) if of_task else 0.0,
                _an_hour(of_task),
                100 * sum(one.number in flagged for one in of_task) / max(1, len(of_task)),
                100 * looked.count("accepted") / len(looked) if looked else None,
            )
        )
    rules = Counter(rule for found in flagged.values() for rule in found)
    return Figures(
        desk.project.title,
        time.time(),
        tuple(tasks),
        tuple(people_figures(desk, answers)),
        _values(desk, answers, [verdict for verdict, _ in reviews.values()]),
        dict(rules.most_common()),
        *_words(desk, answers),
    )


def people_figures(desk: Desk, answers: Sequence[Answer]) -> list[PersonFigures]:
    """Everybody who answered anything, and how their answers were found."""
    flagged = by_answer(flags(answers))
    reviews = desk.store.reviews()
    listed = []
    for person, barred in desk.store.people().items():
        theirs = [one for one in answers if one.person == person]
        verdicts = Counter(reviews[one.number][0] for one in theirs if one.number in reviews)
        if theirs:
            listed.append(
                PersonFigures(
                    person,
                    len(theirs),
                    sum(one.number in flagged for one in theirs),
                    verdicts["accepted"],
                    verdicts["rejected"],
                    barred,
                )
            )
    return listed


def _an_hour(answers: Sequence[Answer]) -> float:
    """Answers of a person in an hour of work, pauses left out."""
    times: dict[str, list[float]] = defaultdict(list)
    for one in answers:
        times[one.person].append(one.at)
    spent = [late - early for each in times.values() for early, late in pairwise(sorted(each))]
    worked = [gap for gap in spent if gap <= _PAUSE]
    return 3600 * len(worked) / sum(worked) if sum(worked) else 0.0


def accuracy(answers: Sequence[Answer]) -> float:
    """How many of these answers are right, in percent; not a number where none can be."""
    right = [TASKS[one.item.task].right(one.item, one.answer) for one in answers]
    told = [each for each in right if each is not None]
    return 100 * sum(told) / len(told) if told else float("nan")


def agreement(answers: Sequence[Answer], *, level: str = "nominal") -> float:
    """Krippendorff's α over what people chose: a row a person, a column an item."""
    values = [TASKS[one.item.task].choice(one.answer) for one in answers]
    names = {value: number for number, value in enumerate(sorted({str(value) for value in values}))}
    units: dict[int, dict[str, float]] = defaultdict(dict)
    for one, value in zip(answers, values, strict=True):
        told = value if isinstance(value, float) else float(names[str(value)])
        units[one.item.number][one.person] = told
    return Krippendorff(level=level).of(list(units.values()))


def _values(desk: Desk, answers: Sequence[Answer], verdicts: Sequence[str]) -> dict[str, float]:
    counted = [one for one in answers if one.counts and not one.item.known]
    by_task: dict[str, list[Answer]] = defaultdict(list)
    for one in counted:
        by_task[one.item.task].append(one)
    found: dict[str, float] = {}
    if by_task["retrieve"]:
        found["human Rsub@1"] = accuracy(by_task["retrieve"])
        _agree(found, "α (nominal) in retrieve", by_task["retrieve"], "nominal")
    for split in SPLITS:
        of_split = [one for one in by_task["find"] if one.item.split == split]
        if of_split:
            found[f"accuracy in find, {split}"] = accuracy(of_split)
            _agree(found, f"α (nominal) in find, {split}", of_split, "nominal")
            _agree(found, f"α (interval) in find, {split}", of_split, "interval")
    if by_task["find"]:
        found |= _validated(desk)
    if by_task["modify"]:
        marks = Counter(one.answer.get("mark", "") for one in by_task["modify"])
        for mark in MARKS:
            found[f"pairs marked “{mark}”"] = 100 * marks[mark] / len(by_task["modify"])
    for question in "0123" if by_task["extend"] else "":
        told = [not one.answer[question].startswith("[c") for one in by_task["extend"]]
        found[f"pairs with question {int(question) + 1}"] = 100 * fmean(told)
    if judged := by_task["compare"]:
        found["queries called invalid"] = 100 * fmean(not one.answer["valid"] for one in judged)
        found["mean score"] = fmean(score for one in judged for score in one.answer["scores"])
        higher = [one.answer for one in judged if one.answer["scores"][0] != one.answer["scores"][1]]
        if higher:
            found["preferred set has the higher score"] = 100 * fmean(
                (said["scores"][0] > said["scores"][1]) == (said["preferred"] == 1) for said in higher
            )
        _agree(found, "α (nominal) in compare", judged, "nominal")
    if checked := by_task["verify"]:
        each = Counter(one.answer["verdict"] for one in checked)
        for verdict, name in (("accept", "accepted"), ("fix", "corrected"), ("reject", "rejected")):
            found[f"cases {name}"] = 100 * each[verdict] / len(checked)
    if searched := by_task["study"]:
        found["targets found"] = 100 * fmean(one.answer["found"] for one in searched)
        found["rounds a search"] = fmean(len(one.answer["turns"]) for one in searched)
        texts = [turn["text"] for one in searched for turn in one.answer["turns"] if turn.get("text")]
        found["words a round"] = fmean(len(text.split()) for text in texts) if texts else 0.0
    if verdicts:
        found["acceptance"] = 100 * fmean(verdict == "accepted" for verdict in verdicts)
    return found


def _agree(found: dict[str, float], name: str, answers: Sequence[Answer], level: str) -> None:
    """Put the agreement in, where there is something to agree about."""
    several = Counter(one.item.number for one in answers)
    if max(several.values()) > 1:
        try:
            found[name] = agreement(answers, level=level)
        except DataError:
            return  # all chose the same: agreement beyond chance cannot be told


def _validated(desk: Desk) -> dict[str, float]:
    """What came of looking for pictures by descriptions, over those that are kept, as paper 002 tells it."""
    from circlet.studio.exports.imagecode_set import found_by

    descriptions = found_by(desk)
    found: dict[str, float | None] = {}
    for split in SPLITS:
        told = validation([one for one in descriptions if one.split == split])
        found |= {
            f"accuracy in find, kept, {split}": told.accuracy,
            f"α (nominal) in find, kept, {split}": told.nominal,
            f"α (interval) in find, kept, {split}": told.interval,
        }
    found["descriptions left out"] = validation(descriptions).share_left_out
    return {name: value for name, value in found.items() if value is not None}


def _words(desk: Desk, answers: Sequence[Answer]) -> tuple[Stats | None, tuple[Beside, ...]]:
    """Statistics of what was written, as `circlet data stats` counts them, and the papers' beside them."""
    queries = [
        Query(f"{one.number}.{place}", (Turn(text=text),))
        for one in answers
        if one.counts and one.item.task in ("modify", "describe", "study")
        for place, text in enumerate(TASKS[one.item.task].words(one.answer))
    ]
    if not queries:
        return None, ()
    name = {"cirr": "cirr", "tens": "imagecode"}.get(desk.project.kind, "written")
    written = Benchmark(name=name, split="train", galleries={}, cases=cases_of(queries))
    found = stats(written)
    return found, tuple(beside(written, found))
