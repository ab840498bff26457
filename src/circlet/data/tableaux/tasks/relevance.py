"""`tableaux:relevance`: queries of `cir` with a grade for every picture, and with several that fit."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from circlet.core import Benchmark, Case
from circlet.data.tableaux.tasks.grades import Atom, Wish, facts
from circlet.data.tableaux.world.families import edited, fits, random_scene, random_thing
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.truth import Need

# Drawn for every query: further pictures that answer it in full, such that miss by one change, and such
# that have all that the text asks for and little of what was to stay.
MATCHES = (4, 8)
MISSES = 4
ELSEWHERE = 4
_LITTLE = 0.6
_TRIES = 200
# Attributes of a thing that the text may leave open.
_OPEN = ("count", "colour", "size", "column", "depth", "facing", "hair")
# What of a scene as a whole a text may ask for, by the needs that do.
_SPOKEN = {
    "setting": ("setting",),
    "time": ("time",),
    "weather": ("weather",),
    "view": ("closer", "wider"),
    "sign": ("sign", "no sign"),
}
# Pictures of the gallery beside those that belong to a query.
_OTHERS = 500


@dataclass(frozen=True)
class Graded:
    """The queries that are graded, and the scenes drawn for them by id."""

    cases: tuple[Case, ...]
    scenes: Mapping[str, Scene]


def wish_of(case: Case, scenes: Mapping[str, Scene]) -> Wish:
    """What a query of `cir` asks for, as its notes say."""
    needs = [Need(**need) for need in case.notes["needs"]]
    return Wish(scenes[str(case.query.last.picture)], needs)


def draw_graded(cir: Benchmark, scenes: Mapping[str, Scene], seed: int, most: int) -> Graded:
    """So many queries of `cir` that say all they mean, with scenes that answer them and that just miss.

    Where the text passes over a difference, even the target is no full answer: such queries are left out.
    The ids of the scenes do not tell which query they are for, nor whether they answer it.
    """
    rng = random.Random(f"graded {seed} {cir.split}")
    every = list(cir.cases)
    rng.shuffle(every)
    chosen: list[Case] = []
    drawn: list[Scene] = []
    for case in every:
        if len(chosen) == most:
            break
        wish, target = wish_of(case, scenes), scenes[case.truths[0]]
        if wish.grade(target) < 1:
            continue
        matches = list(_matches(wish, target, rng, cir.split))
        near = (edited(rng.choice([target, *matches]), rng, cir.split) for _ in range(MISSES))
        chosen.append(case)
        drawn += [*matches, *(scene for scene in near if scene), *_elsewhere(wish, target, rng, cir.split)]
    rng.shuffle(drawn)
    return Graded(
        tuple(chosen), {f"graded-{cir.split}-{number:06d}": scene for number, scene in enumerate(drawn)}
    )


def _matches(wish: Wish, target: Scene, rng: random.Random, split: str) -> Iterator[Scene]:
    """Four to eight further scenes that answer in full: as the target, but for what the text leaves open."""
    wanted, named = rng.randint(*MATCHES), [need.kind for need in wish.needs if need.kind]
    for _ in range(_TRIES):
        if not wanted:
            return
        new = replace(target, jitter=rng.randrange(1 << 30))
        for kind in named:
            if new.thing(kind) and rng.random() < 0.7:
                other, name = random_thing(kind, rng), rng.choice(_OPEN)
                new = new.changed(kind, **{name: getattr(other, name)})
        if wish.grade(new) == 1 and fits(new, split):
            wanted -= 1
            yield new


def _elsewhere(wish: Wish, target: Scene, rng: random.Random, split: str) -> Iterator[Scene]:
    """Other scenes in which everything that the text asks for is true, for whoever does not look further."""
    wanted, named = ELSEWHERE, {need.kind for need in wish.needs} | {need.other for need in wish.needs}
    said = {need.about for need in wish.needs}
    own = tuple(thing for thing in target.things if thing.kind in named)
    for _ in range(_TRIES):
        if not wanted:
            return
        other = random_scene(rng, split)
        things = {thing.kind: thing for thing in (*own, *other.things[: 3 - len(own)])}
        kept = {name: getattr(target, name) for name, by in _SPOKEN.items() if said.intersection(by)}
        new = replace(other, things=tuple(things.values()), **kept)
        if fits(new, split) and wish.asked(new) == 1 and wish.kept(new) < _LITTLE:
            wanted -= 1
            yield new


def relevance_benchmark(cir: Benchmark, scenes: Mapping[str, Scene], graded: Graded, seed: int) -> Benchmark:
    """The graded queries over a gallery of their subsets, what was drawn for them, and some others."""
    rng = random.Random(f"relevance {seed} {cir.split}")
    gallery = dict.fromkeys(id for case in graded.cases for id in case.subset)
    rest = [id for id in cir.galleries[""] if id not in gallery]
    gallery |= dict.fromkeys((*graded.scenes, *rng.sample(rest, min(_OTHERS, len(rest)))))
    every = {**{id: scenes[id] for id in gallery if id in scenes}, **graded.scenes}
    known = {id: facts(scene) for id, scene in every.items()}
    return Benchmark(
        name="tableaux-relevance",
        split=cir.split,
        cases=tuple(_case(case, wish_of(case, scenes), every, known) for case in graded.cases),
        galleries={"": tuple(sorted(gallery))},
        protocol={"reference": "removed", "grades": "√(asked · kept)"},
        measures=("NDCG @ 10", "NDCG @ 50", "Recall @ 10"),
    )


def _case(case: Case, wish: Wish, every: Mapping[str, Scene], known: Mapping[str, frozenset[Atom]]) -> Case:
    """The query with every grade above nothing."""
    own = case.query.pictures
    grades = {id: wish.grade(scene, known[id]) for id, scene in every.items() if id not in own}
    return Case(
        query=case.query,
        truths=case.truths,
        exclude=own,
        aspects=case.aspects,
        grades={id: grade for id, grade in sorted(grades.items()) if grade},
        notes={"needs": case.notes["needs"]},
    )


def full_matches(case: Case) -> list[str]:
    """The pictures that answer a graded query in full, its target among them."""
    return [id for id, grade in case.grades.items() if grade == 1]


def share_matched(cases: Sequence[Case], at_least: int = MATCHES[0]) -> float:
    """The share of queries with so many full answers beside the target."""
    return sum(len(full_matches(case)) > at_least for case in cases) / max(1, len(cases))
