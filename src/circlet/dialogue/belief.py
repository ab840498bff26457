"""A belief over what is searched: every turn is evidence about every candidate.

log b(z) = s(z)/T₀ + Σ over picks of [cos(z, y₊)/T − log of the mean over the shown y of exp(cos(z, y)/T)]

The first term is what was said: the turns as the composer understands them, later ones weighing more, in
deviations over the gallery. The second asks, for each pick, how likely somebody who wants z would have
picked this one of those that were shown. A rule that pushes one vector leads away from everything that
looks like what was passed over, the target too; here a picture that resembles all of the shown is left
where it was. Cosines count in deviations between pictures, so that one temperature serves every encoder.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from circlet.core import (
    Composer,
    Contributions,
    Gallery,
    Label,
    Method,
    Pictures,
    Query,
    Ranking,
    RankOptions,
    Searchable,
    Turn,
    UsageError,
    Vectors,
    beside,
    best,
    same_space,
)
from circlet.dialogue.conversation import both
from circlet.language import understand

# Chosen on the val split of the standard tableaux world: see docs/dialogue.md.
SAID, PICKED, MARKED, FADING = 1.0, 1.0, 1.0, 0.8
# Words alone, before a picture was picked for them: it shows them from then on.
_SHOWN_SINCE = 0.3
# So many pictures tell how alike two of a gallery usually are.
_SAMPLE = 128
_LEAST = 1e-6
# More pictures than this are not all believed in: so many that a search by vector finds are.
_WHOLE, _SHORT = 20_000, 1_000
# Scores that are held at once for pictures that were shown: bounds memory, not results.
_BLOCK = 8_000_000


@dataclass(frozen=True)
class Pick:
    """What was chosen in a turn, among what: rows of the evidence's pictures, the chosen one's place."""

    owner: int
    turn: int
    picture: str
    rows: NDArray[np.intp]
    place: int
    sign: float = 1.0

    def evidence(self, near: Vectors) -> Vectors:
        """How much likelier than chance the pick was for each candidate, as a logarithm.

        `near` is the candidates' likeness to what was shown, (shown, candidates). Chance only shifts all
        scores alike; but so a pick that says nothing adds nothing.
        """
        return self.sign * (near[self.place] - _log_sum_exp(near) + np.float32(np.log(len(near))))


class Belief(Method):
    """The turns as evidence about every candidate, around a composer of single turns.

    `said`, `picked` and `marked` are the temperatures of words and first pictures, of picks and of marks
    on pictures that nobody says were chosen from others; less is surer. A turn before the last weighs
    `fading` of the one after it. Scores are logarithms of a belief, up to a constant.
    """

    believes = True

    def __init__(
        self,
        composer: Composer,
        *,
        said: float = SAID,
        picked: float = PICKED,
        marked: float = MARKED,
        fading: float = FADING,
    ) -> None:
        for name, value in (("said", said), ("picked", picked), ("marked", marked), ("fading", fading)):
            if value <= 0:
                raise UsageError(f"{name} is above 0, not {value}")
        self.composer, self.fingerprint = composer, composer.fingerprint
        self.said, self.picked, self.marked, self.fading = said, picked, marked, fading

    def __repr__(self) -> str:
        return (
            f"Belief({self.composer!r}, said={self.said}, picked={self.picked}, marked={self.marked}, "
            f"fading={self.fading})"
        )

    def scores(
        self, queries: Sequence[Query], gallery: Gallery, *, pictures: Pictures | None = None
    ) -> Vectors:
        return self.prepared(queries, gallery, pictures)(gallery)

    def rank(
        self, queries: Sequence[Query], gallery: Searchable, *, top: int = 50, **options: Unpack[RankOptions]
    ) -> list[Ranking]:
        """The best `top`; in large galleries, of those that a search by one vector finds.

        The vector has of each pick what it is to first order, the picked less the mean of the shown.
        """
        if len(gallery) <= _WHOLE or self.composer.projects:
            return super().rank(queries, gallery, top=top, **options)
        same_space(self.fingerprint, gallery.fingerprint)
        known = beside(options.get("pictures"), gallery)
        rows, seen, picks = self._told(queries, known).sums(), *self._picks(queries, known)
        leading = rows.copy()
        for pick in picks:
            leading[pick.owner] += pick.sign * (seen[pick.rows[pick.place]] - seen[pick.rows].mean(axis=0))
        rankings = []
        found = gallery.search(
            leading, top=max(top, _SHORT), filters=options.get("filters"), exclude=options.get("exclude")
        )
        for owner, near in enumerate(found):
            own = [replace(pick, owner=0) for pick in picks if pick.owner == owner]
            scores = _believed(rows[owner : owner + 1], seen, own, gallery.vectors_of(near.ids))[0]
            order = best(scores, top)
            rankings.append(Ranking([near.ids[at] for at in order], scores[order]))
        return rankings

    def prepared(
        self, queries: Sequence[Query], gallery: Searchable, pictures: Pictures | None
    ) -> Callable[[Gallery], Vectors]:
        same_space(self.fingerprint, gallery.fingerprint)
        known = beside(pictures, gallery)
        told = self._told(queries, known)
        rows, seen, picks = told.sums(), *self._picks(queries, known)
        return lambda piece: _believed(rows, seen, picks, self.composer.project(piece).vectors)

    def parts(
        self, query: Query, candidates: Gallery, pictures: Pictures
    ) -> tuple[tuple[Label, ...], Vectors]:
        """What each word, picture and pick brought to the logarithm of the belief in each candidate."""
        vectors = self.composer.project(candidates).vectors
        told = self._told([query], pictures)
        seen, picks = self._picks([query], pictures)
        labels = [Label("liked" if pick.sign > 0 else "disliked", pick.picture, pick.turn) for pick in picks]
        alone = [_believed(np.zeros_like(vectors[:1]), seen, [pick], vectors) for pick in picks]
        return (*told.labels, *labels), np.concatenate([told.rows @ vectors.T, *alone])

    @property
    def explained_by(self) -> Method:
        return self

    def picture_share(self, query: Query) -> float | None:
        last = next((turn for _, turn in reversed(heard_together(query)) if turn.both), None)
        return None if last is None else self.composer.share(last)

    def _told(self, queries: Sequence[Query], known: Pictures) -> Contributions:
        """What was said as one vector a query, in deviations over the gallery and of its temperature."""
        turns, owners, numbers, weights = [], [], [], []
        for row, query in enumerate(queries):
            steps = heard_together(query)
            for age, (number, turn) in enumerate(reversed(steps)):
                turns.append(turn)
                owners.append(row)
                numbers.append(number)
                weights.append(self.fading**age * (1.0 if turn.picture or not age else _SHOWN_SINCE))
        told = self.composer.contributions(turns, known).scaled(np.array(weights, np.float32))
        whole = told.regroup(len(queries), np.array(owners, np.intp), numbers).unit()
        spread = _spread(whole.sums(), self._sample(known, 1024))
        whole = whole.scaled(1 / (self.said * spread))
        return whole.join(self._marks(queries, known))

    def _marks(self, queries: Sequence[Query], known: Pictures) -> Contributions:
        """Pictures that were liked and disliked, nobody says among which: more and less like them."""
        terms, signs = [], []
        for row, query in enumerate(queries):
            for number, turn in enumerate(query.turns, start=1):
                for ids, sign in ((turn.liked, 1.0), (turn.disliked, -1.0)):
                    alone = [id for id in ids if id not in turn.shown]
                    terms += [(row, Label("liked" if sign > 0 else "disliked", id, number)) for id in alone]
                    signs += [sign / len(alone) for _ in alone]
        rows = self._vectors([label.what for _, label in terms], known)
        if not terms:
            return Contributions.of(len(queries), [], rows)
        scale = np.array(signs, np.float32) / (self.marked * self._apart(known))
        return Contributions.of(len(queries), terms, rows * scale[:, None])

    def _picks(self, queries: Sequence[Query], known: Pictures) -> tuple[Vectors, list[Pick]]:
        """What was chosen from what was shown, and the vectors of all of that, scaled by temperature."""
        chosen: list[tuple[int, int, str, tuple[str, ...], float]] = []
        for owner, query in enumerate(queries):
            since = changed_mind(query)
            for number, turn in enumerate(query.turns[since:], start=since + 1):
                ups = (turn.picture, *turn.liked) if turn.picture else turn.liked
                for ids, sign in ((ups, 1.0), (turn.disliked, -1.0)):
                    chosen += [(owner, number, id, turn.shown, sign) for id in ids if id in turn.shown]
        named = list(dict.fromkeys(id for *_, shown, _ in chosen for id in shown))
        rows = {id: row for row, id in enumerate(named)}
        picks = [
            Pick(owner, number, id, np.array([rows[one] for one in shown], np.intp), shown.index(id), sign)
            for owner, number, id, shown, sign in chosen
        ]
        vectors = self._vectors(named, known)
        return (vectors / np.float32(self.picked * self._apart(known)) if picks else vectors), picks

    def _vectors(self, ids: Sequence[str], known: Pictures) -> Vectors:
        """Pictures as the composer compares them."""
        named = list(dict.fromkeys(ids))
        return self.composer.project(Gallery(named, known.vectors_of(named), self.fingerprint)).vectors_of(
            ids
        )

    def _apart(self, known: Pictures) -> float:
        """By how much the cosine of two pictures usually differs from that of two others."""
        some = self._sample(known, _SAMPLE)
        if len(some) < 3:
            return 1.0
        alike = some @ some.T
        return max(float(alike[~np.eye(len(some), dtype=bool)].std()), _LEAST)

    def _sample(self, known: Pictures, most: int) -> Vectors:
        ask = getattr(known, "some_vectors", None)
        some = np.zeros((0, 0), np.float32) if ask is None else np.asarray(ask(most))
        if not len(some):
            return some
        names = [str(row) for row in range(len(some))]
        return self.composer.project(Gallery(names, some, self.fingerprint)).vectors


def _spread(rows: Vectors, sample: Vectors) -> NDArray[np.float32]:
    """By how much each row's scores differ over a sample; one where there is none to tell by."""
    if len(sample) < 3:
        return np.ones(len(rows), np.float32)
    spread = (rows @ sample.T).std(axis=1)
    return np.where(spread > _LEAST, spread, 1).astype(np.float32)


def _believed(rows: Vectors, seen: Vectors, picks: Sequence[Pick], vectors: Vectors) -> Vectors:
    """Scores of what was said, and of every pick, for these vectors."""
    step = max(1, _BLOCK // max(1, len(vectors)))
    if len(seen) <= step:
        # All in one product: vectors that fill the memory are read once.
        both = np.concatenate([rows, seen]) @ vectors.T
        scores, near = both[: len(rows)], both[len(rows) :]
        for pick in picks:
            scores[pick.owner] += pick.evidence(near[pick.rows])
        return scores
    scores = rows @ vectors.T
    at = 0
    while at < len(picks):
        # As many picks at once as their pictures fit into memory together.
        end, wanted = at, np.zeros(0, np.intp)
        while end < len(picks) and (end == at or len(np.union1d(wanted, picks[end].rows)) <= step):
            wanted = np.union1d(wanted, picks[end].rows)
            end += 1
        near = seen[wanted] @ vectors.T
        for pick in picks[at:end]:
            scores[pick.owner] += pick.evidence(near[np.searchsorted(wanted, pick.rows)])
        at = end
    return scores


def _log_sum_exp(rows: Vectors) -> Vectors:
    most = rows.max(axis=0)
    return most + np.log(np.exp(rows - most).sum(axis=0))


def heard_together(query: Query) -> list[tuple[int, Turn]]:
    """The turns that still stand, each with its number, and words with the picture that they are about.

    Words after words, or after a picture, are heard together with them, so that the later ones have the
    last word. Words that put another thing in the place of the main one leave what was before them behind.

    >>> heard_together(Query("q") + Turn(text="a dog") + Turn(picture="dog.jpg", text="but a cat"))
    [(2, Turn(picture='dog.jpg', text='but a cat'))]
    >>> heard_together(Query("q") + Turn(picture="dog.jpg") + Turn(text="in red") + Turn(text="make it blue"))
    [(1, Turn(picture='dog.jpg', text='in red\\nmake it blue'))]
    """
    _ = query.last  # a query without a turn is an error that says so
    steps: list[tuple[int, Turn]] = []
    changed = changed_mind(query)
    for number, turn in enumerate(query.turns, start=1):
        said = replace(turn, shown=(), liked=(), disliked=(), instead=False)
        if said.empty:
            continue
        if steps and said.picture is None:
            begun, before = steps.pop()
            steps.append((begun, both(before, said)))
        else:
            steps.append((number, said))
        if number == changed:
            del steps[:-1]
    return steps


def changed_mind(query: Query) -> int:
    """The number of the last turn, after the first, that asks for another thing than was shown; 0: none.

    >>> changed_mind(Query("q") + Turn(picture="dog.jpg") + Turn(text="but a cat") + Turn(text="at night"))
    2
    """
    later = list(enumerate(query.turns, start=1))[:0:-1]
    return next((number for number, turn in later if _another(turn)), 0)


def _another(turn: Turn) -> bool:
    """Whether the words put another thing in the place of the main one that is shown."""
    return any(edit.replaces and not edit.what for edit in understand(turn.text).edits)
