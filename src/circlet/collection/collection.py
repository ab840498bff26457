"""A collection of pictures: index it, search it, talk about it. Every way in goes through here."""

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event, RLock
from typing import TYPE_CHECKING, Any

from circlet.collection.asked import Asked, own_pictures, within
from circlet.collection.methods import Methods
from circlet.collection.options import SearchOptions
from circlet.collection.pictures import pictures_of
from circlet.collection.question import Argument, PictureLike, Wish, ask
from circlet.collection.ranking import hits
from circlet.collection.results import RELEVANT, Check, Results
from circlet.collection.settings import Settings
from circlet.collection.uploads import MEMORY, Uploads
from circlet.core import Encoder, Gallery, Method, PictureEncoder, Progress, Query, UsageError
from circlet.core.closing import Closing
from circlet.core.home import home as usual_home
from circlet.core.home import keep_private
from circlet.images.addresses import address_of, id_of, place_of
from circlet.index import Store, is_engine, open_store, store_at

if TYPE_CHECKING:
    from PIL.Image import Image

    from circlet.collection.info import Info
    from circlet.collection.lists import Lists
    from circlet.collection.looking import LookReport
    from circlet.collection.report import IndexReport
    from circlet.core import Searchable
    from circlet.dialogue import Explanation, Session
    from circlet.dialogue.suggest import Suggestion


class Collection(Closing):
    """The pictures of one indexed folder, or of all of them.

    >>> import circlet                                               # doctest: +SKIP
    >>> pictures = circlet.open("~/Pictures")                        # doctest: +SKIP
    >>> pictures.index()                                             # doctest: +SKIP
    >>> for hit in pictures.search("beach.jpg", "at night"):         # doctest: +SKIP
    ...     print(hit.rank, hit.score, hit.path)
    """

    def __init__(
        self, folder: Path | None, home: Path, store: str, encoder: str | Encoder, method: str | Method
    ) -> None:
        from circlet.models.encoders.load import anywhere

        self.folder = folder
        self.home = home
        self.location = store
        self.encoder_name = anywhere(encoder) if isinstance(encoder, str) else encoder.fingerprint
        self._lock = RLock()
        self._store: Store | None = None
        self.named = isinstance(encoder, str)
        self._given = None if isinstance(encoder, str) else encoder
        self._encoder: PictureEncoder | None = None
        self._methods = Methods(lambda: self.encoder, method)
        self.uploads = Uploads(lambda: self.encoder, home / "uploads")

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str] | None = None,
        *,
        home: str | os.PathLike[str] | None = None,
        store: str | os.PathLike[str] | None = None,
        encoder: str | Encoder | None = None,
        method: str | Method | None = None,
    ) -> "Collection":
        """The collection of a folder (indexed or to be indexed), or of everything indexed.

        Nothing is loaded yet. `home` is where circlet keeps what it knows (CIRCLET_HOME); the
        encoder is the one last used for indexing there, unless another is named. `store` is where the
        index is, if not in `home`: another folder, or milvus://host:19530/name (CIRCLET_STORE).
        """
        place = Path(home).expanduser().absolute() if home is not None else usual_home()
        kept = store_at(store or os.environ.get("CIRCLET_STORE") or place / "index")
        root = None if folder is None else place_of(folder)
        chosen = encoder or Settings(place).get("encoder", "builtin")
        if isinstance(chosen, str) and Path(chosen).is_dir():
            chosen = str(Path(chosen).resolve())
        return cls(root, place, kept, chosen, method or "default")

    def __repr__(self) -> str:
        return f"Collection.open({self.root or None!r}, home={str(self.home)!r})"

    def close(self) -> None:
        """Let go of the index; the next use opens it again."""
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None

    @property
    def encoder(self) -> PictureEncoder:
        """The encoder, loaded on first use."""
        with self._lock:
            if self._encoder is None:
                from circlet.models.encoders.base import complete
                from circlet.models.encoders.load import load_encoder

                given = self._given
                self._encoder = load_encoder(self.encoder_name) if given is None else complete(given)
            return self._encoder

    @property
    def store(self) -> Store:
        """The index, opened for reading on first use; a missing one is an error that says what to do."""
        with self._lock:
            if self._store is None:
                self._store = self.open_store()
            return self._store

    def open_store(self, *, write: bool = False) -> Store:
        """The index, opened anew."""
        if write or self.there:
            keep_private(self.home)
        return open_store(self.location, write=write)

    @property
    def there(self) -> bool:
        """Whether there is an index, or a server that may hold one."""
        return is_engine(self.location) or Path(self.location).is_dir()

    def method(self, options: SearchOptions | None = None, query: Query | None = None) -> Method:
        """The method that these options mean over this collection's encoder, with its history.

        For a query of one plain turn there is no history to join: the method stands as it is.
        """
        return self._methods.of(options or SearchOptions(), query)

    @property
    def follows(self) -> bool:
        """Whether links that lead out of the folder are followed, which its owner has to allow."""
        return self.root in Settings(self.home).folders("follow")

    def allow_links(self, follow: bool) -> None:
        """Follow links that lead out of the folder from the next indexing on, or no longer."""
        Settings(self.home).choose("follow", self.root, follow)

    @property
    def watches(self) -> bool:
        """Whether moments of the folder's videos and animations are indexed."""
        return self.root in Settings(self.home).folders("video")

    def watch(self, video: bool) -> None:
        """Take moments of videos and animations along from the next indexing on, or no longer."""
        Settings(self.home).choose("video", self.root, video)

    @property
    def root(self) -> str:
        """What the index calls the folder, the list or the bucket of this collection; empty: everything."""
        return "" if self.folder is None else id_of(self.folder)

    @property
    def lists(self) -> "Lists":
        """The lists that were indexed here."""
        from circlet.collection.lists import Lists

        return Lists(self.home, self.location)

    def index(
        self, progress: Progress | None = None, *, stop: Event | None = None, workers: str = ""
    ) -> "IndexReport":
        """Read what is new or changed, forget what is gone: safe to repeat, safe to interrupt.

        `progress` is told how far it is; `stop` ends the run after the batch in hand. `workers` are those
        of a Ray cluster: ray on this machine, ray:4 for four, ray://host:10001.
        """
        from circlet.collection.indexing import refresh

        report = refresh(self, progress, stop, workers)
        if self.named:
            settings = Settings(self.home)
            if settings.get("encoder", "builtin") != self.encoder_name:
                settings["encoder"] = self.encoder_name
        return report

    def look(self, progress: Progress | None = None, *, stop: Event | None = None) -> "LookReport":
        """Look at what was indexed: count people and read writing, whichever is installed.

        It goes on where it was left, and does nothing where neither extra is there; searching and
        indexing go on meanwhile.
        """
        from circlet.collection.looking import look

        return look(self, progress, stop)

    def search(
        self,
        *asked: Argument,
        without: Sequence[str] = (),
        emphasis: Sequence[tuple[str, float]] = (),
        balance: float | None = None,
        options: SearchOptions | None = None,
        **changes: Any,
    ) -> Results:
        """The pictures that match: `search("beach.jpg", "at night", without=["people"], top=5)`.

        Each of `asked` is a picture (a path, bytes, an opened Pillow image, an array of uint8) or
        words; a text that names an existing file is a picture. Everything else that can be set is a
        field of `SearchOptions`, given as a keyword or all together.
        """
        things = (without,) if isinstance(without, str) else tuple(without)
        wish = Wish(without=things, emphasis=tuple(emphasis), balance=balance)
        return self.find(ask(asked, wish, self.bring), options, **changes)

    def find(self, query: Query, options: SearchOptions | None = None, **changes: Any) -> Results:
        """The hits for a query of any number of turns, by `SearchOptions` or their fields as keywords.

        The query's own pictures, and those it dislikes, are left out and named in `left_out`;
        `keep=True` leaves them in.
        """
        from circlet.collection.checking import missed
        from circlet.collection.notes import notes, seen_in_some, unfitted

        chosen = (options or SearchOptions()).but(**changes)
        stop = chosen.start + chosen.top
        with self._asked(query, chosen) as asked:
            found, cutoff = hits(asked.best, self.store, self.encoder, need=stop + 1, folded=chosen.fold)
            matched = any(not hit.below for hit in found) and seen_in_some(asked, found)
            rated = bool(found) and found[0].relevance is not None
            return Results(
                query,
                tuple(found[chosen.start : stop]),
                cutoff=cutoff,
                matched=matched,
                more=len(found) > stop,
                left_out=asked.gone,
                notes=notes(asked, self.encoder, self.store) + unfitted(query, chosen.rerank, found),
                thumbnail=self.thumbnail,
                relevance_cutoff=RELEVANT if rated else None,
                missed=missed(asked, self.encoder, found[0]) if found and not matched else None,
            )

    def why(self, query: Query, id: str, options: SearchOptions | None = None) -> "Explanation":
        """What each turn's pictures and words brought to this picture's score.

        Where clauses set the order, the score is theirs: `checks` says what it is made of.
        """
        from circlet.collection.checking import checked, relevance_of
        from circlet.dialogue import explain
        from circlet.models.scorers.checked import ordered_by_clauses

        with self._asked(query, options) as asked:
            candidate = Gallery([id], asked.pictures.vectors_of([id]), asked.pictures.fingerprint)
            (told,) = explain(asked.method, query, candidate, pictures=asked.pictures)
            told = replace(
                told,
                parts=tuple(sorted(told.parts, key=lambda part: part.turn)),
                relevance=relevance_of(asked, candidate),
            )
            if not ordered_by_clauses(asked.method, query, asked.space):
                return told
            by_clauses = float(checked(asked, self.encoder, [id]).scores()[0])
        return replace(told, score=by_clauses, by_clauses=True)

    def picture_share(self, query: Query, options: SearchOptions | None = None) -> float | None:
        """The picture's share against the words that is in force; None where a balance changes nothing."""
        return self.method(options, query).picture_share(query) if query.weighed else None

    def checks(
        self, query: Query, ids: Sequence[str], options: SearchOptions | None = None
    ) -> list[tuple[Check, ...]]:
        """For each picture how likely it is that each clause of the query holds in it.

        >>> results = collection.search("beach.jpg", "at night")             # doctest: +SKIP
        >>> results.checked(collection.checks(results.query, results.ids))   # doctest: +SKIP
        """
        from circlet.collection.checking import checked, told

        with self._asked(query, options) as asked:
            return told(checked(asked, self.encoder, ids))

    def untrained(self, options: SearchOptions | None = None) -> str:
        """A line for where the encoder alone checks clauses, since nothing was trained to; else empty."""
        from circlet.collection.checking import UNTRAINED
        from circlet.models.scorers.checked import clause_scorer
        from circlet.models.scorers.untrained import UntrainedClauses

        scorer = clause_scorer(self.method(options))
        return UNTRAINED if scorer is None or isinstance(scorer, UntrainedClauses) else ""

    def suggestions(self, query: Query, options: SearchOptions | None = None) -> "list[Suggestion]":
        """What could be said next: what splits the leading candidates, what the chosen ones share.

        >>> collection.suggestions(session.query)                            # doctest: +SKIP
        [Suggestion(kind='splits', words='in the snow', gain=0.9)]
        """
        from circlet.collection.suggesting import suggestions

        with self._asked(query, options) as asked:
            return suggestions(asked, self.encoder)

    def still(self) -> "AbstractContextManager[Searchable]":
        """One moment of the index for all that this thread asks in the context, whoever writes meanwhile."""
        return self.store.space(self.encoder.fingerprint).snapshot()

    @contextmanager
    def _asked(self, query: Query, options: SearchOptions | None) -> Iterator[Asked]:
        """The query, ready to be ranked as these options say, over one moment of the index."""
        _, chosen = query.last, options or SearchOptions()
        with self.still() as space:
            filters = within(self.folder, chosen.filters, self.store.roots())
            self._has_vectors()
            pictures, inside = pictures_of(query, self.store, self.encoder, self.uploads)
            gone = () if chosen.keep else tuple(id for id in own_pictures(query) if id in inside)
            yield Asked(query, self.method(chosen, query), space, pictures, gone, filters)

    def bring(self, picture: "PictureLike | str", *, keep: bool = False) -> str:
        """The id of a picture for use in a query; it need not be in the collection.

        A file is named by its path; bytes, arrays and opened pictures are held in memory, or with
        `keep=True` stored under CIRCLET_HOME so that a saved session finds them again.
        """
        if isinstance(picture, str) and picture.startswith(MEMORY):
            return picture
        if not isinstance(picture, str | os.PathLike):
            return self.uploads.bring(picture, keep=keep)
        if address := address_of(picture):
            return address
        named = Path(picture).expanduser()
        # The index resolves folders, not the pictures in them: a linked picture keeps its own name.
        return str(named.parent.resolve() / named.name)

    def session(
        self,
        saved: str | os.PathLike[str] | None = None,
        options: SearchOptions | None = None,
        **changes: Any,
    ) -> "Session":
        """A search over several turns, new or as it was saved; options are those of `find`.

        >>> session = collection.session().say("a beach").say("at night")    # doctest: +SKIP
        >>> session.results.hits[0].path                                     # doctest: +SKIP
        """
        from circlet.dialogue import Session

        search = partial(self.find, options=(options or SearchOptions()).but(**changes))
        if saved is not None:
            return Session.load(Path(saved), search=search, bring=self.bring)
        about = {"folder": self.root, "encoder": self.encoder_name}
        return Session(search=search, bring=self.bring, about=about)

    def unread(self) -> int:
        """How many indexed pictures no search finds, because this encoder has not read them."""
        from circlet.collection.counting import unread

        return unread(self)

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
        return self.store.roots() if self.there else []

    def info(self) -> "Info":
        """What is indexed, with what, and what could not be read."""
        from circlet.collection.info import Info

        return Info.of(self)

    def verify(self) -> list[str]:
        """What is wrong with the index, one plain line each; none is good."""
        return self.store.verify()

    def repair(self) -> list[str]:
        """Drop the vectors that `verify` finds damaged; indexing again makes them anew."""
        with self.open_store(write=True) as store:
            return store.repair()

    def forget(self, path: str | os.PathLike[str]) -> int:
        """Take a picture, a video, a folder, a list or a bucket out of the index; gives how many it were."""
        from circlet.collection.forgetting import forget

        return forget(self, path)

    def thumbnail(self, id: str, side: int = 256) -> "Image":
        """A small picture for showing: of the collection, or one that was brought from outside."""
        from circlet.images import thumbnail

        if id.startswith(MEMORY):
            small = self.uploads.picture(id).copy()
            small.thumbnail((side, side))
            return small
        return thumbnail(Path(id), side)
