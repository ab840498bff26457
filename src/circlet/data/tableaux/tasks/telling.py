"""What a truthful user of the tableaux world knows: how near a scene comes to another, and what differs."""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from circlet.core import Benchmark, Query, UsageError
from circlet.data.tableaux.tasks.grades import Atom, atoms
from circlet.data.tableaux.world.scene import Scene
from circlet.data.tableaux.world.truth import Need, changes
from circlet.data.tableaux.world.words import say


class Asked(Protocol):
    """What is to be told: see `dialogue.simulate.Contrast`."""

    @property
    def query(self) -> Query: ...
    @property
    def picked(self) -> str: ...
    @property
    def wanted(self) -> str: ...
    @property
    def draw(self) -> str: ...


class GraphLikeness:
    """How much of the wanted graph each scene has; what is there besides takes some back (`likeness`)."""

    def __init__(self, scenes: Mapping[str, Scene]) -> None:
        self.scenes = scenes
        self._atoms: dict[str, frozenset[Atom]] = {}

    def __call__(self, wanted: str, shown: Sequence[str]) -> Sequence[float]:
        ours, kinds = self._of(wanted), self.scenes[wanted].kinds
        near = []
        for id in shown:
            extra = sum(kind not in kinds for kind in self.scenes[id].kinds)
            near.append(len(ours & self._of(id)) / (len(ours) + extra))
        return near

    def _of(self, id: str) -> frozenset[Atom]:
        if id not in self._atoms:
            self._atoms[id] = atoms(self.scenes[id])
        return self._atoms[id]


class GraphTeller:
    """Says what leads from the picked scene to the wanted one, in the wordings of a split.

    `needs` is how many things are said in a turn. What was said before is said again only when there is
    nothing new, and nothing at all where two scenes do not differ in anything that words could say.

    >>> from circlet.data.tableaux import Thing
    >>> crab = Scene(setting="beach", things=(Thing(kind="crab"),))
    >>> teller = GraphTeller({"a": crab, "b": crab.changed("crab", count=3)}, "val")
    >>> [need.count for need in teller.needs_of(Query("1"), "a", "b", "draw")]
    [3]
    """

    def __init__(self, scenes: Mapping[str, Scene], split: str, *, needs: int = 1) -> None:
        if needs < 1:
            raise UsageError(f"a turn says at least one thing, not {needs}")
        self.scenes, self.split, self.needs = scenes, split, needs
        self._told: dict[tuple[str, str], tuple[Need, ...]] = {}

    @classmethod
    def of(cls, scenes: Mapping[str, Scene], benchmark: Benchmark, *, needs: int = 1) -> "GraphTeller":
        """A teller who knows what the first turns of a benchmark's queries say."""
        teller = cls(scenes, benchmark.split, needs=needs)
        for case in benchmark.cases:
            teller.heard(case.query, case.notes.get("needs", ()))
        return teller

    def heard(self, query: Query, needs: Iterable[Mapping[str, Any]]) -> None:
        """Take note of what the words of a query's last turn ask for."""
        self._told[query.id, query.last.text] = tuple(Need(**need) for need in needs)

    def __call__(self, contrasts: Sequence[Asked]) -> list[str]:
        texts = []
        for one in contrasts:
            needs = self.needs_of(one.query, one.picked, one.wanted, one.draw)
            text = ""
            if needs:
                text = say(needs, self.scenes[one.picked], random.Random(one.draw), self.split).text
                self._told[one.query.id, text] = needs
            texts.append(text)
        return texts

    def said(self, query: Query) -> tuple[Need, ...]:
        """Everything that a query's turns asked for so far, as far as it was told here."""
        return tuple(need for turn in query.turns for need in self._told.get((query.id, turn.text), ()))

    def needs_by_turn(self, query: Query) -> list[list[dict[str, Any]]]:
        """The same turn by turn, as plain JSON values."""
        told = [self._told.get((query.id, turn.text), ()) for turn in query.turns]
        return [
            [{name: value for name, value in vars(need).items() if value} for need in each] for each in told
        ]

    def needs_of(self, query: Query, picked: str, wanted: str, draw: str) -> tuple[Need, ...]:
        """What the next turn should ask for."""
        every = changes(self.scenes[picked], self.scenes[wanted])
        random.Random(f"order {draw}").shuffle(every)
        before = set(self.said(query))
        new = [need for need in every if need not in before]
        return tuple((new or every)[: self.needs])
