"""From pictures to vectors, the one way: threads read ahead, the model takes stacks, memory stays flat.

Indexing, the features of benchmarks and everything that is built from pictures go through `encode_all`.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import Any, Generic, TypeVar

import numpy as np

from circlet.core import PictureEncoder, PictureError, Prepared, Vectors
from circlet.core.processes import processors

BATCH = 32
# Pictures decoded or being decoded while the model works on a batch.
AHEAD = 3 * BATCH

Source = TypeVar("Source")


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading one picture gave: the model's input, and whatever else the caller wants to keep.

    Without `pixels` nothing is encoded: the caller knows this picture's vector already.
    """

    about: Any
    pixels: Prepared | None


@dataclass(frozen=True, slots=True)
class Batch(Generic[Source]):
    """Pictures that went through the model together: where they came from, what was read, what it saw."""

    sources: list[Source]
    readings: list[Reading]
    vectors: Vectors | None
    tokens: Vectors | None


@dataclass(frozen=True, slots=True)
class Passed(Generic[Source]):
    """A picture that did not go through the model: it could not be read, or need not be encoded."""

    source: Source
    outcome: Reading | PictureError


def encode_all(
    sources: Iterable[Source],
    read: Callable[[Source], Reading],
    encoder: PictureEncoder,
    *,
    vectors: bool = True,
    tokens: bool = False,
    stop: Event | None = None,
) -> Iterator[Batch[Source] | Passed[Source]]:
    """Everything that comes of these pictures, in their order: batches of vectors, and what passed by.

    `read` runs in threads, a fixed number of pictures ahead of the model, and raises `PictureError`
    for what cannot be read. After `stop` is set, what has not begun is left.
    """
    waiting: list[tuple[Source, Reading]] = []
    for source, outcome in read_ahead(sources, read, stop=stop):
        if isinstance(outcome, PictureError) or outcome.pixels is None:
            yield Passed(source, outcome)
            continue
        waiting.append((source, outcome))
        if len(waiting) == BATCH:
            yield _encoded(waiting, encoder, vectors, tokens)
            waiting = []
    if waiting:
        yield _encoded(waiting, encoder, vectors, tokens)


def read_ahead(
    sources: Iterable[Source], read: Callable[[Source], Reading], *, stop: Event | None = None
) -> Iterator[tuple[Source, Reading | PictureError]]:
    """Sources with what reading them gave, or the reason why not; threads stay a few batches ahead."""

    def safely(source: Source) -> Reading | PictureError:
        try:
            return read(source)
        except PictureError as error:
            return error

    with ThreadPoolExecutor(processors()) as threads:
        waiting: deque[tuple[Source, Future[Reading | PictureError]]] = deque()
        for source in sources:
            waiting.append((source, threads.submit(safely, source)))
            if len(waiting) >= AHEAD:
                first, ready = waiting.popleft()
                yield first, ready.result()
        for first, ready in waiting:
            # After a stop, what has not begun is left for the next run.
            if not (stop is not None and stop.is_set() and ready.cancel()):
                yield first, ready.result()


def _encoded(
    waiting: list[tuple[Source, Reading]], encoder: PictureEncoder, vectors: bool, tokens: bool
) -> Batch[Source]:
    stack = np.stack([reading.pixels for _, reading in waiting if reading.pixels is not None])
    rows = places = None
    if vectors and tokens:
        rows, places = encoder.both_prepared(stack)
    elif vectors:
        rows = encoder.encode_prepared(stack)
    elif tokens:
        places = encoder.tokens_prepared(stack)
    return Batch([source for source, _ in waiting], [reading for _, reading in waiting], rows, places)
