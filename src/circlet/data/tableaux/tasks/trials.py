"""`tableaux:aspects`: six semantic aspects, each with a hard negative that fails in nothing else."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from circlet.core import Benchmark, Query, Turn, cases_of
from circlet.data.tableaux.world.families import edited, fits, random_scene, random_thing
from circlet.data.tableaux.world.kinds import kind
from circlet.data.tableaux.world.scene import Scene, Thing
from circlet.data.tableaux.world.settings import fitting, settings
from circlet.data.tableaux.world.truth import Need, changes, satisfies
from circlet.data.tableaux.world.words import Sentence, say

# The complex aspect keeps texts of more than this many words, as the paper does.
LONG = 25
_TRIES = 60


@dataclass(frozen=True)
class Trial:
    """One query of an aspect: from the reference, the text asks for the target and not the negative."""

    aspect: str
    reference: Scene
    sentence: Sentence
    target: Scene
    negative: Scene


ScenePair = tuple[Scene, Scene]
Maker = Callable[[Scene, random.Random, str], ScenePair | None]


def _cardinality(scene: Scene, rng: random.Random, split: str) -> ScenePair | None:
    """Another number, and a third number."""
    able = [thing for thing in scene.things if thing.of.most > 2]
    if not able:
        return None
    thing = rng.choice(able)
    wanted, wrong = rng.sample([n for n in range(1, thing.of.most + 1) if n != thing.count], 2)
    return scene.changed(thing.kind, count=wanted), scene.changed(thing.kind, count=wrong)


def _addition(scene: Scene, rng: random.Random, split: str) -> ScenePair | None:
    """One more thing, and another thing in the same place."""
    free = [name for name in fitting(scene.setting) if name not in scene.kinds]
    new = random_thing(rng.choice(free), rng)
    wrong = _instead(new, scene, rng)
    if wrong is None:
        return None
    return replace(scene, things=(*scene.things, new)), replace(scene, things=(*scene.things, wrong))


def _negation(scene: Scene, rng: random.Random, split: str) -> ScenePair | None:
    """One thing gone, and the thing still there while another is gone."""
    if len(scene.things) < 2:
        return None
    gone, kept = rng.sample(scene.things, 2)
    return _without(scene, gone), _without(scene, kept)


def _change(scene: Scene, rng: random.Random, split: str) -> ScenePair | None:
    """A thing replaced or recoloured, and replaced or recoloured by something else."""
    thing = rng.choice(scene.things)
    colours = [colour for colour in thing.of.colours if colour != thing.colour]
    if len(colours) > 1 and rng.random() < 0.5:
        wanted, wrong = rng.sample(colours, 2)
        return scene.changed(thing.kind, colour=wanted), scene.changed(thing.kind, colour=wrong)
    one = _instead(thing, scene, rng)
    two = _instead(thing, scene, rng)
    if one is None or two is None or one.kind == two.kind:
        return None
    return _swapped(scene, thing, one), _swapped(scene, thing, two)


def _background(scene: Scene, rng: random.Random, split: str) -> ScenePair | None:
    """Another setting, and a third one."""
    names = [name for name in settings() if name != scene.setting]
    wanted, wrong = rng.sample(names, 2)
    return replace(scene, setting=wanted), replace(scene, setting=wrong)


def _complex(scene: Scene, rng: random.Random, split: str) -> ScenePair | None:
    """Several changes, and all of them but one."""
    steps = [scene]
    for _ in range(rng.choice((4, 5))):
        new = edited(steps[-1], rng, split)
        if new is None:
            return None
        steps.append(new)
    return steps[-1], steps[-2]


MAKERS: dict[str, Maker] = {
    "cardinality": _cardinality,
    "addition": _addition,
    "negation": _negation,
    "change": _change,
    "background": _background,
    "complex": _complex,
}


def _without(scene: Scene, thing: Thing) -> Scene:
    return replace(scene, things=tuple(each for each in scene.things if each is not thing))


def _swapped(scene: Scene, old: Thing, new: Thing) -> Scene:
    return replace(scene, things=tuple(new if each is old else each for each in scene.things))


def _instead(thing: Thing, scene: Scene, rng: random.Random) -> Thing | None:
    """A thing of another kind that can stand where this one does."""
    names = [
        name
        for name in fitting(scene.setting)
        if name not in scene.kinds and name != thing.kind and kind(name).stance == thing.of.stance
    ]
    if not names:
        return None
    new = random_thing(rng.choice(names), rng)
    return replace(
        new, count=min(thing.count, new.of.most), column=thing.column, depth=thing.depth, size=thing.size
    )


def trial(aspect: str, rng: random.Random, split: str, seen: set[str]) -> Trial:
    """A query of this aspect whose three scenes are new, drawn true, and of this split."""
    while True:
        reference = random_scene(rng, split, things=(1, 2, 3) if aspect != "negation" else (2, 3))
        made = _made(aspect, reference, rng, split)
        if made and not {scene.key for scene in made} & seen:
            target, negative = made[1:]
            sentence = _said(aspect, reference, target, negative, rng, split)
            if sentence is not None:
                seen |= {scene.key for scene in made}
                return Trial(aspect, reference, sentence, target, negative)


def _made(aspect: str, reference: Scene, rng: random.Random, split: str) -> tuple[Scene, Scene, Scene] | None:
    for _ in range(_TRIES):
        pair = MAKERS[aspect](reference, rng, split)
        if pair is None:
            continue
        target, negative = (replace(scene, jitter=rng.randrange(1 << 30)) for scene in pair)
        distinct = len({reference.key, target.key, negative.key}) == 3
        if distinct and fits(target, split) and fits(negative, split):
            return reference, target, negative
    return None


def _said(
    aspect: str, reference: Scene, target: Scene, negative: Scene, rng: random.Random, split: str
) -> Sentence | None:
    """A text that holds for the target and not for the negative, and is long if it must be."""
    needs = changes(reference, target)
    if aspect != "complex":
        needs = [_plain(need) for need in needs]
    if not needs or satisfies(needs, reference, negative) or (aspect != "complex" and len(needs) > 1):
        return None
    for _ in range(8):
        rng.shuffle(needs)
        sentence = say(needs, reference, rng, split)
        if aspect != "complex" or len(sentence.text.split()) > LONG:
            return sentence
    return None


def _plain(need: Need) -> Need:
    """An addition without its place: the aspect is what is added, not where."""
    return replace(need, column="")


def aspects_benchmark(split: str, trials: list[Trial], ids: list[tuple[str, str, str]]) -> Benchmark:
    """The benchmark of one split; `ids` name each trial's reference, target and negative."""
    queries, truths, negatives, touched, notes = [], {}, {}, {}, {}
    for number, (one, (reference, target, negative)) in enumerate(zip(trials, ids, strict=True)):
        id = f"{split}-{one.aspect}-{number}"
        queries.append(Query(id, (Turn(picture=reference, text=one.sentence.text),)))
        truths[id], negatives[id], touched[id] = (target,), (negative,), (one.aspect,)
        notes[id] = {"skeleton": one.sentence.skeleton}
    recalls = [f"Recall @ {k}" for k in (1, 5, 10)]
    return Benchmark(
        name="tableaux-aspects",
        split=split,
        cases=cases_of(
            queries,
            truths=truths,
            exclusions={query.id: query.pictures for query in queries},
            subsets={id: tuple(sorted((*truths[id], *negatives[id]))) for id in truths},
            negatives=negatives,
            aspects=touched,
            notes=notes,
        ),
        galleries={"": tuple(sorted(id for three in ids for id in three))},
        protocol={"reference": "removed", "gallery": "all"},
        measures=(*recalls, "SubsetRecall @ 1", *(f"Within('{name}', SubsetRecall @ 1)" for name in MAKERS)),
    )
