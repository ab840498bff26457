"""Reading one picture for the index, the same on this machine and on a worker's."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from circlet.core import PictureEncoder, PictureError, Vectors
from circlet.images import FoundFile, content_hash, open_picture, probe
from circlet.images.addresses import address_of
from circlet.images.duplicates import tiny_copy
from circlet.images.files import shown
from circlet.images.remote import fetch
from circlet.index import Entry, Known
from circlet.models.encoding import Reading


class Wanted(NamedTuple):
    """A picture that must be read, and what the index knows of it from before."""

    file: FoundFile
    before: Known | None = None


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a file that was read: its entry, and its tiny copy unless its vector is known."""

    entry: Entry
    tiny: Vectors | None = None


class Reader:
    """Hashes a picture, and decodes it unless its content has a vector already.

    `Reader(encoder, renamed)(Wanted(file))`; `renamed` are the hashes of pictures that are gone.
    """

    def __init__(self, encoder: PictureEncoder, renamed: Collection[str]) -> None:
        self.encoder, self.renamed = encoder, renamed

    def __call__(self, wanted: Wanted) -> Reading:
        file = wanted.file
        with _named(file):
            # What lies elsewhere is fetched once, for all that is asked of it.
            address = address_of(file.path)
            source = fetch(address) if address else file.path
            hash = content_hash(source)
            head = probe(source)
            entry = Entry(file.id, file.size, file.mtime_ns, hash, head.width, head.height, head.taken)
            if (wanted.before and wanted.before.hash == hash) or hash in self.renamed:
                return Reading(About(entry), None)
            picture = open_picture(source, side=self.encoder.size)
            return Reading(About(entry, tiny_copy(picture)), self.encoder.prepare(picture))


@contextmanager
def _named(file: FoundFile) -> Iterator[None]:
    """Errors about bytes that were fetched speak of where they came from."""
    try:
        yield
    except PictureError as error:
        raise type(error)(str(error).replace("these bytes", shown(file.path), 1)) from None
