"""From a scene to places on the canvas: whole numbers only, so that every machine agrees."""

import itertools
import random
from dataclasses import dataclass

from circlet.data.tableaux.world.scene import Scene, Thing

# The canvas is 1000 × 1000 units, whatever the picture's size in pixels.
CANVAS = 1000
HORIZON = 540
_COLUMN = {"left": 215, "middle": 500, "right": 785}
_BASE = {"front": 925, "back": 680}
_NEAR = {"front": 100, "back": 74}
_SIZE = {"small": 74, "medium": 100, "large": 132}
# One of so many is this large (percent): a herd must fit where one animal stood.
_CROWD = {1: 100, 2: 72, 3: 60, 4: 56, 5: 48, 6: 46, 7: 41, 8: 40, 9: 38, 10: 36}
_VIEW = {"close": 120, "normal": 100, "wide": 78}
_SKY = 210
# On the sea floor nothing stands higher than the sand.
_SAND = 835
# A group's middle must lie here for its column to be true of the picture.
_BETWEEN = {"left": (0, 360), "middle": (400, 600), "right": (640, 1000)}
LEAST_VISIBLE = 0.62
# Where a group's members stand, in percent of a member's width (across) and height (up).
_PATTERN: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-54, 0), (54, 3)),
    3: ((-56, 0), (56, 2), (0, 64)),
    4: ((-56, 0), (56, 3), (-50, 68), (60, 65)),
    5: ((-106, 0), (0, 3), (106, 0), (-53, 66), (53, 64)),
    6: ((-106, 0), (0, 3), (106, 0), (-102, 68), (3, 70), (107, 67)),
    7: ((-159, 0), (-53, 3), (53, 0), (159, 2), (-106, 86), (0, 88), (106, 85)),
    8: ((-159, 0), (-53, 3), (53, 0), (159, 2), (-156, 86), (-50, 88), (56, 85), (162, 87)),
    9: ((-106, 0), (0, 3), (106, 0), (-102, 86), (3, 88), (107, 85), (-106, 172), (0, 174), (106, 171)),
    10: (
        (-159, 0), (-53, 3), (53, 0), (159, 2),
        (-106, 86), (0, 88), (106, 85), (-104, 172), (2, 174), (107, 171),
    ),
}  # fmt: skip


def _pattern(thing: Thing) -> tuple[tuple[int, int], ...]:
    """The members' places: in a block, or side by side where they are tall, as nobody stands on heads."""
    width, height = thing.of.shape
    if 10 * width > 7 * height:
        # Flat things need a larger step back to be seen behind one another.
        step = 150 if 2 * height < width else 100
        return tuple((across, up * step // 100) for across, up in _PATTERN[thing.count])
    middle = (thing.count - 1) * 53
    return tuple((place * 106 - middle, 6 * (place % 2)) for place in range(thing.count))


@dataclass(frozen=True)
class Placed:
    """One drawn thing: its group, its box on the canvas (left, top, width, height) and its feet."""

    thing: Thing
    left: int
    top: int
    width: int
    height: int

    @property
    def foot(self) -> int:
        """The height on the canvas of its lowest point; larger is nearer to the eye."""
        return self.top + self.height

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom."""
        return (self.left, self.top, self.left + self.width, self.foot)


def placed(scene: Scene) -> list[Placed]:
    """Every single thing of the scene where it is drawn, from the back to the front."""
    rng = random.Random(f"layout {scene.jitter}")
    rows: dict[str, list[Thing]] = {}
    for thing in sorted(scene.things, key=lambda thing: thing.kind):
        rows.setdefault(_row(thing), []).append(thing)
    members: list[Placed] = []
    for row in sorted(rows):
        members += _row_of(scene, row, rows[row], rng)
    return sorted(members, key=lambda one: (one.thing.of.stance != "air", one.foot, one.left))


def _row(thing: Thing) -> str:
    return "sky" if thing.of.stance == "air" else thing.depth


def member(scene: Scene, thing: Thing) -> tuple[int, int]:
    """Width and height on the canvas of one member of a group."""
    near = 78 if _row(thing) == "sky" else _NEAR[thing.depth]
    grown = 100 + (round(thing.of.scale * 100) - 100) * 7 // 10
    side = 390 * grown * near * _SIZE[thing.size] // 1_000_000
    side = side * _CROWD[thing.count] * _VIEW[scene.view] // 10_000
    width, height = thing.of.shape
    longest = max(width, height)
    # Long thin things (snakes, skateboards) get a little more, or nobody would know them.
    side = side * (100 + max(0, 40 - 40 * min(width, height) // longest)) // 100
    side = min(side, 520) * thing.grow // 100
    return max(12, side * width // longest), max(12, side * height // longest)


def _row_of(scene: Scene, row: str, things: list[Thing], rng: random.Random) -> list[Placed]:
    """A row's groups, pushed apart until neighbours overlap by little."""
    zoom = _VIEW[scene.view]
    sizes = [member(scene, thing) for thing in things]
    spans = [
        size[0] * (100 + 2 * max(across for across, _ in _pattern(thing))) // 100
        for thing, size in zip(things, sizes, strict=True)
    ]
    centres = [500 + (_COLUMN[t.column] - 500) * min(zoom, 104) // 100 + rng.randint(-22, 22) for t in things]
    order = sorted(range(len(things)), key=lambda i: centres[i])
    for _ in range(8):
        for a, b in itertools.pairwise(order):
            short = (spans[a] + spans[b]) * 46 // 100 - (centres[b] - centres[a])
            if short > 0:
                centres[a] -= (short + 1) // 2
                centres[b] += (short + 1) // 2
        for i in order:
            reach = min(spans[i] * 48 // 100, 490)
            centres[i] = min(max(centres[i], reach), CANVAS - reach)
    members = []
    for thing, size, centre in zip(things, sizes, centres, strict=True):
        members += _group(scene, row, thing, size, centre + thing.shift, rng)
    return members


def _group(
    scene: Scene, row: str, thing: Thing, size: tuple[int, int], centre: int, rng: random.Random
) -> list[Placed]:
    width, height = size
    zoom = _VIEW[scene.view]
    foot = _SKY + height // 2 + rng.randint(-40, 60) if row == "sky" else _BASE[row] + rng.randint(-14, 14)
    if thing.of.stance == "swim":
        foot -= rng.randint(30, 120) if row == "front" else rng.randint(120, 260)
    elif thing.of.stance == "bust":
        foot = CANVAS
    elif scene.setting == "sea floor":
        foot = max(foot, _SAND + rng.randint(0, 30))
    elif row != "sky":
        foot = HORIZON + (foot - HORIZON) * (zoom + 100) // 200
    foot -= thing.lift
    members = []
    for across, up in _pattern(thing):
        nudge = rng.randint(-3, 3) * width // 100
        left = centre + across * width // 100 - width // 2 + nudge
        feet = min(foot, CANVAS) - (up * height // 100 if thing.of.stance != "bust" else 0)
        if thing.of.stance in ("ground", "float"):
            feet = max(feet, HORIZON + 20)
        members.append(Placed(thing, left, feet - height, width, height))
    return members


def honest(scene: Scene) -> bool:
    """Whether the picture shows what the graph says: every thing visible, every group in its column."""
    members = placed(scene)
    if visible(members) < LEAST_VISIBLE:
        return False
    for thing in scene.things:
        boxes = [one.box for one in members if one.thing is thing]
        centre = (min(box[0] for box in boxes) + max(box[2] for box in boxes)) // 2
        low, high = _BETWEEN[thing.column]
        if not low <= centre < high:
            return False
    return True


def visible(members: list[Placed]) -> float:
    """The smallest share of any thing that can be seen."""
    return min(shares(members))


def shares(members: list[Placed]) -> list[float]:
    """The share of each thing that is neither covered by nearer things nor cut by the edge.

    Boxes count, not outlines, and where two nearer things overlap they count twice: the true share
    is never smaller.
    """
    seen = []
    for index, one in enumerate(members):
        left, top, right, bottom = one.box
        inside = max(0, min(right, CANVAS) - max(left, 0)) * max(0, min(bottom, CANVAS) - max(top, 0))
        hidden = 0
        for other in members[index + 1 :]:
            across = min(right, other.box[2]) - max(left, other.box[0])
            down = min(bottom, other.box[3]) - max(top, other.box[1])
            hidden += max(0, across) * max(0, down)
        seen.append(max(0, inside - hidden) / (one.width * one.height))
    return seen
