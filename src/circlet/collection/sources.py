"""Where pictures come from: a folder, a list of paths and addresses, a bucket."""

import os
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from pathlib import Path
from typing import Protocol

from circlet.collection.id_sets import IdSet
from circlet.collection.lists import ASKED, Lists
from circlet.core import PictureError, UsageError
from circlet.images.addresses import address_of
from circlet.images.files import cause, kind, shown
from circlet.images.folders import FoundFile, SkippedFile, claims, unfit, walk
from circlet.images.formats import VIDEOS
from circlet.images.remote import checked, objects, state_at
from circlet.index import Broken, Known, Store

# Servers' answers that are waited for together.
_WAITING = 16
_LIST = "a video: only a folder's videos are taken, with circlet index FOLDER --video"


class Source(Protocol):
    """What can be indexed. `root` is what the index knows it by; of `films` only folders have any.

    `items` comes after `look`, which is the one time that everything is looked through beforehand.
    """

    root: str
    films: bool

    def look(self) -> None:
        """See that it is there, and what is in it as far as that helps to tell what is gone."""
        ...

    def items(self) -> Iterator[FoundFile | SkippedFile]:
        """Every picture, and what was passed by with the reason."""
        ...

    def known(self, store: Store, fingerprint: str) -> Iterator[tuple[str, Known]]:
        """What the index holds of it with this encoder's vector."""
        ...

    def broken(self, store: Store) -> dict[str, Broken]:
        """What of it could not be opened before, with the reason."""
        ...

    def gone(self, ids: Collection[str], store: Store) -> set[str]:
        """Which of these, known from before, are surely not of it any more."""
        ...

    def begin(self) -> None:
        """Before the first picture is read."""
        ...

    def finish(self) -> None:
        """After all were read, and what is gone was forgotten."""
        ...

    def count(self) -> int:
        """How many pictures there are, for whoever waits."""
        ...


class Place:
    """A source whose pictures all have ids that begin with its root."""

    root: str

    def known(self, store: Store, fingerprint: str) -> Iterator[tuple[str, Known]]:
        """What the index holds under the root."""
        return store.walk(self.root, fingerprint)

    def broken(self, store: Store) -> dict[str, Broken]:
        """What could not be opened under the root."""
        return store.broken(self.root)

    def begin(self) -> None:
        """Nothing is to be remembered: the ids say where they belong."""

    def finish(self) -> None:
        """As `begin`."""


class Folder(Place):
    """A folder on a disk: `Folder(Path("/pictures"))`."""

    def __init__(self, path: Path, *, follow: bool = False, video: bool = False) -> None:
        self.root, self.films = str(path), video
        self._path, self._follow = path, follow

    def look(self) -> None:
        """See that the folder is there."""
        if not self._path.is_dir():
            what = "is not a folder" if self._path.exists() else "is not there any more, or not yet"
            raise UsageError(f"{self._path}: {what}; nothing was changed in the index")

    def items(self) -> Iterator[FoundFile | SkippedFile]:
        """What a walk finds."""
        return walk(self._path, follow=self._follow, video=self.films)

    def gone(self, ids: Collection[str], store: Store) -> set[str]:
        """Which of these files are surely deleted: one that cannot be asked about is not."""
        return {id for id in ids if is_gone(id)}

    def count(self) -> int:
        """How many pictures a walk finds."""
        return sum(isinstance(item, FoundFile) for item in self.items())


class Bucket(Place):
    """The objects under `s3://bucket/prefix`, told apart by key, size, time and tag."""

    films = False

    def __init__(self, address: str) -> None:
        self.root = checked(address.rstrip("/"))
        if not address.startswith("s3:"):
            raise UsageError(
                f"{shown(address)}: a web server does not say what it holds; write the addresses of its "
                "pictures into a text file, one a line, and index that"
            )
        self._found = IdSet()

    def look(self) -> None:
        """List the bucket once; eight bytes of each object are kept."""
        try:
            self._found = IdSet(address for address, _ in objects(self.root))
        except PictureError as error:
            raise UsageError(f"{error}; nothing was changed in the index") from None

    def items(self) -> Iterator[FoundFile | SkippedFile]:
        """Every object that claims to be a picture; one without a suffix may be one, too."""
        for address, state in objects(self.root):
            name = address.rpartition("/")[2]
            if not name or not claims(Path(name).suffix.lower()):
                continue
            reason = unfit(name, _LIST)
            try:
                checked(address)
            except UsageError as error:
                reason = str(error).removeprefix(f"{shown(address)}: ")
            if reason:
                yield SkippedFile(Path(address), reason)
            else:
                yield FoundFile(Path(address), *state)

    def gone(self, ids: Collection[str], store: Store) -> set[str]:
        """Which of these were not listed."""
        return {id for id in ids if id not in self._found}

    def count(self) -> int:
        """How many objects were listed; a few of them may be no pictures."""
        return len(self._found)


class Listed:
    """What a text file names: a path or an address a line; empty lines and those with # are left out.

    Paths are taken from where the file lies. Everything is taken whatever its name ends with.
    """

    films = False

    def __init__(self, path: Path, lists: Lists) -> None:
        self.root = str(path)
        self._path, self._lists = path, lists
        self._found = IdSet()

    def look(self) -> None:
        """Read the list once; eight bytes of each line are kept."""
        self._found = IdSet(self.ids())

    def ids(self) -> Iterator[str]:
        """The ids that the list names, in its order."""
        try:
            with self._path.open(encoding="utf-8-sig") as lines:
                for line in lines:
                    named = line.strip()
                    if named and not named.startswith("#"):
                        yield address_of(named) or os.path.normpath(
                            self._path.parent / Path(named).expanduser()
                        )
        except UnicodeDecodeError:
            raise UsageError(
                f"{shown(self._path)}: no list: that is a text file with a path or an address a line"
            ) from None
        except OSError as error:
            raise UsageError(
                f"{shown(self._path)}: {cause(error)}; nothing was changed in the index"
            ) from None

    def items(self) -> Iterator[FoundFile | SkippedFile]:
        """Each picture once, however often the list names it."""
        ids = self._found.once(self.ids())
        with ThreadPoolExecutor(_WAITING) as asking:
            while part := list(islice(ids, ASKED)):
                yield from asking.map(_found, part)

    def known(self, store: Store, fingerprint: str) -> Iterator[tuple[str, Known]]:
        """What the index holds of what the list named before, and names now."""
        return self._lists.known(self.root, store, fingerprint)

    def broken(self, store: Store) -> dict[str, Broken]:
        """What could not be opened of what the list names."""
        return self._lists.broken(self.root, store)

    def begin(self) -> None:
        """Remember what is named now beside what was: the run may be broken off."""
        both = IdSet(self._named())
        self._lists.keep(self.root, both.once(self._named()))

    def _named(self) -> Iterator[str]:
        return chain(self._lists.ids(self.root), self.ids())

    def finish(self) -> None:
        """Remember what is named now, and nothing else."""
        self._lists.keep(self.root, self._found.once(self.ids()))

    def gone(self, ids: Collection[str], store: Store) -> set[str]:
        """Which of these the list does not name any more, or are deleted."""
        dropped = {id for id in ids if id not in self._found}
        rest = [id for id in ids if id not in dropped]
        dropped -= self._lists.elsewhere(dropped, self.root, store.roots())
        with ThreadPoolExecutor(_WAITING) as asking:
            return dropped | {id for id, gone in zip(rest, asking.map(is_gone, rest), strict=True) if gone}

    def count(self) -> int:
        """How many pictures the list names."""
        return len(self._found)


def is_gone(id: str) -> bool:
    """Whether a picture is surely deleted: one that cannot be asked about is not."""
    try:
        if address := address_of(id):
            state_at(address)
        else:
            Path(id).stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, PictureError):
        return False
    return False


def _found(id: str) -> FoundFile | SkippedFile:
    """A picture that a list names, as it is now."""
    path = Path(id)
    if path.suffix.lower() in VIDEOS:
        return SkippedFile(path, _LIST)
    try:
        if address := address_of(id):
            return FoundFile(path, *state_at(checked(address)))
        info = path.stat()
        if reason := kind(info.st_mode):
            return SkippedFile(path, f"{reason}, not a picture file")
        return FoundFile(path, info.st_size, info.st_mtime_ns)
    except (PictureError, UsageError, FileNotFoundError) as error:
        told = str(error).removeprefix(f"{shown(path)}: ")
        return SkippedFile(path, cause(error) if isinstance(error, OSError) and error.errno else told)
    except OSError as error:
        return SkippedFile(path, cause(error))


def source_of(path: Path, lists: Lists, *, follow: bool, video: bool) -> Source:
    """What this path stands for: a bucket, a list, or else a folder.

    source_of(Path("s3://bucket/prefix"), lists, follow=False, video=False)
    """
    if address := address_of(path):
        return Bucket(address)
    if path.is_file() or (str(path) in lists and not path.exists()):
        return Listed(path, lists)
    return Folder(path, follow=follow, video=video)
