"""Who reads and encodes the pictures of an indexing run: this process, or the workers of a Ray cluster."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, TypeAlias

from circlet.collection.reading import Reader, Wanted
from circlet.core import UsageError
from circlet.core.extras import needed
from circlet.models.encoding import Batch, Passed, encode_all

if TYPE_CHECKING:
    from circlet.collection import Collection as Pictures

# From pictures that must be read, and the hashes of those that are gone, to what came of them.
Encoding: TypeAlias = Callable[
    [Iterator[Wanted], Collection[str]], "Iterator[Batch[Wanted] | Passed[Wanted]]"
]


@contextmanager
def workers_of(name: str, pictures: "Pictures", stop: Event) -> Iterator[Encoding]:
    """Those whom the name means: nobody else, `ray`, `ray:4`, `ray://host:10001`; let go of in the end."""
    if not name:
        encoder = pictures.encoder
        yield lambda wanted, renamed: encode_all(wanted, Reader(encoder, renamed), encoder, stop=stop)
        return
    if name.partition(":")[0] != "ray":
        raise UsageError(f"{name}: unknown workers; write ray, ray:4 for four, or ray://host:10001")
    needed("ray")
    if not pictures.named:
        raise UsageError("workers load the encoder by its name: open the collection with one, as in builtin")
    from circlet.collection.cluster import Cluster

    with Cluster(name, pictures.encoder_name, pictures.encoder.fingerprint) as cluster:
        yield lambda wanted, renamed: cluster.encode(wanted, renamed, stop)
