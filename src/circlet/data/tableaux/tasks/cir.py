"""`tableaux:cir`: composed queries over subsets of six look-alikes, in the manner of CIRR."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from circlet.core import Benchmark, Query, Turn, cases_of
from circlet.data.readers.cirr import Pair
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.truth import Need, changes
from circlet.data.tableaux.world.words import Sentence, aspects, say

# More differences than this make two pictures that no sentence leads from one to the other.
MOST_CHANGES = 5
# What a reader hardly misses when the text passes over it.
_MINOR = {"larger", "smaller", "front", "back", "facing", "tone", "closer", "wider", "sign", "no sign"}
# How often a text leaves one such difference unsaid, as people do.
_SILENT = 0.4
MEASURES = (
    "Recall @ 1", "Recall @ 5", "Recall @ 10", "Recall @ 50",
    "SubsetRecall @ 1", "SubsetRecall @ 2", "SubsetRecall @ 3",
    "Mean(Recall @ 5, SubsetRecall @ 1)",
)  # fmt: skip


# The members of a subset, and the pairs that were drawn from it.
Drawn = tuple[Sequence[str], Sequence[Pair[str]]]


def query_pairs(
    scenes: Mapping[str, Scene],
    drawn: Sequence[Drawn],
    split: str,
    seed: int,
) -> Iterator[tuple[Pair[str], Sequence[str], Sentence | None]]:
    """The pairs of every subset with a text that leads to the target and to nothing else in it.

    The text is None where two pictures differ in too much, or in too little that words could say.
    """
    for number, (members, pairs) in enumerate(drawn):
        rng = random.Random(f"cir {seed} {split} {number}")
        for pair in pairs:
            others = [scenes[name] for name in members if name != pair.target]
            needs = single_out(scenes[pair.reference], scenes[pair.target], others, rng)
            yield pair, members, say(needs, scenes[pair.reference], rng, split) if needs else None


def single_out(
    reference: Scene, target: Scene, others: Sequence[Scene], rng: random.Random
) -> list[Need] | None:
    """Needs that hold for the target and for none of the others; None when no few words do that.

    First what tells most of the others apart, then the other differences, and what stayed the same
    only where the differences alone cannot do it.
    """
    different = changes(reference, target)
    if not 1 <= len(different) <= MOST_CHANGES:
        return None
    rng.shuffle(different)
    different = [_varied(need, reference, target, rng) for need in different]
    left = list(others)
    chosen: list[Need] = []
    stayed = _stayed(reference, target, rng)
    for pool in (different, stayed):
        while left and pool:
            best = max(pool, key=lambda need: sum(not need.holds(reference, other) for other in left))
            rest = [other for other in left if best.holds(reference, other)]
            if len(rest) == len(left):
                break
            chosen.append(best)
            pool.remove(best)
            left = rest
    if left:
        return None
    unsaid = next((need for need in different if need.about in _MINOR), None)
    silent = rng.random() < _SILENT
    chosen += [need for need in different if not (silent and need is unsaid)]
    rng.shuffle(chosen)
    return chosen


def _varied(need: Need, reference: Scene, target: Scene, rng: random.Random) -> Need:
    """Now and then the looser way to say it: more instead of how many, beside what instead of where."""
    if need.about == "add" and rng.random() < 0.4:
        return Need(about="add", kind=need.kind, count=need.count, colour=need.colour)
    if need.about == "count" and rng.random() < 0.35:
        more = target.count(need.kind) > reference.count(need.kind)
        return Need(about="more" if more else "fewer", kind=need.kind)
    if need.about == "column" and rng.random() < 0.35:
        for other in target.things:
            for pair in ((need.kind, other.kind), (other.kind, need.kind)):
                beside = Need(about="left of", kind=pair[0], other=pair[1])
                if beside.holds(reference, target) and not beside.holds(reference, reference):
                    return beside
    return need


def _stayed(reference: Scene, target: Scene, rng: random.Random) -> list[Need]:
    """What is true of both pictures: numbers of things, the setting and the light."""
    needs = [
        Need(about="count", kind=thing.kind, count=thing.count)
        for thing in target.things
        if reference.count(thing.kind) == thing.count
    ]
    for name in ("setting", "time", "weather"):
        if getattr(reference, name) == getattr(target, name):
            needs.append(Need(about=name, value=getattr(target, name)))
    rng.shuffle(needs)
    return needs


def cir_benchmark(
    split: str,
    scenes: Mapping[str, Scene],
    subsets: Sequence[Drawn],
    seed: int,
    most: int,
    *,
    report: Sequence[str] = (),
) -> Benchmark:
    """At most so many pairs of one split, from its scenes by id and the pairs drawn from its subsets."""
    ids = tuple(scenes)
    queries: list[Query] = []
    truths, excluded, inside, touched, notes = {}, {}, {}, {}, {}
    drawn = 0
    for pair, members, text in query_pairs(scenes, subsets, split, seed):
        if len(queries) == most:
            break
        drawn += 1
        if text is None:
            continue
        id = f"{split}-{len(queries)}"
        queries.append(Query(id, (Turn(picture=pair.reference, text=text.text),)))
        truths[id] = (pair.target,)
        excluded[id] = (pair.reference,)
        inside[id] = tuple(sorted(members))
        touched[id] = aspects(text)
        notes[id] = {
            "skeleton": text.skeleton,
            "ranks": [pair.reference_rank, pair.target_rank],
            "needs": [_short(need) for need in text.needs],
        }
    wordless = f"{drawn - len(queries)} of {drawn} pairs left out: no few words lead from one to the other"
    return Benchmark(
        name="tableaux-cir",
        split=split,
        cases=cases_of(
            queries, truths=truths, exclusions=excluded, subsets=inside, aspects=touched, notes=notes
        ),
        galleries={"": ids},
        protocol={"reference": "removed", "subset": "six"},
        measures=MEASURES,
        extra={"report": [*report, wordless]},
    )


def _short(need: Need) -> dict[str, Any]:
    return {name: value for name, value in vars(need).items() if value}
