"""Clauses checked by what is seen in the pictures: which things, how many, how they look, where."""

from collections.abc import Sequence

import numpy as np

from circlet.core import Encoder, Pictures, Query, Vectors
from circlet.models.frames.eye import FrameEye
from circlet.models.frames.glimpse import SIDE, glimpse, pixels_of
from circlet.models.phrases import SUBJECT
from circlet.models.scenes.holding import evidence, heard_holds, kept, stays, touched
from circlet.models.scenes.listening import Listener, Said
from circlet.models.scenes.sights import Seen, Sights
from circlet.models.scenes.trust import Trust
from circlet.models.scenes.viewer import Viewer, sights_of, view
from circlet.models.scorers.clauses import Checks, Clause, ClauseScorer, stressed

# Pictures that are looked at in one go, and such whose sights are remembered.
_BLOCK, _REMEMBERED = 32, 50_000


class SceneClauses(ClauseScorer):
    """The clauses of a query in scenes that were read: `default % 100 >> FOLDER`.

    A clause about things is as likely as what it asks for is in the picture; what is to stay is the share
    of the first picture's scene that is still there. Pictures are looked at once, and then remembered.
    """

    own = 0.05

    def __init__(
        self,
        eye: FrameEye,
        viewer: Viewer,
        listener: Listener,
        trust: Trust,
        encoder: Encoder,
        *,
        name: str = "",
    ) -> None:
        self.eye, self.viewer, self.listener = eye.eval(), viewer.eval(), listener
        self.trust, self.known, self.encoder, self.name = trust, listener.known, encoder, name
        self._rows: dict[tuple[str, bytes], int] = {}
        self._sights: list[Sights] = []

    def __repr__(self) -> str:
        return f"load_method({self.name!r}, {self.encoder!r})"

    def check(self, query: Query, ids: Sequence[str], pictures: Pictures) -> Checks:
        """Every clause of the query in every candidate; without a picture to compare with, none."""
        said, picture = self.listener.asked(query), _picture(query)
        # What is to stay counts as much as all that is asked for.
        subject = [Clause(SUBJECT, picture, weight=max(1.0, len(said)))] if picture else []
        clauses = [stressed(one, query) for one in (*subject, *map(_clause, said))]
        found = np.full((len(clauses), len(ids)), np.nan, np.float32)
        if len(ids) and picture:
            heard = [one.heard for one in said]
            seen, before = self.seen(ids, pictures), self.seen([picture], pictures)
            found[0] = kept(stays(touched(heard, before), seen, before))
            for row, one in enumerate(heard, 1):
                likely = heard_holds(one, seen, before)
                if likely is not None:
                    found[row] = np.clip(likely, 0, 1)
        return Checks(tuple(clauses), found)

    def answers(self, query: Query, ids: Sequence[str], pictures: Pictures) -> Vectors:
        """How likely each picture answers in full, as the logarithm of odds: all holds, all else stayed.

        Where one fact of fifteen is off, `check` says that nearly all is kept, and this that it is no answer.
        """
        picture = _picture(query)
        if picture is None or not len(ids):
            return np.zeros(len(ids), np.float32)
        seen, before = self.seen(ids, pictures), self.seen([picture], pictures)
        return self.trust(evidence([one.heard for one in self.listener.asked(query)], seen, before))

    def seen(self, ids: Sequence[str], pictures: Pictures) -> Seen:
        """What is seen in these pictures, looked at now or remembered."""
        keys = [
            (id, row.tobytes()[:256]) for id, row in zip(ids, pictures.vectors_of(list(ids)), strict=True)
        ]
        new = {key: id for key, id in zip(keys, ids, strict=True) if key not in self._rows}
        if len(self._rows) + len(new) > _REMEMBERED:
            self._rows, self._sights = {}, []
            new = dict(zip(keys, ids, strict=True))
        for at in range(0, len(new), _BLOCK):
            some = list(new.items())[at : at + _BLOCK]
            self._look([pictures.open(id, SIDE) for _, id in some], [key for key, _ in some])
        if len(self._sights) > 1:
            self._sights = [Sights(*(np.concatenate(parts) for parts in zip(*self._sights, strict=True)))]
        return Seen(self._sights[0].rows([self._rows[key] for key in keys]), self.known)

    def _look(self, opened: Sequence[object], keys: Sequence[tuple[str, bytes]]) -> None:
        pixels = np.stack([pixels_of(picture) for picture in opened])
        self._rows |= {key: len(self._rows) + at for at, key in enumerate(keys)}
        self._sights.append(sights_of(self.viewer, view(self.eye, glimpse(pixels), pixels)))


def _picture(query: Query) -> str | None:
    return next((turn.picture for turn in reversed(query.turns) if turn.picture), None)


def _clause(said: Said) -> Clause:
    return Clause(said.need.about if said.heard else "remove", said.words, absent=said.absent)


def expected_grade(checks: Checks) -> Vectors:
    """√(asked · kept), as far as clauses tell: the mean of what is asked for, and what stayed.

    What was not checked is as likely as not.
    """
    stayed, *asked = np.nan_to_num(checks.probabilities, nan=0.5)
    return np.sqrt(np.mean(asked, axis=0) * stayed) if asked else np.asarray(stayed)
