"""Go through the captions aspect by aspect until there are enough cases; go on where it was stopped."""

import hashlib
import os
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from circlet.build.aspects.cases import CASES, REFUSED, AspectCase, CaseBook, line_of, read_cases
from circlet.build.aspects.drafts import Draft, Drafted, Drafter, Refusal
from circlet.build.aspects.sources import CaptionSource
from circlet.core import PictureError, Progress, ServiceError
from circlet.core.files import written_whole
from circlet.data.tableaux.draw.render import SIDE
from circlet.data.tableaux.files import draw
from circlet.images import open_picture
from circlet.language import Aspect

_AT_ONCE = 4
# A server that fails so often in a row is not worth asking further.
_PATIENCE = 3
Say = Callable[[str], None]
_Outcome = Drafted | Exception


@dataclass
class AspectReport:
    """What is there, what of it is new, and what was refused why, by aspect."""

    there: Counter[Aspect] = field(default_factory=Counter)
    new: Counter[Aspect] = field(default_factory=Counter)
    refused: dict[Aspect, Counter[str]] = field(default_factory=dict)

    def rows(self) -> list[tuple[str, ...]]:
        """The report as rows of a table: aspect, cases, new ones, refused, and why."""
        return [
            (
                str(aspect),
                f"{self.there[aspect]:,}",
                f"{self.new[aspect]:,}",
                f"{sum(reasons.values()):,}",
                "; ".join(f"{reason} ({amount:,})" for reason, amount in reasons.most_common()),
            )
            for aspect, reasons in self.refused.items()
        ]


@dataclass(frozen=True, kw_only=True)
class AspectPlan:
    """Which aspects, how many cases of each, in which order captions are taken, and who makes them."""

    aspects: Sequence[Aspect]
    each: int
    seed: int = 0
    maker: str = "template"


def make_aspects(
    sources: Sequence[CaptionSource],
    out: Path,
    drafter: Drafter,
    plan: AspectPlan,
    *,
    progress: Progress | None = None,
    say: Say | None = None,
) -> AspectReport:
    """Add cases to `OUT/aspects.jsonl` until there are enough of each aspect; what was made is never twice.

    Captions that gave nothing are noted in `OUT/refused.jsonl` with the reason, and not tried again by
    the same maker. A server's error is told in one line and the next caption is tried; after three
    in a row it ends with an error that says how to go on.
    """
    work = _Work(out, drafter, plan, say or (lambda line: None))
    wanted = plan.each * len(plan.aspects)
    for aspect in plan.aspects:
        for _ in work.go(aspect, sources):
            if progress:
                progress(work.done(), wanted)
    return work.report()


class _Work:
    """The two books, and how the making goes."""

    def __init__(self, out: Path, drafter: Drafter, plan: AspectPlan, say: Say) -> None:
        self.out, self.drafter, self.plan, self.say = out, drafter, plan, say
        self.cases, self.refused = CaseBook(out / CASES), CaseBook(out / REFUSED)
        self.there = Counter(Aspect(record["aspect"]) for record in self.cases.records.values())
        self.new: Counter[Aspect] = Counter()
        self.failures = 0

    def done(self) -> int:
        """How many of the cases that are wanted are there."""
        return sum(min(self.there[aspect], self.plan.each) for aspect in self.plan.aspects)

    def go(self, aspect: Aspect, sources: Sequence[CaptionSource]) -> Iterator[None]:
        """Make cases of one aspect, some at a time."""
        left = self._untried(aspect, sources)
        while (lacking := self.plan.each - self.there[aspect]) > 0:
            some = list(islice(left, min(lacking, _AT_ONCE)))
            if not some:
                return
            for source, made in zip(some, self._drafts(some, aspect), strict=True):
                self._take(source, aspect, made)
            yield

    def _drafts(self, sources: Sequence[CaptionSource], aspect: Aspect) -> list[_Outcome]:
        """All drafts at once. Nobody waits for a slow server when the work is interrupted."""
        made: dict[int, _Outcome] = {}

        def draft(place: int) -> None:
            rng = random.Random(f"{self.plan.seed} {_id(aspect, sources[place])}")
            try:
                made[place] = self.drafter(sources[place], aspect, rng)
            except Exception as error:  # raised where it is looked at
                made[place] = error

        threads = [threading.Thread(target=draft, args=(n,), daemon=True) for n in range(len(sources))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [made[place] for place in range(len(sources))]

    def _untried(self, aspect: Aspect, sources: Sequence[CaptionSource]) -> Iterator[CaptionSource]:
        order = random.Random(f"aspects {self.plan.seed} {aspect}").sample(range(len(sources)), len(sources))
        for place in order:
            id = _id(aspect, sources[place])
            before = self.refused.records.get(id)
            if id not in self.cases.records and (before is None or before.get("maker") != self.plan.maker):
                yield sources[place]

    def _take(self, source: CaptionSource, aspect: Aspect, made: _Outcome) -> None:
        if isinstance(made, ServiceError):
            self.failures += 1
            self.say(f"{source.id}: {made}")
            if self.failures >= _PATIENCE:
                raise _given_up(made, "leave --server out to use templates")
            return
        if isinstance(made, Exception):
            raise made
        self.failures = 0
        id = _id(aspect, source)
        if isinstance(made, Refusal):
            told = {"id": id, "aspect": str(aspect), "source": source.id, "maker": self.plan.maker}
            self.refused.add(told | {"reason": made.reason, "detail": made.detail})
            return
        self.cases.add(line_of(self._case(id, source, aspect, made)))
        self.there[aspect] += 1
        self.new[aspect] += 1

    def _case(self, id: str, source: CaptionSource, aspect: Aspect, draft: Draft) -> AspectCase:
        names = {role: f"images/{id}/{id}-{role}.jpg" for role in ("reference", "target", "negative")}
        if draft.reference == source.caption:
            names["reference"] = Path(
                os.path.relpath(source.picture.absolute(), self.out.absolute())
            ).as_posix()
        if draft.scenes:
            named = {
                f"{id}-{role}": scene
                for role, scene in zip(("target", "negative"), draft.scenes, strict=True)
            }
            draw(self.out, named, SIDE, 1, lambda stage, done, of: None)
        return AspectCase(
            id=id,
            aspect=aspect,
            reference=names["reference"],
            target=names["target"],
            hard_negative=names["negative"],
            instruction=draft.instruction,
            reference_caption=draft.reference,
            target_caption=draft.target,
            hard_negative_caption=draft.negative,
            source=source.id,
            maker=draft.maker or self.plan.maker,
        )

    def report(self) -> AspectReport:
        """What came of it."""
        reasons: dict[Aspect, Counter[str]] = {aspect: Counter() for aspect in self.plan.aspects}
        for record in self.refused.records.values():
            reasons.setdefault(Aspect(record["aspect"]), Counter())[record["reason"]] += 1
        return AspectReport(self.there, self.new, reasons)


def _given_up(error: Exception, instead: str) -> ServiceError:
    """The error that ends the work, with what can be done."""
    return ServiceError(
        f"{error} ({_PATIENCE} times in a row). What was made is kept: run the same command again when the "
        f"server answers, or {instead}"
    )


def _id(aspect: Aspect, source: CaptionSource) -> str:
    told = hashlib.sha256(f"{aspect}\0{source.id}\0{source.caption}".encode()).hexdigest()
    return f"{aspect}-{told[:12]}"


def paint(
    out: Path,
    painter: Callable[[str], bytes],
    *,
    progress: Progress | None = None,
    say: Say | None = None,
) -> int:
    """Have the pictures made that are named in `OUT/aspects.jsonl` and not there; how many were.

    `painter` makes an encoded picture from a caption. What cannot be made is told and left for the next
    run; after three failures in a row it ends with an error.
    """
    tell = say or (lambda line: None)
    lacking = list(missing(out, read_cases(out / CASES)))
    made = failures = 0
    for done, (name, caption) in enumerate(lacking, start=1):
        try:
            picture = open_picture(painter(caption)).convert("RGB")
            with written_whole(out / name, "wb") as file:
                picture.save(file, "JPEG", quality=92)
            made, failures = made + 1, 0
        except (ServiceError, PictureError) as error:
            failures += 1
            tell(f"{name}: {error}")
            if failures >= _PATIENCE:
                remedy = "leave --images out and attach the pictures yourself"
                raise _given_up(error, remedy) from None
        if progress:
            progress(done, len(lacking))
    return made


def missing(out: Path, cases: Iterable[AspectCase]) -> Iterator[tuple[str, str]]:
    """The pictures that cases name and that are not there yet, each once, with their captions."""
    named = {name: caption for case in cases for name, caption in case.pictures.items()}
    return ((name, caption) for name, caption in named.items() if not (out / name).is_file())
