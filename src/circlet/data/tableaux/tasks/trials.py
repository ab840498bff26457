"""`tableaux:aspects`: six semantic aspects, each with a hard negative that fails in nothing else."""

import random
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace

from circlet.core import Benchmark, Query, Turn, cases_of
from circlet.data.readers.aspects import aspect_measures
from circlet.data.tableaux.world.families import edited, fits, random_scene, random_thing
from circlet.data.tableaux.world.kinds import CROWD, MOST, kind
from circlet.data.tableaux.world.scene import Scene, Thing
from circlet.data.tableaux.world.settings import fitting, settings
from circlet.data.tableaux.world.truth import Need, changes, satisfies
from circlet.data.tableaux.world.words import Sentence, say
from circlet.language import Aspect

# The complex aspect keeps texts of more than this many words, as the paper does.
LONG = 25
_TRIES = 60


@dataclass(frozen=True)
class Trial:
    """One query of an aspect: from the reference, the text asks for the target and not the negative."""

    aspect: Aspect
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


# The six aspects of paper 001, in its order.
MAKERS: dict[Aspect, Maker] = {
    Aspect.CARDINALITY: _cardinality,
    Aspect.ADDITION: _addition,
    Aspect.NEGATION: _negation,
    Aspect.COMPARE_CHANGE: _change,
    Aspect.SPATIAL_RELATIONS_BACKGROUND: _background,
    Aspect.STATEMENT_WITH_CONJUNCTION: _complex,
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


# Reference, target and negative of each trial by name.
TrialIds = list[tuple[str, str, str]]


def draw_trials(
    split: str,
    each: int,
    rng: random.Random,
    seen: set[str],
    *,
    name: str = "aspects",
    after: int = 0,
    most: int = MOST,
) -> tuple[list[Trial], TrialIds]:
    """So many queries of each aspect, and names for their scenes that say nothing of what they are.

    The names are numbered from three times `after`, which is how many trials there are already.
    """
    made = [trial(aspect, rng, split, seen, most=most) for aspect in MAKERS for _ in range(each)]
    numbers = list(range(3 * after, 3 * (after + len(made))))
    rng.shuffle(numbers)
    ids = [f"{name}-{split}-{number:06d}" for number in numbers]
    return made, [(ids[i], ids[i + 1], ids[i + 2]) for i in range(0, len(ids), 3)]


def trial_scenes(trials: Sequence[Trial], ids: TrialIds) -> dict[str, Scene]:
    """The scenes of trials by their names."""
    named = zip(trials, ids, strict=True)
    return {
        id: scene
        for one, three in named
        for id, scene in zip(three, (one.reference, one.target, one.negative), strict=True)
    }


def trial(name: str, rng: random.Random, split: str, seen: set[str], *, most: int = MOST) -> Trial:
    """A query of the aspect of this name whose three scenes are new, drawn true, and of this split.

    Where `most` is larger than the groups of ordinary scenes, the three numbers of a cardinality
    query are any from one to that, all as likely.
    """
    aspect = Aspect(name)
    counting = aspect is Aspect.CARDINALITY and most > MOST
    numbers = rng.sample(range(1, min(most, CROWD) + 1), 3) if counting else ()
    while True:
        reference = random_scene(rng, split, things=(2, 3) if aspect is Aspect.NEGATION else (1, 2, 3))
        made = trial_of(aspect, reference, rng, split, seen=seen, numbers=numbers)
        if made is not None:
            seen |= {scene.key for scene in (made.reference, made.target, made.negative)}
            return made


def trial_of(
    aspect: Aspect,
    reference: Scene,
    rng: random.Random,
    split: str,
    *,
    seen: Set[str] = frozenset(),
    numbers: Sequence[int] = (),
) -> Trial | None:
    """A query of this aspect that starts from this scene; None where it cannot be had.

    With `numbers`, of the reference, the target and the negative, its things are counted anew.

    >>> from circlet.data.tableaux import Scene, Thing
    >>> dogs = Scene(setting="park", things=(Thing(kind="dog", count=2, colour="brown", facing="left"),))
    >>> made = trial_of(Aspect.CARDINALITY, dogs, random.Random(0), "train")
    >>> len({made.reference.count("dog"), made.target.count("dog"), made.negative.count("dog")})
    3
    """
    made = _counted(reference, rng, split, numbers) if numbers else _made(aspect, reference, rng, split)
    if made is None or {scene.key for scene in made} & seen:
        return None
    sentence = _said(aspect, *made, rng, split)
    return None if sentence is None else Trial(aspect, made[0], sentence, *made[1:])


ThreeScenes = tuple[Scene, Scene, Scene]


def _counted(scene: Scene, rng: random.Random, split: str, numbers: Sequence[int]) -> ThreeScenes | None:
    """The scene with these numbers of one of its things, which is large, so that everyone can count."""
    able = [thing for thing in scene.things if thing.of.crowd >= max(numbers)]
    if not able:
        return None
    name = rng.choice(able).kind
    one, two, three = (
        replace(scene.changed(name, count=number, size="large"), jitter=rng.randrange(1 << 30))
        for number in numbers
    )
    return (one, two, three) if all(fits(each, split) for each in (one, two, three)) else None


def _made(aspect: Aspect, reference: Scene, rng: random.Random, split: str) -> ThreeScenes | None:
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
    aspect: Aspect, reference: Scene, target: Scene, negative: Scene, rng: random.Random, split: str
) -> Sentence | None:
    """A text that holds for the target and not for the negative, and is long if it must be."""
    needs, long = changes(reference, target), aspect is Aspect.STATEMENT_WITH_CONJUNCTION
    if not long:
        needs = [_plain(need) for need in needs]
    if not needs or satisfies(needs, reference, negative) or (not long and len(needs) > 1):
        return None
    for _ in range(8):
        rng.shuffle(needs)
        sentence = say(needs, reference, rng, split)
        if not long or len(sentence.text.split()) > LONG:
            return sentence
    return None


def _plain(need: Need) -> Need:
    """An addition without its place: the aspect is what is added, not where."""
    return replace(need, column="")


def aspects_benchmark(split: str, trials: list[Trial], ids: TrialIds) -> Benchmark:
    """The benchmark of one split; `ids` name each trial's reference, target and negative."""
    queries, truths, negatives, touched, notes = [], {}, {}, {}, {}
    for number, (one, (reference, target, negative)) in enumerate(zip(trials, ids, strict=True)):
        id = f"{split}-{one.aspect}-{number}"
        queries.append(Query(id, (Turn(picture=reference, text=one.sentence.text),)))
        truths[id], negatives[id], touched[id] = (target,), (negative,), (one.aspect,)
        notes[id] = {"skeleton": one.sentence.skeleton}
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
        measures=aspect_measures(MAKERS),
    )
