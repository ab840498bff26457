"""Which of a few pictures a description means, by its facts: read from the pixels, weighed, and told why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from circlet.core import Encoder, Gallery, Method, Pictures, Query, Vectors
from circlet.language.frame_facts import (
    LOOKS,
    SEEN,
    Degrees,
    FrameFact,
    Heard,
    Series,
    likely_degrees,
    listen,
)
from circlet.language.frame_words import Said, Vocabulary, read_frame
from circlet.models.encoders.sentences import Sentences
from circlet.models.few import only_a_few
from circlet.models.frames.eye import FrameEye
from circlet.models.frames.frame_hearing import FrameHearing, hear
from circlet.models.frames.gauges import Gauges, Measured, look
from circlet.models.frames.glimpse import SIDE, Glimpses, Numbers, glimpse, pixels_of
from circlet.models.frames.told import as_told
from circlet.models.scorers.clauses import Checks, Clause
from circlet.models.standards import Standards

FACT = "fact"
# Glimpses of pictures and their pixels: as they are, and in a mirror.
View = tuple[Glimpses, Numbers]
Views = tuple[View, View]
# What is measured is a little off: so often it is drawn anew, and a fact's degree is the mean of all draws.
_DRAWS = 24
# What a deviation of the encoder's score counts beside the facts.
_OWN = 0.05
_SHARE = SEEN.index("share")
# Of what shows less than this nobody can say where it is.
_SHOWS = 0.025
_PLACED = [SEEN.index(name) for name in ("x", "y", "size", "facing")]
_BOUNDS = {"share": (0, 1), "inside": (0, 1), "covered": (0, 1), "facing": (-1, 1), "count": (0, 99)}


@dataclass(frozen=True)
class Known:
    """What the networks know: kinds with their plurals, places with their phrases, values of all else."""

    kinds: Mapping[str, str]
    places: Mapping[str, str]
    colours: Sequence[str]
    times: Sequence[str]
    weathers: Sequence[str]

    @property
    def vocabulary(self) -> Vocabulary:
        """The words for them."""
        nouns = {word: name for name, plural in self.kinds.items() for word in (name, plural)}
        phrases = {name: name for name in self.places} | {
            phrase: name for name, phrase in self.places.items()
        }
        return Vocabulary(nouns, phrases)


class FrameReader(Method):
    """Ranks a few pictures by how well the facts of a description hold in each: `reader.rank([query], ten)`.

    The gallery is the set, in its order; whether that is the order of time, it says itself (`in_time`).
    """

    def __init__(
        self,
        eye: FrameEye,
        gauges: Gauges,
        hearing: FrameHearing,
        known: Known,
        encoder: Encoder,
        *,
        name: str = "",
    ) -> None:
        self.eye, self.gauges, self.hearing = eye.eval(), gauges.eval(), hearing.eval()
        self.known, self.encoder, self.name = known, encoder, name
        self.sentences = Sentences()
        self.vocabulary = known.vocabulary
        self.numbers = {kind: number for number, kind in enumerate(known.kinds)}

    def __repr__(self) -> str:
        return f"FrameReader({self.name!r})"

    def said(self, query: Query) -> list[Said]:
        """What a description states, clause by clause; several turns are one."""
        return read_frame(
            query.together.last.text, self.vocabulary, lambda one: hear(one, self.hearing, self.sentences)
        )

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Pictures | None = None
    ) -> Vectors:
        only_a_few(self, gallery, self.name)
        if not len(gallery):
            return np.zeros((len(queries), 0), np.float32)
        told = [[one.heard for one in self.said(query)] for query in queries]
        draws = self.draws(self.views(gallery.ids, pictures or gallery), _kinds(told), gallery.in_time)
        texts = self.encoder.texts([query.together.last.text for query in queries])
        likeness = Standards(gallery.vectors).scores(texts, gallery.vectors)
        heard = np.stack([heard_in(said, draws) for said in told])
        return np.asarray(heard + _OWN * likeness, np.float32)

    def check(self, query: Query, ids: Sequence[str], pictures: Pictures, *, in_time: bool = False) -> Checks:
        """How well each fact of a description holds in each picture; NaN: it could not be checked.

        Where words may state several, the likeliest is named, and the degree is that of all of them.
        """
        said = self.said(query)
        draws = self.draws(self.views(ids, pictures), _kinds([[one.heard for one in said]]), in_time)
        rows = [held_in(one.heard, draws) for one in said]
        unknown = np.full(len(ids), np.nan)
        return Checks(
            tuple(Clause(FACT, phrase(one.fact)) for one in said),
            np.array([unknown if row is None else row for row in rows], np.float32).reshape(
                len(said), len(ids)
            ),
        )

    def views(self, ids: Sequence[str], pictures: Pictures) -> Views:
        """The pictures as the eye takes them in, as they are and in a mirror."""
        opened = np.stack([pixels_of(pictures.open(id, SIDE)) for id in ids])
        mirrored = np.ascontiguousarray(opened[:, :, ::-1])
        return (glimpse(opened), opened), (glimpse(mirrored), mirrored)

    def measured(self, views: Views, kinds: Sequence[str], in_time: bool) -> Measured:
        """What is measured of these kinds in a set: the mean of both views, which err in different ways."""
        # Where words speak of the whole picture alone, any kind stands in.
        numbers = torch.tensor([self.numbers[kind] for kind in kinds] or [0])
        with torch.inference_mode():
            plain, mirrored = (self.gauges([look(self.eye, *view, numbers, in_time)]) for view in views)
        return plain.with_other(mirrored.mirrored())

    def draws(self, views: Views, kinds: Sequence[str], in_time: bool) -> list[Series]:
        """What is seen of these kinds in a set, drawn several times, as far apart as it may be off."""
        measured = self.measured(views, kinds, in_time)
        chance = np.random.default_rng(0)
        stated = self._stated(measured, kinds)
        if in_time:
            # Within a film the place, the hour, the weather and what colour a thing has do not change.
            stated = {of: np.full_like(held, held.mean()) for of, held in stated.items()}
        facts, overall = (part.double().sigmoid().numpy() for part in (measured.facts, measured.overall))
        told = as_told(facts, overall, kinds, in_time=in_time)
        return [_drawn(measured, kinds, in_time, stated, told, chance) for _ in range(_DRAWS)]

    def _stated(self, measured: Measured, kinds: Sequence[str]) -> dict[tuple[str, str, str], Degrees]:
        told: dict[tuple[str, str, str], Degrees] = {}
        whole = (
            ("setting", measured.settings, tuple(self.known.places)),
            ("time", measured.times, self.known.times),
            ("weather", measured.weathers, self.known.weathers),
        )
        for about, logits, values in whole:
            likely = logits.double().softmax(-1).numpy()
            told |= {(about, "", value): likely[:, at] for at, value in enumerate(values)}
        coats = measured.colours.double().softmax(-1).numpy()
        for row, kind in enumerate(kinds):
            told |= {("colour", kind, one): coats[row, :, at] for at, one in enumerate(self.known.colours)}
        return told


def _kinds(told: Sequence[Sequence[Heard]]) -> list[str]:
    """The kinds that are spoken of, each once."""
    facts = (fact for said in told for heard in said for fact in heard)
    named = (kind for fact in facts for kind in (fact.kind, fact.other) if kind)
    return list(dict.fromkeys(named))


def _drawn(
    measured: Measured,
    kinds: Sequence[str],
    in_time: bool,
    stated: Mapping[tuple[str, str, str], Degrees],
    told: Mapping[FrameFact, Degrees],
    chance: np.random.Generator,
) -> Series:
    seen = measured.seen.double().numpy()
    seen = seen + chance.normal(size=seen.shape) * 1.25 * measured.seen_off.double().numpy()
    for name, (low, high) in _BOUNDS.items():
        column = SEEN.index(name)
        seen[..., column] = seen[..., column].clip(low, high)
    seen[np.ix_(*map(range, seen.shape[:2]), _PLACED)] = np.where(
        (seen[..., _SHARE] > _SHOWS)[..., None], seen[..., _PLACED], np.nan
    )
    looks = measured.looks.double().numpy()
    looks = looks + chance.normal(size=looks.shape) * 1.25 * measured.looks_off.double().numpy()
    assert looks.shape[1] == len(LOOKS)
    return Series({kind: seen[row] for row, kind in enumerate(kinds)}, looks, in_time, stated, told)


def heard_in(said: Sequence[Heard], draws: Sequence[Series]) -> Degrees:
    """How well each picture is meant, over all draws of what was seen."""
    heard = np.stack([listen(said, series) for series in draws])
    most = heard.max(0)
    return np.asarray(most + np.log(np.exp(heard - most).mean(0)))


def held_in(heard: Heard, draws: Sequence[Series]) -> Degrees | None:
    """How well what was heard holds in each picture, over all draws of what was seen."""
    held = [row for series in draws if (row := likely_degrees(heard, series)) is not None]
    return np.mean(held, axis=0) if held else None


_PHRASES = {
    "none": "no {kind} to be seen", "hidden": "the {kind} hidden behind the {other}",
    "partly": "the {kind} partly covered by the {other}", "half": "the {kind} half visible",
    "sliver": "hardly anything of the {kind} visible", "most": "most of the {kind} visible",
    "clear": "all of the {kind} visible", "uncovered": "nothing in front of the {kind}",
    "cut": "the {kind} cut by the {value} edge", "beside": "the {kind} {value} of the {other}",
    "near": "the {kind} near the {other}", "far": "the {kind} far from the {other}",
    "column": "the {kind} on the {value}", "edge": "the {kind} far to the {value}",
    "high": "the {kind} high up", "low": "the {kind} low down", "large": "the {kind} large",
    "small": "the {kind} small", "count": "{count} × {kind}", "arrived": "one more {kind}, now {count}",
    "left": "one {kind} gone, now {count}", "soon": "the {kind} about to disappear",
    "emerged": "the {kind} just come into view", "turned": "the {kind} just turned {value}",
    "facing": "the {kind} facing {value}", "approaching": "the {kind} on the way to the {other}",
    "leaving": "the {kind} going away from the {other}", "blurry": "blurred", "dark": "dark",
    "bright": "bright", "fade": "another picture shining through", "colour": "the {kind} {value}",
    "setting": "place: {value}",
    "time": "{value}", "weather": "{value} weather",
}  # fmt: skip


def phrase(fact: FrameFact) -> str:
    """A fact in a few words, as reasons name it.

    >>> phrase(FrameFact("beside", "dog", other="hut", value="left"))
    'the dog left of the hut'
    """
    return _PHRASES[fact.about].format(**vars(fact)).replace("on the middle", "in the middle")
