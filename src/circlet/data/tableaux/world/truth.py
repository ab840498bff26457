"""Requirements: what a text asks of the wanted picture, checked against scene graphs."""

from collections.abc import Sequence
from dataclasses import dataclass

from circlet.data.tableaux.world.layout import member
from circlet.data.tableaux.world.scene import COLUMNS, SIZES, VIEWS, Scene


@dataclass(frozen=True, kw_only=True)
class Need:
    """One thing that must be true of the wanted scene, perhaps compared with the reference.

    `about` says what is asked: add, remove, replace, count, more, fewer, colour, shirt, hair, tone,
    larger, smaller, column, front, back, facing, left of, setting, time, weather, closer, wider,
    sign, no sign. The other fields hold what the words name, and are empty otherwise.

    >>> from circlet.data.tableaux import Scene, Thing
    >>> dogs = Scene(setting="park", things=(Thing(kind="dog", count=2, colour="brown", facing="left"),))
    >>> Need(about="count", kind="dog", count=3).holds(dogs, dogs.changed("dog", count=3))
    True
    """

    about: str
    kind: str = ""
    count: int = 0
    colour: str = ""
    column: str = ""
    other: str = ""
    value: str = ""

    def holds(self, reference: Scene, candidate: Scene) -> bool:
        """Whether the candidate is what this need asks, seen from the reference."""
        match self.about:
            case "add" | "count":
                return self._there(candidate)
            case "remove":
                return candidate.count(self.kind) == 0
            case "replace":
                return candidate.count(self.other) == 0 and self._there(candidate)
            case "more":
                return candidate.count(self.kind) > reference.count(self.kind)
            case "fewer":
                return 0 < candidate.count(self.kind) < reference.count(self.kind)
            case "larger" | "smaller":
                return self._resized(reference, candidate)
            case "closer" | "wider":
                step = VIEWS.index(candidate.view) - VIEWS.index(reference.view)
                return step < 0 if self.about == "closer" else step > 0
            case "setting" | "time" | "weather" | "sign":
                return bool(getattr(candidate, self.about) == self.value)
            case "no sign":
                return not candidate.sign
            case "left of":
                return _beside(candidate, self.kind, self.other)
            case _:
                return self._of_thing(candidate)

    def _there(self, candidate: Scene) -> bool:
        """So many of the kind, in the colour and the column named, if they are."""
        thing = candidate.thing(self.kind)
        return (
            thing is not None
            and thing.count == self.count
            and self.colour in ("", thing.colour)
            and self.column in ("", thing.column)
        )

    def _of_thing(self, candidate: Scene) -> bool:
        thing = candidate.thing(self.kind)
        if thing is None:
            return False
        match self.about:
            case "colour" | "shirt":
                return thing.colour == self.value
            case "front" | "back":
                return thing.depth == self.about
            case _:
                return bool(getattr(thing, self.about) == self.value)

    def _resized(self, reference: Scene, candidate: Scene) -> bool:
        """Larger or smaller both by the graph and as drawn."""
        was, now = reference.thing(self.kind), candidate.thing(self.kind)
        if was is None or now is None:
            return False
        step = SIZES.index(now.size) - SIZES.index(was.size)
        before, after = member(reference, was)[1], member(candidate, now)[1]
        if self.about == "larger":
            return step > 0 and after * 100 > before * 112
        return step < 0 and after * 112 < before * 100


def _beside(scene: Scene, left: str, right: str) -> bool:
    one, two = scene.thing(left), scene.thing(right)
    return one is not None and two is not None and COLUMNS.index(one.column) < COLUMNS.index(two.column)


def satisfies(needs: Sequence[Need], reference: Scene, candidate: Scene) -> bool:
    """Whether the candidate is all that is asked."""
    return all(need.holds(reference, candidate) for need in needs)


def changes(reference: Scene, target: Scene) -> list[Need]:
    """Everything that leads from the reference to the target, one need for each difference.

    >>> from dataclasses import replace
    >>> from circlet.data.tableaux import Scene, Thing
    >>> beach = Scene(setting="beach", things=(Thing(kind="crab"),))
    >>> night = replace(beach.changed("crab", count=2), time="night")
    >>> [need.about for need in changes(beach, night)]
    ['time', 'count']
    """
    needs = [
        Need(about=name, value=getattr(target, name))
        for name in ("setting", "time", "weather")
        if getattr(reference, name) != getattr(target, name)
    ]
    if reference.sign != target.sign:
        needs.append(Need(about="sign", value=target.sign) if target.sign else Need(about="no sign"))
    if reference.view != target.view:
        near = VIEWS.index(target.view) < VIEWS.index(reference.view)
        needs.append(Need(about="closer" if near else "wider"))
    return needs + _comings(reference, target) + _alterations(reference, target)


def _comings(reference: Scene, target: Scene) -> list[Need]:
    """Things that came, went, or came in the place of another."""
    gone = [thing for thing in reference.things if target.thing(thing.kind) is None]
    needs = []
    for new in target.things:
        if reference.thing(new.kind) is not None:
            continue
        fields = {"kind": new.kind, "count": new.count, "colour": new.colour if not new.tone else ""}
        place = [old for old in gone if (old.column, old.of.stance) == (new.column, new.of.stance)]
        if place:
            gone.remove(place[0])
            needs.append(Need(about="replace", other=place[0].kind, **fields))  # type: ignore[arg-type]
        else:
            needs.append(Need(about="add", column=new.column, **fields))  # type: ignore[arg-type]
    return needs + [Need(about="remove", kind=thing.kind) for thing in gone]


def _alterations(reference: Scene, target: Scene) -> list[Need]:
    """What changed about things that stayed."""
    needs = []
    for was in reference.things:
        now = target.thing(was.kind)
        if now is None:
            continue
        name = was.kind
        if was.count != now.count:
            needs.append(Need(about="count", kind=name, count=now.count))
        if was.colour != now.colour:
            about = "shirt" if was.of.palette == "shirt" else "colour"
            needs.append(Need(about=about, kind=name, value=now.colour))
        for about in ("hair", "tone", "facing", "column"):
            if getattr(was, about) != getattr(now, about):
                needs.append(Need(about=about, kind=name, value=getattr(now, about)))
        if was.depth != now.depth:
            needs.append(Need(about=now.depth, kind=name))
        for about in ("larger", "smaller"):
            need = Need(about=about, kind=name)
            if was.size != now.size and need.holds(reference, target):
                needs.append(need)
    return needs
