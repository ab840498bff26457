"""The library behind page and API: both do everything through it.

It turns keys into pictures and links into sessions, keeps visitors inside the collection, and
leaves every search to `Collection`.
"""

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Collection as Several
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from circlet.app.http.config import ServerConfig
from circlet.app.http.holdings import Holdings
from circlet.app.http.jobs import Jobs, indexer
from circlet.app.http.keys import Keys
from circlet.app.http.lanes import Lanes
from circlet.app.http.links import pack, unpack
from circlet.app.http.reranking import Rerankers
from circlet.app.http.runs import runs_of
from circlet.app.http.searching import Searches
from circlet.app.http.small import SmallPictures
from circlet.app.http.thumbs import Thumbs
from circlet.collection import Check, SearchOptions
from circlet.core import (
    BusyError,
    CircletError,
    DataError,
    Filters,
    MismatchError,
    Query,
    StoreError,
    Turn,
    UsageError,
)
from circlet.core.home import keep_private
from circlet.dialogue import Session
from circlet.images.addresses import id_of
from circlet.images.moments import called
from circlet.index import Entry, Tally, public_address

if TYPE_CHECKING:
    from circlet.collection import Collection, Results
    from circlet.collection.moving import Moved
    from circlet.dialogue import Explanation
    from circlet.dialogue.suggest import Suggestion
    from circlet.index import StoredSpace

# How old, in seconds, what is remembered of the indexed folders may be.
_AGE = 3.0
# The most folders that the filter's list offers.
_FOLDERS = 300
# A path in a message: what is left of one after the collection's own folder was taken out.
_PATH = re.compile(r"(?<![\w.])(?:/[^\s/:'\"]+){2,}|[A-Za-z]:\\[^\s:'\"]+")


class Library(Holdings):
    """What one server knows: its collection, its visitors' uploads, its indexing jobs."""

    def __init__(self, collection: "Collection", config: ServerConfig) -> None:
        keep_private(collection.home)
        self.collection = collection
        self.config = config
        self.limits = config.limits
        self.uploads = collection.home / "uploads"
        self.keys = Keys(self._named, self.uploads)
        self.thumbs = Thumbs(collection.home / "thumbnails", collection.thumbnail)
        folder = collection.root or None
        work = (folder, str(collection.home), collection.encoder_name)
        runs = runs_of(config.shared)
        self.looks = Jobs(indexer(*work, "look"), store=collection.location, runs=runs("looks"))
        self.jobs = Jobs(indexer(*work), store=collection.location, runs=runs("jobs"), then=self.look)
        self._roots: tuple[float, dict[str, Path]] = (float("-inf"), {})
        # More searches at once than processors would only make each other slower; but one that has
        # to encode an upload first must not keep everybody waiting.
        most = max(2, (os.cpu_count() or 1) // config.processes)
        self.searches = Searches(most)
        slots = {"uploads": 2, "thumbnails": most}
        self.lanes = Lanes(slots, budget=self.limits.decoding_bytes // config.processes)
        self.small = SmallPictures(self.thumbs, self.lanes)
        # What stands above every page, for whoever watches how it is used; nothing else knows of it.
        self.above: Callable[[], str] = str
        # Told how many seconds each search took; and whether what searches need is loaded.
        self.searched: Callable[[float], None] = lambda seconds: None
        self.warmed = Event()
        self.rerankers = Rerankers(config.rerank)

    # What there is

    @property
    def roots(self) -> dict[str, Path]:
        """The indexed folders by the names that visitors see."""
        if self.collection.folder is not None:
            return {self.collection.folder.name or "/": self.collection.folder}
        read, named = self._roots
        if time.monotonic() - read > _AGE:
            try:
                paths = [Path(root) for root in self.collection.store.roots()]
            except StoreError:
                paths = []
            named = {}
            for path in paths:
                named[path.name if path.name not in named else f"{path.name} {len(named) + 1}"] = path
            self._roots = (time.monotonic(), named)
        return named

    @property
    def _space(self) -> "StoredSpace":
        return self.collection.store.space(self.collection.encoder.fingerprint)

    def _named(self, keys: Several[int]) -> Mapping[int, str]:
        """The collection's pictures that these keys stand for; none before the first is indexed."""
        try:
            known = self.collection.store.named(keys)
        except BusyError:
            raise
        except StoreError:
            return {}
        if self.lists:
            return known
        roots = [f"{id_of(root)}{os.sep}" if str(root) != os.sep else os.sep for root in self.roots.values()]
        return {key: id for key, id in known.items() if id.startswith(tuple(roots))}

    def count(self, options: SearchOptions | None = None) -> int:
        """How many pictures there are under these filters; none before the first is indexed."""
        try:
            return self._space.count(self.filters(options))
        except BusyError:
            raise
        except (StoreError, MismatchError):
            return 0

    def filters(self, options: SearchOptions | None = None) -> Filters | None:
        """What these options narrow to, never more than this collection."""
        narrowed = self.resolved(options or SearchOptions()).filters or Filters()
        if narrowed.folder is None and self.collection.folder is not None:
            narrowed = replace(narrowed, folder=self.collection.root)
        return narrowed or None

    def indexed(self) -> bool:
        """Whether the folder, or any where there is none, was ever looked through."""
        try:
            roots = [Path(root) for root in self.collection.store.roots()]
        except StoreError:
            return False
        folder = self.collection.folder
        return any(folder is None or folder.is_relative_to(r) or r.is_relative_to(folder) for r in roots)

    def warm(self) -> None:
        """Load what a search needs, in the background; if that fails, the search itself will say why."""

        def load() -> None:
            from circlet.collection.suggesting import vocabulary_of

            with suppress(CircletError):
                self.collection.encoder.texts(["a first word"])
                vocabulary_of(self.collection.encoder)
                self.warmed.set()

        self.searches.before(load)

    def look(self) -> None:
        """Have people counted and text read in the background, where that is installed."""
        from circlet.models.seeing.watchers import ways

        if ways() and self.indexed():
            with suppress(BusyError):
                self.looks.start()

    def browse(
        self, options: SearchOptions, start: int, top: int, *, by_date: bool = False
    ) -> tuple[list[str], int]:
        """Pictures to begin with, and how many there are: the latest first, or spread over all of them."""
        count = self.count(options)
        if not count:
            return [], 0
        look = self._space.newest if by_date else self._space.sample
        return look(start, top, self.filters(options)), count

    def tally(self, options: SearchOptions) -> Tally:
        """How many pictures there are in each folder, of each month and of each shape."""
        try:
            return self._space.tally(self.filters(options))
        except BusyError:
            raise
        except (StoreError, MismatchError):
            return Tally({}, {}, {})

    def entries(self, ids: Sequence[str]) -> dict[str, Entry]:
        """What the index knows of these pictures; nothing of one that is gone."""
        try:
            return {entry.path: entry for entry in self.collection.store.entries(ids)}
        except BusyError:
            raise
        except (StoreError, DataError):
            return {}

    def folders(self, options: SearchOptions) -> dict[str, int]:
        """The collection's folders down to the second level, each with how many pictures are in it."""
        counts: dict[str, int] = {}
        roots = self.roots.values()
        for path, count in self.tally(options.but(folder="")).folders.items():
            if not any(Path(path).is_relative_to(root) for root in roots):
                continue  # a list named pictures in it, and nobody named the folder
            parts = [part for part in self.place(f"{path}/").split("/") if part]
            for depth in range(1, min(2, len(parts)) + 1):
                name = "/".join(parts[:depth])
                counts[name] = counts.get(name, 0) + count
        return dict(sorted(counts.items())[:_FOLDERS])

    def methods(self) -> dict[str, str]:
        """The methods by name, each with a line about it."""
        from circlet.models import METHODS

        # A model that reads picture and words apart cannot read them in one pass.
        hidden = set() if hasattr(self.collection.encoder, "together") else {"joint"}
        return {name: line for name, (_, line) in METHODS.items() if name not in hidden}

    # Names

    def place(self, id: str) -> str:
        """Where a picture is, told from the collection's root: never an absolute path."""
        if self.keys.uploaded(id):
            return "your picture"
        for name, root in self.roots.items():
            prefix = f"{id_of(root)}/" if str(root) != "/" else "/"
            if id.startswith(prefix):
                inside = id.removeprefix(prefix)
                return inside if self.collection.folder is not None else f"{name}/{inside}"
        return Path(id).name

    def name(self, id: str) -> str:
        """What to call a picture."""
        return "your picture" if self.keys.uploaded(id) else called(id)

    def scrub(self, message: str) -> str:
        """A message for a visitor: paths told from the collection's root, others not at all."""
        for name, root in self.roots.items():
            message = message.replace(f"{id_of(root)}/", "").replace(id_of(root), name)
        message = message.replace(str(self.collection.home), "circlet's folder")
        message = message.replace(public_address(self.collection.location), "circlet's index")
        return _PATH.sub("…", message)

    def renamed(self, turn: Turn) -> dict[str, Any]:
        """A turn as plain values, its pictures by key."""
        told = turn.to_dict()
        if turn.picture:
            told["picture"] = self.keys.key(turn.picture)
        for name in ("liked", "disliked", "shown"):
            if name in told:
                told[name] = [self.keys.key(id) for id in told[name]]
        return told

    # Sessions

    def session(self, word: str, options: SearchOptions | None = None) -> Session:
        """The session a link stands for, ready to be searched."""
        session = unpack(word, self.keys, self.limits)
        return replace(session, search=partial(self._search, options=options or SearchOptions()))

    def word(self, session: Session) -> str:
        """The session as it stands in a link."""
        return pack(session, self.keys, self.limits)

    def find(
        self,
        session: Session,
        options: SearchOptions,
        *,
        start: int = 0,
        top: int = 40,
        checked: bool = False,
    ) -> "Results":
        """One page of results, by the one search path there is; `checked`: with what holds in each."""
        if start + top > self.limits.depth:
            raise UsageError(f"a search shows at most {self.limits.depth} results: say more of what you want")
        return self._search(session.query, options=options.but(start=start, top=top), checked=checked)

    def _search(self, query: Query, *, options: SearchOptions, checked: bool = False) -> "Results":
        resolved, began = self.resolved(options), time.perf_counter()
        with self.searches.turn(), self.collection.still():
            found = self.collection.find(query, resolved)
            if found.missed and found.missed.worst:
                found = replace(found, missed=replace(found.missed, worst=self._called(found.missed.worst)))
            if checked:
                found = found.checked(self._checks(query, resolved, found.ids))
        self.searched(time.perf_counter() - began)
        return found

    def resolved(self, options: SearchOptions) -> SearchOptions:
        """Options as visitors write them, made safe: folders from the root, names that are public."""
        from circlet.models.methods import names_in

        known = self.methods()
        if strange := [name for name in names_in(str(options.method)) if name not in known]:
            raise UsageError(f"unknown method {strange[0]!r}: pick one of {', '.join(known)}")
        options = options.but(rerank=self.rerankers.resolved(str(options.rerank)))
        return options.but(folder=id_of(self._within(options.folder))) if options.folder else options

    def _within(self, name: str) -> Path:
        """The folder that a visitor names from the collection's root; one outside is refused."""
        if self.collection.folder is not None:
            base, inside = self.collection.folder, name
        else:
            first, _, inside = name.partition("/")
            base = self.roots.get(first) or _no_folder(name)
        folder = Path(base, inside)
        if "\0" in inside or ".." in Path(inside).parts or not folder.is_relative_to(base):
            _no_folder(name)
        return folder

    def why(self, session: Session, options: SearchOptions, id: str) -> "Explanation":
        """A picture's score, and what each part of the search brought to it."""
        if not session.turns or self.keys.uploaded(id):
            raise UsageError("only a result can be explained: search first")
        resolved = self.resolved(options)
        with self.searches.turn():
            told = self.collection.why(session.query, id, resolved)
        # Turns are told as the visitor counts them: from the first, whether it still stands or not.
        past = len(session.turns) - len(session.query.turns)
        return replace(told, parts=tuple(replace(part, turn=part.turn + past) for part in told.parts))

    def share(self, session: Session, options: SearchOptions) -> float | None:
        """The picture's share against the words that is in force; None where it cannot be changed."""
        resolved = self.resolved(options)
        if not session.query.weighed:
            return None
        with self.searches.turn():
            return self.collection.picture_share(session.query, resolved)

    def suggestions(self, session: Session, options: SearchOptions) -> "list[Suggestion]":
        """What could be said next about this search."""
        resolved = self.resolved(options)
        with self.searches.turn():
            return self.collection.suggestions(session.query, resolved)

    def moved(self, session: Session, options: SearchOptions, first: Sequence[str]) -> "Moved | None":
        """What the last turn of this search brought into its first results."""
        from circlet.collection.moving import moved

        resolved = self.resolved(options)
        with self.searches.turn():
            return moved(self.collection, session.query, first, resolved)

    def checks(self, session: Session, options: SearchOptions, ids: Sequence[str]) -> list[tuple[Check, ...]]:
        """Which clauses of the search hold in these pictures, an upload called what it is."""
        resolved = self.resolved(options)
        with self.searches.turn():
            return self._checks(session.query, resolved, ids)

    def untrained(self, options: SearchOptions) -> str:
        """A line for where no scorer was trained to check what was asked; else empty."""
        return self.collection.untrained(self.resolved(options))

    def _checks(self, query: Query, options: SearchOptions, ids: Sequence[str]) -> list[tuple[Check, ...]]:
        found = self.collection.checks(query, ids, options) if ids else []
        return [tuple(map(self._called, checks)) for checks in found]

    def _called(self, check: Check) -> Check:
        return replace(check, clause=f"as in {self.name(check.picture)}") if check.picture else check


def _no_folder(name: str) -> Path:
    raise UsageError(f"no folder {name!r} in this collection: pick one from the list")
