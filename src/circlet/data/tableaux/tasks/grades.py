"""How well a scene answers: fact by fact, what was asked of it and what was to stay as it is."""

from collections.abc import Collection, Sequence
from math import sqrt

from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.truth import Need

Atom = tuple[str, ...]
# What about a thing, or about the scene, a need speaks of.
_TOUCHED = {
    "count": "count", "more": "count", "fewer": "count", "colour": "colour", "shirt": "colour",
    "larger": "size", "smaller": "size", "front": "depth", "back": "depth", "left of": "column",
    "closer": "view", "wider": "view", "no sign": "sign",
}  # fmt: skip


def atoms(scene: Scene) -> frozenset[Atom]:
    """What a scene is made of, fact by fact: its backdrop, its light, and each thing's attributes."""
    facts: set[Atom] = {(name, str(getattr(scene, name))) for name in ("setting", "time", "weather", "view")}
    for thing in scene.things:
        facts.add((thing.kind,))
        facts |= {
            (thing.kind, name, str(getattr(thing, name)))
            for name in ("count", "colour", "size", "column", "depth", "facing", "tone", "hair")
            if getattr(thing, name)
        }
    return frozenset(facts)


def facts(scene: Scene) -> frozenset[Atom]:
    """The same with what is written in it.

    >>> from circlet.data.tableaux import Thing
    >>> sorted(facts(Scene(setting="beach", things=(Thing(kind="crab"),), sign="SALE")))[-2:]
    [('view', 'normal'), ('weather', 'clear')]
    """
    return atoms(scene) | {("sign", scene.sign)} if scene.sign else atoms(scene)


def likeness(wanted: Scene, candidate: Scene) -> float:
    """The share of the wanted graph that holds in the candidate; what is there besides takes some back.

    One is the wanted scene itself, or another picture of the same graph.

    >>> from circlet.data.tableaux import Thing
    >>> crabs = Scene(setting="beach", things=(Thing(kind="crab", count=3),))
    >>> likeness(crabs, crabs), likeness(crabs, crabs.changed("crab", count=2))
    (1.0, 0.889)
    """
    ours, theirs = atoms(wanted), atoms(candidate)
    extra = sum(kind not in wanted.kinds for kind in candidate.kinds)
    return round(len(ours & theirs) / (len(ours) + extra), 3)


def touched(needs: Sequence[Need]) -> set[Atom]:
    """The beginnings of the facts that needs may change."""
    free: set[Atom] = set()
    for need in needs:
        if need.about in ("add", "remove"):
            free.add((need.kind,))
        elif need.about == "replace":
            free |= {(need.kind,), (need.other,)}
        else:
            about = _TOUCHED.get(need.about, need.about)
            free |= {(kind, about) for kind in (need.kind, need.other) if kind} or {(about,)}
    return free


def untouched(known: Collection[Atom], free: set[Atom]) -> set[Atom]:
    """The facts that no need speaks of."""
    return {atom for atom in known if not any(atom[: len(one)] == one for one in free)}


class Wish:
    """A query as whoever asks it means it: what the text asks for, and what stays of the reference.

    >>> from circlet.data.tableaux import Thing
    >>> crabs = Scene(setting="beach", things=(Thing(kind="crab", count=3),))
    >>> two = Wish(crabs, [Need(about="count", kind="crab", count=2)])
    >>> two.grade(crabs), two.grade(crabs.changed("crab", count=2))
    (0.0, 1.0)
    """

    def __init__(self, reference: Scene, needs: Sequence[Need]) -> None:
        self.reference, self.needs = reference, tuple(needs)
        self.stays = untouched(facts(reference), touched(needs))
        self._expected = {*reference.kinds, *(need.kind for need in needs)}
        self._sign = bool(reference.sign) or any(need.about == "sign" for need in needs)

    def asked(self, candidate: Scene) -> float:
        """The share of what the text asks for that holds."""
        return sum(need.holds(self.reference, candidate) for need in self.needs) / max(1, len(self.needs))

    def kept(self, candidate: Scene, known: frozenset[Atom] | None = None) -> float:
        """The share of what was to stay that is there; what nobody spoke of takes some back."""
        extra = sum(kind not in self._expected for kind in candidate.kinds)
        extra += bool(candidate.sign) and not self._sign
        whole = len(self.stays) + extra
        held = len(self.stays & (facts(candidate) if known is None else known))
        return held / whole if whole else 1.0

    def grade(self, candidate: Scene, known: frozenset[Atom] | None = None) -> float:
        """√(asked · kept): neither what is asked nor what stays makes up for the other."""
        asked = self.asked(candidate)
        return round(sqrt(asked * self.kept(candidate, known)), 3) if asked else 0.0
