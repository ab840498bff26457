"""What an assistant may do: search, refine, show, explain. One talk at a time, small copies only."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from circlet.collection import Check, Collection, Hit, Results, SearchOptions
from circlet.collection.results import percent
from circlet.core import CircletError, UsageError
from circlet.dialogue import Session
from circlet.images.addresses import id_of
from circlet.images.files import shown

SMALL, LARGE, MOST = 256, 1024, 20


@dataclass(frozen=True)
class Said:
    """What a tool answers: a text, and pictures as JPEG files with nothing of the original's but the look."""

    text: str
    pictures: tuple[bytes, ...] = ()


class Guide:
    """The tools over one collection, and the talk that they go on with.

    Only indexed pictures can be named, by their path within the folder or by their number in the last
    results; what is shown is drawn anew, so that no file's own data leaves the machine.
    """

    def __init__(self, collection: Collection, options: SearchOptions | None = None) -> None:
        self.collection, self.options = collection, options or SearchOptions()
        if self.options.rerank:
            # What cannot be loaded is said now, and not to the assistant.
            collection.method(self.options)
        self._lock = Lock()
        self._session: Session | None = None

    def search(self, words: str = "", picture: str = "", without: Sequence[str] = (), top: int = 8) -> Said:
        """Begin anew: pictures that match words, an indexed picture, or both."""
        with self._lock:
            begun = self.collection.session(options=self.options, top=max(1, min(top, MOST)))
            named = self._indexed(picture) if picture else None
            return self._answer(begun.say(words, picture=named, without=tuple(without)))

    def refine(
        self,
        words: str = "",
        like: Sequence[int] = (),
        dislike: Sequence[int] = (),
        pick: int = 0,
        without: Sequence[str] = (),
        undo: bool = False,
    ) -> Said:
        """Go on with the last results: say more, like, dislike or pick by number, take the last turn back."""
        with self._lock:
            session = self._talk()
            if undo:
                session = session.undo()
            # Numbers are of the results that were shown, which a like or a pick already changes.
            liked, disliked = self._paths(like), self._paths(dislike)
            if pick:
                session = session.pick(self._paths([pick])[0], words)
            if liked:
                session = session.like(*liked)
            if disliked:
                session = session.dislike(*disliked)
            if (words and not pick) or without:
                session = session.say("" if pick else words, without=tuple(without))
            if session is self._session:
                raise UsageError("nothing was asked: give words, like, dislike, pick, without or undo")
            return self._answer(session)

    def show(self, number: int) -> Said:
        """One of the last results, larger."""
        with self._lock:
            hit = self._hit(number)
            return Said(self._line(hit), (self._drawn(hit, LARGE),))

    def explain(self, number: int) -> Said:
        """Why one of the last results was found: which parts of what was said hold in it."""
        with self._lock:
            hit, results = self._hit(number), self._results()
            (checks,) = self.collection.checks(results.query, [hit.path], self.options)
            told = [f"{check.clause}: {_holds(check)}" for check in checks]
            for part in self.collection.why(results.query, hit.path, self.options).parts:
                what = shown(Path(part.what).name) if part.of_picture else part.what
                told.append(f"turn {part.turn}, {what}: {part.score:+.3f}")
            return Said("\n".join([self._line(hit), *told]))

    def _answer(self, session: Session) -> Said:
        """The session's results; only now it is the talk that goes on: what failed changes nothing."""
        if not session.turns:
            self._session = session
            return Said("nothing is asked for any more: search again")
        results: Results = session.results
        self._session = session
        said = ["asked: " + " → ".join(map(shown, session.history))]
        why = f" ({shown(str(results.missed))})" if results.missed else ""
        said += [] if results.matched else [f"nothing matches{why}; the nearest pictures:"]
        said += [self._line(hit) for hit in results]
        said += results.notes
        drawn = []
        for hit in results:
            try:
                drawn.append(self._drawn(hit, SMALL))
            except CircletError as error:
                said.append(f"{hit.rank} cannot be shown: {error}")
        return Said("\n".join(said), tuple(drawn))

    def _line(self, hit: Hit) -> str:
        alike = f", {len(hit.folded)} more alike" if hit.folded else ""
        below = ", below the cut-off" if hit.below else ""
        likely = "" if hit.relevance is None else f", relevance {percent(hit.relevance)}"
        return f"{hit.rank}. {shown(self._name(hit.path))} ({hit.score:.3f}{likely}{alike}{below})"

    def _name(self, path: str) -> str:
        """A picture's path within its folder: where that lies on the machine is nobody's business."""
        for root in self.collection.roots():
            if Path(path).is_relative_to(root):
                return str(Path(path).relative_to(root))
        return Path(path).name

    def _drawn(self, hit: Hit, side: int) -> bytes:
        out = io.BytesIO()
        self.collection.thumbnail(hit.path, side).convert("RGB").save(out, "JPEG", quality=85)
        return out.getvalue()

    def _indexed(self, name: str) -> str:
        """The id of an indexed picture by its path within a folder; any other file is refused."""
        ids = [id_of(Path(root) / name) for root in self.collection.roots()]
        folder = self.collection.folder
        known = self.collection.store.known(ids, self.collection.encoder.fingerprint)
        for id in ids:
            if id in known and (folder is None or Path(id).is_relative_to(folder)):
                return id
        raise UsageError(f"{name}: no indexed picture has this path; take one as the results name it")

    def _talk(self) -> Session:
        if self._session is None:
            raise UsageError("there are no results yet: search first")
        return self._session

    def _results(self) -> Results:
        session = self._talk()
        if not session.turns:
            raise UsageError("there are no results any more: search again")
        found: Results = session.results
        return found

    def _hit(self, number: int) -> Hit:
        hits = self._results().hits
        if not 1 <= number <= len(hits):
            raise UsageError(f"no result {number}: there are {len(hits)}")
        return hits[number - 1]

    def _paths(self, numbers: Sequence[int]) -> list[str]:
        return [self._hit(number).path for number in numbers]


def _holds(check: Check) -> str:
    """A check in words.

    >>> _holds(Check("no people", 0.21)), _holds(Check("two dogs", None))
    ('does not hold (0.21)', 'not checked')
    """
    if check.probability is None:
        return "not checked"
    return f"{'holds' if check.holds else 'does not hold'} ({check.probability:.2f})"
