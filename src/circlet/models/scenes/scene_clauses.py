"""Clauses checked by what is seen in the pictures: which things, how many, how they look, where."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from circlet.core import Encoder, Pictures, Query, Vectors
from circlet.models.encoders.sentences import Sentences
from circlet.models.frames.eye import FrameEye
from circlet.models.frames.glimpse import SIDE, glimpse, pixels_of
from circlet.models.phrases import SUBJECT, readings
from circlet.models.scenes.holding import evidence, holds, kept, stays
from circlet.models.scenes.needs import Hearing, SceneNeed, hear
from circlet.models.scenes.sights import Seeable, Seen, Sights
from circlet.models.scenes.trust import Trust
from circlet.models.scenes.viewer import Viewer, sights_of, view
from circlet.models.scorers.clauses import Checks, Clause, ClauseScorer
from circlet.models.scorers.learned import asked_of, one_each

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
        hearing: Hearing,
        trust: Trust,
        known: Seeable,
        encoder: Encoder,
        *,
        name: str = "",
    ) -> None:
        self.eye, self.viewer, self.hearing = eye.eval(), viewer.eval(), hearing.eval()
        self.trust, self.known, self.encoder, self.name = trust, known, encoder, name
        self.sentences = Sentences()
        self._rows: dict[tuple[str, bytes], int] = {}
        self._sights: list[Sights] = []

    def __repr__(self) -> str:
        return f"load_method({self.name!r}, {self.encoder!r})"

    def check(self, query: Query, ids: Sequence[str], pictures: Pictures) -> Checks:
        """Every clause of the query in every candidate; without a picture to compare with, none."""
        clauses = _weighed(one_each(query))
        found = np.full((len(clauses), len(ids)), np.nan, np.float32)
        picture = next((clause.what for clause in clauses if clause.kind == SUBJECT), None)
        if len(ids) and len(clauses) > 1 and picture is not None:
            needs = self.needs(clauses)
            seen, before = self.seen(ids, pictures), self.seen([picture], pictures)
            found[0] = kept(stays(needs, seen, before))
            for row, need in enumerate(needs, 1):
                likely = holds(need, seen, before)
                if likely is not None:
                    found[row] = np.clip(likely, 0, 1)
        return Checks(clauses, found)

    def answers(self, query: Query, ids: Sequence[str], pictures: Pictures) -> Vectors:
        """How likely each picture answers in full, as the logarithm of odds: all holds, all else stayed.

        Where one fact of fifteen is off, `check` says that nearly all is kept, and this that it is no answer.
        """
        clauses = one_each(query)
        picture = next((clause.what for clause in clauses if clause.kind == SUBJECT), None)
        if picture is None or not len(ids):
            return np.zeros(len(ids), np.float32)
        seen, before = self.seen(ids, pictures), self.seen([picture], pictures)
        return self.trust(evidence(self.needs(clauses), seen, before))

    def needs(self, clauses: Sequence[Clause]) -> list[SceneNeed]:
        """What each clause but the subject asks for."""
        return hear(readings(asked_of(clauses)), self.known, self.hearing, self.sentences)

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


def _weighed(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """What is to stay counts as much as all that is asked for."""
    stays = float(max(1, len(clauses) - 1))
    return tuple(replace(one, weight=stays) if one.kind == SUBJECT else one for one in clauses)


def expected_grade(checks: Checks) -> Vectors:
    """√(asked · kept), as far as clauses tell: the mean of what is asked for, and what stayed.

    What was not checked is as likely as not.
    """
    stayed, *asked = np.nan_to_num(checks.probabilities, nan=0.5)
    return np.sqrt(np.mean(asked, axis=0) * stayed) if asked else np.asarray(stayed)
