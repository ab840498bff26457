"""A collection of pictures: index it, search it, talk about it. Every way in goes through here."""

import os
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event, RLock
from typing import TYPE_CHECKING, Any

from circlet.collection.question import Argument, PictureLike, Wish, ask
from circlet.collection.ranking import Ranked
from circlet.collection.results import Hit, Results
from circlet.collection.settings import Settings
from circlet.collection.uploads import MEMORY, Uploads
from circlet.core import Beside, Composer, Encoder, Gallery, Lookup, Method, Query, UsageError
from circlet.core.home import home as usual_home
from circlet.index import Embedded, Entry, Filters

if TYPE_CHECKING:
    from PIL.Image import Image

    from circlet.collection.explain import Why
    from circlet.collection.indexing import IndexReport, Progress
    from circlet.collection.info import Info
    from circlet.dialogue import Session


class Collection:
    """The pictures of one indexed folder, or of all of them.

    >>> import circlet                                               # doctest: +SKIP
    >>> pictures = circlet.open("~/Pictures")                        # doctest: +SKIP
    >>> pictures.index()                                             # doctest: +SKIP
    >>> for hit in pictures.search("beach.jpg", "at night"):         # doctest: +SKIP
    ...     print(hit.rank, hit.score, hit.path)
    """

    def __init__(self, folder: Path | None, home: Path, encoder: str | Encoder, method: str | Method) -> None:
        self.folder = folder
        self.home = home
        self.encoder_name = encoder if isinstance(encoder, str) else encoder.fingerprint
        self._chosen = method
        self._lock = RLock()
        self._store: Embedded | None = None
        self._named = isinstance(encoder, str)
        self._encoder = None if isinstance(encoder, str) else encoder
        self._methods: dict[str, Method] = {}
        self.outside = Uploads(lambda: self.encoder, home / "uploads")

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str] | None = None,
        *,
        home: str | os.PathLike[str] | None = None,
        encoder: str | Encoder | None = None,
        method: str | Method | None = None,
    ) -> "Collection":
        """The collection of a folder (indexed or to be indexed), or of everything indexed.

        Nothing is loaded yet. `home` is where circlet keeps what it knows (CIRCLET_HOME); the
        encoder is the one last used for indexing there, unless another is named.
        """
        place = Path(home).expanduser().absolute() if home is not None else usual_home()
        root = None if folder is None else Path(folder).expanduser().resolve()
        chosen = encoder or Settings(place).get("encoder", "builtin")
        if isinstance(chosen, str) and Path(chosen).is_dir():
            chosen = str(Path(chosen).resolve())
        return cls(root, place, chosen, method or "default")

    def __repr__(self) -> str:
        return f"Collection.open({str(self.folder) if self.folder else None!r}, home={str(self.home)!r})"

    def __enter__(self) -> "Collection":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index; the next use opens it again."""
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None

    @property
    def encoder(self) -> Encoder:
        """The encoder, loaded on first use."""
        with self._lock:
            if self._encoder is None:
                from circlet.models import load_encoder

                self._encoder = load_encoder(self.encoder_name)
            return self._encoder

    @property
    def store(self) -> Embedded:
        """The index, opened for reading on first use; a missing one is an error that says what to do."""
        with self._lock:
            if self._store is None:
                self._store = Embedded.open(self.home / "index")
            return self._store

    def method(self, name: str | Method | None = None) -> Method:
        """A method by name over this collection's encoder, with feedback and history around it."""
        chosen = name or self._chosen
        if isinstance(chosen, Method):
            return chosen
        with self._lock:
            if chosen not in self._methods:
                from circlet.dialogue import Conversation
                from circlet.models import load_method

                made = load_method(chosen, self.encoder)
                self._methods[chosen] = Conversation(made) if isinstance(made, Composer) else made
            return self._methods[chosen]

    def index(self, progress: "Progress | None" = None, *, stop: Event | None = None) -> "IndexReport":
        """Read what is new or changed, forget what is gone: safe to repeat, safe to interrupt.

        `progress` is told how far it is; setting `stop` ends the run after the batch in hand.
        """
        from circlet.collection.indexing import refresh

        report = refresh(self, progress, stop)
        if self._named:
            settings = Settings(self.home)
            if settings.get("encoder", "builtin") != self.encoder_name:
                settings["encoder"] = self.encoder_name
        return report

    def search(
        self,
        *asked: Argument,
        without: Sequence[str] = (),
        emphasis: Sequence[tuple[str, float]] = (),
        balance: float | None = None,
        top: int = 20,
        start: int = 0,
        filters: Filters | None = None,
        fold: bool = True,
        method: str | Method | None = None,
        keep: bool = False,
    ) -> Results:
        """The pictures that match: `search("beach.jpg", "at night", without=["people"])`.

        Each of `asked` is a picture (a path, bytes, an opened Pillow image, an array of uint8) or
        words; a text that names an existing file is a picture.
        """
        things = (without,) if isinstance(without, str) else tuple(without)
        wish = Wish(without=things, emphasis=tuple(emphasis), balance=balance)
        query = ask(asked, wish, self.bring)
        return self.find(query, top=top, start=start, filters=filters, fold=fold, method=method, keep=keep)

    def find(
        self,
        query: Query,
        *,
        top: int = 20,
        start: int = 0,
        filters: Filters | None = None,
        fold: bool = True,
        method: str | Method | None = None,
        keep: bool = False,
    ) -> Results:
        """Hits `start + 1` to `start + top` for a query of any number of turns.

        The query's own pictures, and those it dislikes, are left out and named in `left_out`;
        `keep=True` leaves them in.
        """
        if top < 1 or start < 0:
            raise UsageError(f"top is at least 1 and start at least 0, not {top} and {start}")
        _ = query.last
        chosen = self._within(filters)
        self._has_vectors()
        inside = self.store.having(query.pictures, self.encoder.fingerprint)
        gone = () if keep else tuple(id for id in _own(query) if id in inside)
        ranker = self.method(method)
        ranked = Ranked(self.store, ranker, query, self._pictures(query, inside), chosen, gone)
        groups = ranked.groups(start + top + 1, folded=fold)
        cutoff = ranked.cutoff(self.encoder)
        hits = tuple(
            Hit(rank, score, path, tuple(folded), cutoff is not None and score < cutoff)
            for rank, (path, score, folded) in enumerate(groups, start=1)
        )
        page = hits[start : start + top]
        return Results(
            query,
            page,
            cutoff=cutoff,
            matched=any(not hit.below for hit in hits),
            more=len(hits) > start + top,
            left_out=gone,
        )

    def why(self, query: Query, id: str, *, method: str | Method | None = None) -> "Why":
        """What each turn's pictures and words brought to this picture's score."""
        from circlet.collection.explain import why

        self._has_vectors()
        fingerprint = self.encoder.fingerprint
        candidate = Gallery([id], self.store.vectors_of([id], fingerprint), fingerprint)
        inside = self.store.having(query.pictures, fingerprint)
        return why(self.method(method), query, self._pictures(query, inside), candidate)

    def bring(self, picture: "PictureLike | str", *, keep: bool = False) -> str:
        """The id of a picture for use in a query; it need not be in the collection.

        A file is named by its path; bytes, arrays and opened pictures are held in memory, or with
        `keep=True` stored under CIRCLET_HOME so that a saved session finds them again.
        """
        if isinstance(picture, str) and picture.startswith(MEMORY):
            return picture
        if not isinstance(picture, str | os.PathLike):
            return self.outside.bring(picture, keep=keep)
        named = Path(picture).expanduser()
        # The index resolves folders, not the pictures in them: a linked picture keeps its own name.
        return str(named.parent.resolve() / named.name)

    def session(self, saved: str | os.PathLike[str] | None = None, **options: Any) -> "Session":
        """A search over several turns, new or as it was saved; options are those of `find`.

        >>> session = collection.session().say("a beach").say("at night")    # doctest: +SKIP
        >>> session.results.hits[0].path                                     # doctest: +SKIP
        """
        from circlet.dialogue import Session

        search = partial(self.find, **options)
        if saved is not None:
            return Session.load(Path(saved), search=search, bring=self.bring)
        about = {"folder": str(self.folder or ""), "encoder": self.encoder_name}
        return Session(search=search, bring=self.bring, about=about)

    def _pictures(self, query: Query, inside: Set[str]) -> Lookup:
        """Vectors of the query's pictures: the index's own, and fresh ones for what it does not have."""
        stale = {entry.path for entry in self.store.entries(tuple(inside)) if _changed(entry)}
        kept = [id for id in query.pictures if id in inside and id not in stale]
        fresh = [id for id in query.pictures if id not in kept]
        fingerprint = self.encoder.fingerprint
        held = Gallery(kept, self.store.vectors_of(kept, fingerprint), fingerprint)
        return Beside(self.outside.gallery(fresh), held) if fresh else held

    def _within(self, filters: Filters | None) -> Filters | None:
        """The filters, confined to this collection's folder, which must be an indexed one."""
        if self.folder is None:
            return filters or None
        roots = [Path(root) for root in self.store.roots()]
        if not any(self.folder.is_relative_to(root) or root.is_relative_to(self.folder) for root in roots):
            known = ", ".join(map(str, roots)) or "nothing yet"
            raise UsageError(
                f"{self.folder} is not indexed: run circlet index {self.folder} first (indexed: {known})"
            )
        inner = Path(filters.folder) if filters and filters.folder is not None else self.folder
        if inner.is_relative_to(self.folder):
            return replace(filters or Filters(), folder=str(inner))
        if self.folder.is_relative_to(inner):
            return replace(filters or Filters(), folder=str(self.folder))
        raise UsageError(f"{inner} is not in {self.folder}: name a folder that is")

    def unread(self) -> int:
        """How many indexed pictures no search finds, because this encoder has not read them."""
        counts = self.store.counts()
        if counts.pictures == counts.spaces[self.encoder.fingerprint].pictures:
            return 0
        root = str(self.folder or os.sep)
        return len(self.store.known(root)) - len(self.store.known(root, self.encoder.fingerprint))

    def _has_vectors(self) -> None:
        spaces = self.store.fingerprints()
        if self.encoder.fingerprint in spaces:
            return
        if not spaces:
            raise UsageError("no picture is indexed yet: run circlet index FOLDER first")
        if any(space.startswith(f"{self.encoder_name}-") for space in spaces):
            raise UsageError(
                f"these pictures were indexed with another version of the encoder {self.encoder_name}: "
                "run circlet index, which reads them again"
            )
        raise UsageError(
            f"nothing is indexed with the encoder {self.encoder_name}: "
            f"run circlet index FOLDER --encoder {self.encoder_name} first"
        )

    def roots(self) -> list[str]:
        """The folders that are indexed."""
        return self.store.roots() if (self.home / "index").is_dir() else []

    def info(self) -> "Info":
        """What is indexed, with what, and what could not be read."""
        from circlet.collection.info import Info

        return Info.of(self)

    def verify(self) -> list[str]:
        """What is wrong with the index, one plain line each; none is good."""
        return self.store.verify()

    def repair(self) -> list[str]:
        """Drop the vectors that `verify` finds damaged; indexing again makes them anew."""
        with Embedded.open(self.home / "index", write=True) as store:
            return store.repair()

    def forget(self, path: str | os.PathLike[str]) -> int:
        """Take a picture, or a folder with all that is in it, out of the index; gives how many."""
        named = Path(path).expanduser()
        ids = {str(named.absolute()), self.bring(named), str(named.resolve())}
        with Embedded.open(self.home / "index", write=True) as store:
            roots = [root for root in store.roots() for id in ids if Path(root).is_relative_to(id)]
            count = store.forget(ids) or sum(store.forget_root(id) for id in ids)
        if not count and not roots:
            raise UsageError(f"{named}: nothing of it is indexed; circlet info shows what is")
        return count

    def thumbnail(self, id: str, side: int = 256) -> "Image":
        """A small picture for showing: of the collection, or one that was brought from outside."""
        from circlet.images import thumbnail

        if id.startswith(MEMORY):
            small = self.outside.picture(id).copy()
            small.thumbnail((side, side))
            return small
        return thumbnail(Path(id), side)


def _own(query: Query) -> tuple[str, ...]:
    """The pictures a query is about: its references, and what it dislikes."""
    named = ((turn.picture, *turn.disliked) for turn in query.turns)
    return tuple(dict.fromkeys(id for ids in named for id in ids if id))


def _changed(entry: Entry) -> bool:
    """Whether a file is there and differs from what was indexed; one that is gone has its vector still."""
    try:
        state = Path(entry.path).stat()
    except OSError:
        return False
    return (state.st_size, state.st_mtime_ns) != (entry.size, entry.mtime_ns)
