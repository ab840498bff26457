"""Everyday surroundings and lights: what a picture taken there looks like, above and below the thing."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple


def _words(some: str) -> frozenset[str]:
    return frozenset(some.split())


# How each place or light looks: more of this, less of that, by the parts that `colours` measures.
LOOKS: Mapping[str, Mapping[str, float]] = {
    "snow": {
        "white below": 1.0, "bright below": 0.7, "white above": 0.3, "dim below": -0.5, "dark below": -0.5,
    },
    "grass": {"green below": 1.0, "blue above": 0.2, "dark above": -0.2},
    "forest": {
        "green below": 0.7, "green above": 0.7, "dim above": 0.3, "dark above": 0.2, "blue above": -0.3,
    },
    "sand": {"beige below": 1.0, "beige above": 0.3, "blue above": 0.3},
    "water": {"blue below": 1.0, "blue above": 0.5, "grey below": 0.2},
    "sky": {"blue above": 1.0, "white above": 0.4, "blue below": 0.5},
    "dark": {
        "dark above": 1.0, "dark below": 1.0, "dim above": 0.4, "dim below": 0.4,
        "light above": -0.4, "light below": -0.4, "bright above": -1.0, "bright below": -1.0,
    },
    "sunset": {
        "orange above": 1.0, "pink above": 0.5, "purple above": 0.3, "red above": 0.3, "yellow above": 0.3,
        "dark below": 0.3, "white above": -0.3,
    },
    "fog": {
        "grey above": 1.0, "grey below": 0.7, "light above": 0.4, "light below": 0.3, "blue above": -0.3,
        "dark above": -0.3, "green below": -0.2,
    },
    "street": {"grey below": 1.0, "grey above": 0.2},
    "rock": {"grey below": 1.0, "brown below": 0.3, "beige below": 0.2},
    "earth": {"brown below": 1.0, "brown above": 0.2},
    "autumn": {
        "orange above": 0.6, "brown above": 0.6, "yellow above": 0.4, "orange below": 0.6, "brown below": 0.6,
        "yellow below": 0.3, "green above": -0.3,
    },
}  # fmt: skip
_PLACES: Mapping[str, str] = {
    "snow": "snow snowfield snowdrift snowdrifts snowstorm blizzard ice winter glacier arctic antarctica",
    "grass": (
        "grass lawn meadow meadows field fields pasture garden yard backyard park turf prairie hill hills"
        " countryside"
    ),
    "forest": "forest woods woodland jungle rainforest trees bushes undergrowth leaves foliage greenery",
    "sand": "beach sand seaside shore seashore desert dune dunes coast sandbox",
    "water": "water sea ocean lake river pond pool wave waves stream lagoon surf reef aquarium underwater",
    "sky": "sky skies air mid-air midair clouds",
    "dark": "moonlight starlight candlelight space cave",
    "sunset": "sunset sunrise sundown dawn twilight afterglow",
    "fog": "fog mist haze smoke rain drizzle storm",
    "street": "street road pavement sidewalk asphalt concrete city town highway alley gravel",
    "rock": "rock rocks stone stones cliff cliffs mountain mountains pebbles boulder boulders canyon",
    "earth": "mud dirt soil earth",
    "autumn": "autumn",
}
_LIKE: Mapping[str, str] = {
    "snow": "snowy snow-covered icy frosty wintry",
    "grass": "grassy",
    "forest": "wooded leafy forested",
    "sand": "sandy",
    "sky": "blue-sky",
    "fog": "foggy misty hazy rainy overcast cloudy stormy smoky",
    "street": "urban",
    "rock": "rocky stony mountainous",
    "earth": "muddy",
    "autumn": "autumnal",
}
_SETTINGS = _words(
    "background backdrop scene scenery setting landscape surroundings environment weather day ground"
)
_WITHIN = _words(
    "in on at by near under over above against through across along beside around into onto amid among"
    " inside within during"
)
# What may stand between such a word and the place, and what may follow the place: "in the deep snow with".
_ARTICLES = _words("the a an some this that")
_AFTER = _WITHIN | _words("and or but with without while as is are instead please behind")
_EDGE = ".,;:!?()"


def _by_word(words: Mapping[str, str]) -> dict[str, str]:
    return {word: look for look, some in words.items() for word in some.split()}


_PLACE, _SUCH = _by_word(_PLACES), _by_word(_LIKE)


class Scene(NamedTuple):
    """What a text says of surroundings: how they look, in which words, and what else it says.

    `around` is whether they are only where the thing is; otherwise they are themselves what is asked for.
    """

    look: dict[str, float]
    said: str
    rest: str
    around: bool


def scene(text: str) -> Scene:
    """The surroundings that a text names, apart from what else it asks for.

    >>> scene("a dog in the deep snow").rest, scene("a dog in the deep snow").said
    ('a dog', 'in the deep snow')
    >>> scene("snow leopard").look, scene("snow").around, scene("a snowy background").around
    ({}, False, True)
    """
    tokens = text.split()
    words = [token.lower().strip(_EDGE) for token in tokens]
    look: Counter[str] = Counter()
    said: list[int] = []
    around = False
    for at, word in enumerate(words):
        end = at + 1
        if end < len(words) and words[end] in _SETTINGS and not _closed(tokens[at]):
            named, end = _PLACE.get(word) or _SUCH.get(word), end + 1
        else:
            named = _PLACE.get(word) or (_SUCH.get(word) if len(words) == 1 else None)
        if named is not None and at:
            named = _SUCH.get(words[at - 1], named)  # a snowy mountain is white
        if named is None or not _ends(tokens, words, end):
            continue
        start = _start(words, at)
        alone = all(one in _ARTICLES for one in words[:start]) and end == len(words)
        within = words[start] in _WITHIN or end > at + 1 or word in _SUCH or word == "underwater"
        if not within and not alone:
            continue
        around |= within
        look.update(LOOKS[named])
        said += range(start, end)
    rest = " ".join(token for at, token in enumerate(tokens) if at not in said)
    return Scene(dict(look), " ".join(tokens[at] for at in said), rest, around)


def _closed(token: str) -> bool:
    return token[-1] in _EDGE


def _ends(tokens: Sequence[str], words: Sequence[str], end: int) -> bool:
    """Whether the words before `end` are a name by themselves, and not the beginning of a longer one."""
    return end == len(words) or _closed(tokens[end - 1]) or words[end] in _AFTER


def _start(words: Sequence[str], at: int) -> int:
    """Where the phrase of a place begins: at "in" of "in the deep snow", or at the place itself."""
    for back in range(at - 1, max(at - 4, -1), -1):
        if words[back] in _WITHIN:
            return back
        if words[back] not in _ARTICLES and back < at - 1:
            break
    return at
