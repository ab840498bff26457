"""`tableaux:frames`: ten pictures that differ in little, and what somebody would say of one of them.

What is said is true of the one that is meant, and often of others as well: then it is the one that the words
fit best, as whoever speaks counts on (see `circlet.language.frame_facts`, where words get their meaning).
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from circlet.core import Benchmark, Query, Turn, cases_of
from circlet.data.tableaux.tasks.films import SET_SIZE, Film, lookalikes, video
from circlet.data.tableaux.tasks.frame_series import series_of
from circlet.data.tableaux.tasks.frame_wordings import filled, spoken_again, wordings
from circlet.data.tableaux.world.kinds import kind
from circlet.data.tableaux.world.scene import COLUMNS, FACINGS
from circlet.language.frame_facts import (
    OVERALL,
    STATED,
    TRUE,
    WITH_OTHER,
    Degrees,
    FrameFact,
    Series,
    degrees,
    listen,
)

TARGETS = 3
# Two thirds of ImageCoDe's sets come from videos.
_FILMS = 0.67
# So often one begins anew to find words for a picture.
_TRIES = 4
# What each fact calls upon, in the terms of ImageCoDe's table 2; `context` and what is tiny are found out.
PHENOMENA = {
    "none": ("negation", "visibility"),
    "hidden": ("visibility",),
    "partly": ("visibility", "quantities"),
    "half": ("visibility", "quantities"),
    "sliver": ("visibility", "nuances"),
    "most": ("visibility", "quantities"),
    "clear": ("visibility",),
    "uncovered": ("visibility", "negation"),
    "cut": ("visibility", "spatial_relations"),
    "beside": ("spatial_relations",),
    "near": ("spatial_relations",),
    "far": ("spatial_relations",),
    "column": ("spatial_relations",),
    "edge": ("spatial_relations",),
    "high": ("spatial_relations",),
    "low": ("spatial_relations",),
    "count": ("quantities",),
    "arrived": ("temporal", "quantities"),
    "left": ("temporal", "quantities"),
    "soon": ("temporal", "visibility"),
    "emerged": ("temporal", "visibility"),
    "turned": ("temporal", "spatial_relations"),
    "facing": ("spatial_relations",),
    "approaching": ("temporal", "spatial_relations"),
    "leaving": ("temporal", "spatial_relations"),
    "blurry": ("meta_properties",),
    "dark": ("meta_properties",),
    "bright": ("meta_properties",),
    "fade": ("meta_properties",),
}
TAGS = (
    "context", "temporal", "quantities", "spatial_relations", "negation", "visibility", "nuances",
    "coreference", "meta_properties",
)  # fmt: skip
# Of a thing one says at most one fact of each line.
_TOPICS = (
    ("none", "hidden", "partly", "half", "sliver", "most", "clear", "uncovered", "cut", "soon", "emerged"),
    ("beside", "near", "far", "column", "edge", "approaching", "leaving"),
    ("high", "low"),
    ("large", "small"),
    ("count", "arrived", "left"),
    ("facing", "turned"),
)
_GONE = ("none", "hidden")
# How readily each is said of frames, and of look-alikes (others: 1): what people spoke of in ImageCoDe.
_READY = {
    "video": {"count": 1.8, "none": 2.2, "edge": 2.6, "near": 1.5, "far": 1.3, "large": 2.4, "small": 2.4}
    | {"high": 2.4, "low": 2.4, "blurry": 1.7, "dark": 2.0, "bright": 2.0, "fade": 1.4, "clear": 0.3}
    | {"facing": 0.4, "turned": 0.05, "approaching": 0.1, "leaving": 0.1, "arrived": 0.15, "left": 0.15}
    | {
        "soon": 0.25,
        "emerged": 0.25,
        "uncovered": 0.3,
        "partly": 2.0,
        "half": 2.0,
        "most": 1.3,
        "sliver": 2.0,
    }
    | {"beside": 0.6, "column": 0.6, "setting": 0.8, "time": 0.7, "weather": 0.7},
    "static": {"count": 0.5, "colour": 4.0, "column": 0.5, "beside": 0.4, "none": 0.1, "clear": 0.02}
    | {"half": 0.05, "partly": 0.1, "sliver": 0.05, "most": 0.05, "uncovered": 0.05, "cut": 0.1}
    | {"large": 0.1, "small": 0.1, "high": 0.1, "low": 0.1, "near": 0.1, "far": 0.1, "edge": 0.05}
    | {"approaching": 0.02, "leaving": 0.02, "facing": 0.3, "setting": 0.9, "time": 0.9, "weather": 0.6},
}
# How many times better what is meant must fit than anything else; of look-alikes one says more than enough.
_MARGIN = {"video": math.log(1.5), "static": math.log(2)}
_MOST_FACTS = 4
# How well a fact must hold to be said of the one that is meant; true of so many it is said of the scene.
_SAID, _SHARED = 0.6, 8
# How often one goes on about what was named.
_FURTHER = 0.45
# What another thing's place is told by must be in full view all the time.
_ANCHOR = 0.6
_TINY = 0.12


@dataclass(frozen=True)
class Description:
    """What is said of one frame of ten, with the phenomena it calls upon and how many it is true of."""

    place: int
    text: str
    tags: tuple[str, ...]
    facts: tuple[FrameFact, ...]
    true_of: frozenset[int]
    skeleton: str


def sayable(series: Series) -> Iterator[FrameFact]:
    """Every fact that could be told of some picture of a series."""
    for about in OVERALL:
        yield FrameFact(about)
    for about, name, value in series.stated:
        yield FrameFact(about, name, value=value)
    whole = [name for name in series.things if np.all(series.of(name, "share") >= _ANCHOR)]
    anchors = [name for name in whole if np.nanmax(series.of(name, "size")) > _TINY]
    for name in series.things:
        yield from _alone(name, series)
        for other in anchors:
            if other != name:
                for about in WITH_OTHER:
                    for value in FACINGS if about == "beside" else ("",):
                        yield FrameFact(about, name, other, value)


def _alone(name: str, series: Series) -> Iterator[FrameFact]:
    for topic in _TOPICS:
        for about in topic:
            if about in ("count", "arrived", "left"):
                counts = sorted(set(series.of(name, "count").astype(int)) - {0})
                # Of what is never more than one nobody says how many there are.
                yield from (FrameFact(about, name, count=count) for count in counts if counts[-1] > 1)
            elif about not in WITH_OTHER:
                sides = {"column": COLUMNS}.get(about, FACINGS)
                sided = about in ("cut", "column", "edge", "facing", "turned")
                yield from (FrameFact(about, name, value=value) for value in (sides if sided else ("",)))


class Speaker:
    """Whoever tells one picture of ten from the others: `Speaker(series).say(3, rng, "train")`."""

    def __init__(self, series: Series) -> None:
        source = "video" if series.timed else "static"
        self.series, self.ready, self.enough = series, _READY[source], _MARGIN[source]
        every = ((fact, degrees(fact, series)) for fact in sayable(series))
        self.held: dict[FrameFact, Degrees] = {fact: held for fact, held in every if held is not None}

    def say(self, place: int, rng: random.Random, split: str) -> Description | None:
        """Words for one picture; None where four facts do not tell it from the others."""
        facts = self._chosen(place, rng)
        if not facts:
            return None
        true = np.all([self.held[fact] >= TRUE for fact in facts], axis=0)
        text, tags, skeleton = _worded(facts, self.series, place, rng, split)
        if true.sum() > 1:
            tags.add("context")
        together = frozenset(np.flatnonzero(true).tolist())
        return Description(place, text, tuple(t for t in TAGS if t in tags), facts, together, skeleton)

    def _chosen(self, place: int, rng: random.Random) -> tuple[FrameFact, ...]:
        """As few facts as mean it and no other, and what is said of the scene beside; none where it fails."""
        true = [fact for fact, held in self.held.items() if held[place] >= _SAID]
        true.sort(key=lambda fact: rng.random() ** (1 / self.ready.get(fact.about, 1.0)), reverse=True)
        chosen: list[FrameFact] = []
        margin = self._margin(chosen, place)
        for fact in true:
            if margin >= self.enough or len(chosen) == _MOST_FACTS:
                break
            now = self._margin([*chosen, fact], place)
            if now > margin + 0.05 and _goes_with(fact, chosen):
                chosen.append(fact)
                margin = now
        if margin < self.enough or not chosen:
            return ()
        if self.series.timed:
            chosen = self._needed(chosen, place)
        wanted = rng.choice((2, 3, 3, 4) if self.series.timed else (3, 3, 4))
        # What was named is often spoken of further, before anything else is.
        named = {fact.kind for fact in chosen} if rng.random() < _FURTHER else set()
        for fact in sorted(true, key=lambda fact: fact.kind not in named):
            if len(chosen) >= wanted:
                break
            readily = rng.random() < self.ready.get(fact.about, 1.0)
            if (
                readily
                and self._beside(fact)
                and _goes_with(fact, chosen)
                and self._margin([*chosen, fact], place) >= self.enough
            ):
                chosen.append(fact)
        return tuple(chosen)

    def _needed(self, chosen: list[FrameFact], place: int) -> list[FrameFact]:
        """The facts less those without which it is meant as well."""
        for fact in tuple(chosen):
            rest = [other for other in chosen if other != fact]
            if rest and self._margin(rest, place) >= self.enough:
                chosen = rest
        return chosen

    def _beside(self, fact: FrameFact) -> bool:
        """Whether it is said of the scene: in a film what holds most of the time, of look-alikes anything."""
        shared = np.sum(self.held[fact] >= TRUE) >= _SHARED or not self.series.timed
        return bool(shared) and fact.about not in OVERALL

    def _margin(self, facts: Sequence[FrameFact], place: int) -> float:
        heard = listen([{fact: 1.0} for fact in facts], self.series)
        return float(heard[place] - np.delete(heard, place).max())


def _goes_with(fact: FrameFact, chosen: Sequence[FrameFact]) -> bool:
    """Whether nobody would wonder why this is said beside what is said already."""
    for other in chosen:
        if fact.other and {fact.kind, fact.other} == {other.kind, other.other}:
            return False
        if fact.about in OVERALL and other.about in OVERALL:
            return False
        if fact.about in STATED and (fact.about, fact.kind) == (other.about, other.kind):
            return False
        if fact.kind and fact.kind == other.kind:
            topics = {_topic(fact.about), _topic(other.about)}
            if len(topics) == 1 or fact.about in _GONE or other.about in _GONE:
                return False
        if (other.about in _GONE and fact.other == other.kind) or (
            fact.about in _GONE and other.other == fact.kind
        ):
            return False
    return True


def _topic(about: str) -> str | int:
    return next((number for number, topic in enumerate(_TOPICS) if about in topic), about)


def _worded(
    facts: Sequence[FrameFact], series: Series, place: int, rng: random.Random, split: str
) -> tuple[str, set[str], str]:
    """The facts as sentences, those about one thing after each other; their tags and skeleton."""
    order = [fact.kind for fact in facts]
    text, tags, skeleton, named = "", set(), [], ""
    for fact in sorted(facts, key=lambda fact: order.index(fact.kind)):
        words = rng.choice(wordings(fact.about, split))
        skeleton.append(words)
        tags |= set(PHENOMENA.get(fact.about, ()))
        if fact.kind and np.nanmax(series.of(fact.kind, "size")) < _TINY:
            tags.add("nuances")
        many, others = _many(fact, series, place), _others(fact, series, place)
        said, subject = filled(words, fact, many=many, others=others)
        # A second mention of the same thing speaks of it or them.
        again = spoken_again(said, subject, many) if subject == named else ""
        if again and kind(fact.kind).family != "people":
            said = again
            tags.add("coreference")
        if fact.kind:
            named = subject
        joined = rng.choice((". ", ". ", ", and ", ", while ")) if text else ""
        text += joined + (said[0].upper() + said[1:] if joined in ("", ". ") else said)
    return text + ".", tags, " | ".join(skeleton)


def _many(fact: FrameFact, series: Series, place: int) -> bool:
    """Whether the noun is in the plural: so many of them are to be seen."""
    if not fact.kind:
        return False
    counted = fact.about in ("count", "arrived", "left")
    return (fact.count if counted else int(series.of(fact.kind, "count")[place])) > 1


def _others(fact: FrameFact, series: Series, place: int) -> bool:
    return bool(fact.other and series.of(fact.other, "count")[place] > 1)


def described(film: Film, places: Sequence[int], rng: random.Random, split: str) -> list[Description]:
    """These frames of a film in words; fewer where one of them cannot be told from the others."""
    speaker, told = Speaker(series_of(film)), []
    for place in places:
        tries = (speaker.say(place, rng, split) for _ in range(_TRIES))
        one = next((said for said in tries if said is not None), None)
        if one is None:
            break
        told.append(one)
    return told


def draw_set(split: str, number: int, seed: int) -> tuple[str, Film, list[Description]]:
    """The set of this number: its name, its ten frames, and what is said of three of them.

    Which three is drawn before the film is, and films are drawn until one has words for all of them: so
    each place is meant as often as any other. A set depends on nothing but its number.
    """
    rng = random.Random(f"frames {seed} {split} {number}")
    places = rng.sample(range(SET_SIZE), TARGETS)
    make = video if rng.random() < _FILMS else lookalikes
    while True:
        film = make(rng, split)
        told = described(film, places, rng, split)
        if len(told) == TARGETS:
            return f"films-{split}-{number:05d}", film, told


def frames_benchmark(split: str, sets: Sequence[tuple[str, Film, list[Description]]]) -> Benchmark:
    """The benchmark of one split, from named films and what is said of their frames."""
    queries, truths, subsets, aspects, notes = [], {}, {}, {}, {}
    for name, film, told in sets:
        ten = tuple(f"{name}-{place}" for place in range(SET_SIZE))
        for each in told:
            id = ten[each.place]
            queries.append(Query(id, (Turn(text=each.text),)))
            truths[id], subsets[id] = (id,), ten
            aspects[id] = (film.source, *each.tags)
            notes[id] = {"skeleton": each.skeleton, "true_of": sorted(each.true_of)}
    used = {tag for touched in aspects.values() for tag in touched}
    return Benchmark(
        name="tableaux-frames",
        split=split,
        cases=cases_of(queries, truths=truths, subsets=subsets, aspects=aspects, notes=notes),
        galleries={},
        measures=(
            "Accuracy",
            *(f"Within('{tag}', Accuracy)" for tag in ("video", "static", *TAGS) if tag in used),
        ),
    )
