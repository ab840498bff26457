"""What every store of pictures and vectors does, whatever it is made of."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from circlet.core import Filters, Searchable, StoreError, Vectors
from circlet.core.marks import Mark
from circlet.index.values import Broken, Counts, Entry, Known, Tally


class StoredSpace(Searchable, Protocol):
    """The pictures of a store that have one encoder's vector, as something that can be searched."""

    def count(self, filters: Filters | None = None) -> int:
        """How many pictures pass the filters."""
        ...

    def sample(self, start: int, top: int, filters: Filters | None = None) -> list[str]:
        """Pictures to look through, spread over all that pass: each once, the same on every call."""
        ...

    def newest(self, start: int, top: int, filters: Filters | None = None) -> list[str]:
        """Pictures that pass, by when they were taken (or their file's time), the latest first."""
        ...

    def tally(self, filters: Filters | None = None) -> Tally:
        """How many of those that pass are in each folder, of each month and of each shape."""
        ...


class Store(Protocol):
    """Pictures and their vectors at rest; many readers beside one writer, or as the engine allows.

    A picture's id is its absolute path. Every `add` is one durable batch. `tests/index/test_contract.py`
    says what each of these promises; nothing here lists a whole store at once.
    """

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def close(self) -> None:
        """Let go of everything, a writer after tidying up."""
        ...

    # Writing

    def add(
        self, entries: Sequence[Entry], vectors: Vectors, fingerprint: str, *, searched: bool = True
    ) -> None:
        """Keep these pictures with their vectors, as one durable batch; known paths are replaced."""
        ...

    def moved(self, pairs: Iterable[tuple[str, Entry]]) -> None:
        """Files with the same content under a new path or time: (old path, new entry)."""
        ...

    def forget(self, paths: Collection[str]) -> int:
        """Drop these pictures and their vectors; returns how many the store had."""
        ...

    def note_broken(self, path: str, reason: str, *, size: int = 0, mtime_ns: int = 0) -> None:
        """Remember that this file could not be opened, and why."""
        ...

    def add_root(self, folder: str) -> None:
        """Remember a folder that was indexed."""
        ...

    def forget_root(self, folder: str) -> int:
        """Forget a folder with everything under it; returns how many pictures that were."""
        ...

    def repair(self) -> list[str]:
        """Drop what `verify` finds damaged, so that the next indexing makes it again."""
        ...

    # Reading

    def space(self, fingerprint: str) -> StoredSpace:
        """The pictures that have this encoder's vector; an unknown encoder is an error when it is used."""
        ...

    def roots(self) -> list[str]:
        """The folders that were indexed."""
        ...

    def folders(self, root: str) -> list[str]:
        """The folders under a root that hold pictures."""
        ...

    def known(self, paths: Collection[str], fingerprint: str | None = None) -> dict[str, Known]:
        """What is remembered of these files; with a fingerprint, of those that have its vector."""
        ...

    def walk(self, root: str, fingerprint: str | None = None) -> Iterator[tuple[str, Known]]:
        """Every picture under a folder, one after the other; with a fingerprint, those with its vector."""
        ...

    def count(self, root: str, fingerprint: str | None = None) -> int:
        """How many pictures there are under a folder; with a fingerprint, those with its vector."""
        ...

    def having(self, paths: Collection[str], fingerprint: str) -> set[str]:
        """Which of these pictures have this encoder's vector."""
        ...

    def broken(self, root: str) -> dict[str, Broken]:
        """The files under a folder that could not be opened, with the reason."""
        ...

    def entries(self, paths: Sequence[str]) -> list[Entry]:
        """What is known of these pictures, in their order."""
        ...

    def named(self, keys: Collection[int]) -> Mapping[int, str]:
        """The paths of the pictures that these keys stand for, as far as there are any."""
        ...

    def fingerprints(self) -> list[str]:
        """The encoders that have vectors here, oldest first."""
        ...

    def counts(self) -> Counts:
        """How many pictures, broken files, roots and vectors there are, and the bytes they take."""
        ...

    def verify(self) -> list[str]:
        """What is wrong with the store, one plain line each; none is good."""
        ...


@runtime_checkable
class Marking(Protocol):
    """What a store does that keeps what was seen in its pictures; its spaces then have `marks_of`.

    A picture that changed or is gone has no marks, a renamed one keeps them.
    """

    def mark(self, kind: str, seen: Mapping[str, Mark]) -> None:
        """Keep what was seen in these pictures, as one durable batch; those that are gone are passed by."""
        ...

    def unmarked(self, root: str, kind: str, by: str) -> Iterator[str]:
        """The pictures under a folder that `by` has not looked at."""
        ...

    def marked(self, kind: str) -> int:
        """How many pictures have a mark of this kind."""
        ...


def marking(store: Store) -> Marking:
    """The store as one that keeps marks; one that cannot is an error that says so."""
    if isinstance(store, Marking):
        return store
    raise StoreError(
        f"{store!r} cannot keep what is seen in pictures (people, writing): keep the index in a folder, "
        "whose store can"
    )
