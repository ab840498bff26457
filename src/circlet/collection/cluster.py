"""Reading and encoding on a Ray cluster; this process alone writes, so each picture is written once.

A few batches are given to each worker at a time, so memory does not depend on how many pictures there are.
A worker that dies loses nothing: its batches are given out again, each alone, and cut into smaller ones
while their worker goes on dying, until the one picture is found that no worker survives.
"""

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from threading import Event, Lock
from types import TracebackType
from typing import Any

from circlet import __version__
from circlet.collection.local_ray import shut_down, start
from circlet.collection.reading import Reader, Wanted
from circlet.core import CircletError, PictureEncoder, PictureError, ServiceError, UsageError
from circlet.core.processes import use_processors
from circlet.images.files import shown
from circlet.models.encoding import BATCH, Batch, Passed, Reading, encode_all

# Pictures that a worker is given at once, and how many times that it is ahead: one is read, one encoded.
_GIVEN = 2 * BATCH
_AHEAD = 2
# How often a picture may kill the worker that reads it alone, and workers may die with nothing done.
_CHANCES = 2
_LOSSES = 20
# Seconds between two looks at whether the run was stopped.
_PATIENCE = 1.0

Outcome = Batch[Wanted] | Passed[Wanted]


class Worker:
    """What runs on the cluster: one encoder, loaded once, and the same way from file to vector as here."""

    def __init__(self, encoder: str, renamed: frozenset[str], threads: int) -> None:
        self._name, self._renamed, self._threads = encoder, renamed, threads

        self._lock = Lock()
        self._loaded: PictureEncoder | None = None

    @property
    def _encoder(self) -> PictureEncoder:
        from circlet.models.encoders.load import load_encoder

        # Two calls run at a time, and which of them is the first one is not said.
        with self._lock:
            if self._loaded is None:
                use_processors(self._threads)
                self._loaded = load_encoder(self._name)
            return self._loaded

    def ready(self) -> tuple[str, str]:
        """Load the encoder, and say of which version it is."""
        return __version__, self._encoder.fingerprint

    def encode(self, wanted: list[Wanted]) -> list[Outcome]:
        """What comes of these pictures; the pixels stay here."""
        encoder = self._encoder
        outcomes = encode_all(wanted, Reader(encoder, self._renamed), encoder)
        return [_without_pixels(one) if isinstance(one, Batch) else one for one in outcomes]


def _without_pixels(batch: Batch[Wanted]) -> Batch[Wanted]:
    bare = [Reading(reading.about, None) for reading in batch.readings]
    return Batch(batch.sources, bare, batch.vectors, batch.tokens)


@dataclass(eq=False)
class _Job:
    """Pictures that go to a worker together; `suspect` after a worker died with them."""

    wanted: list[Wanted]
    suspect: bool = False
    # How many workers died with nothing but this in hand.
    deaths: int = 0


@dataclass(eq=False)
class _Hand:
    """A worker, and the jobs that it has."""

    actor: Any
    jobs: list[_Job] = field(default_factory=list)

    def takes(self, job: _Job) -> bool:
        """A suspect is given out alone, so that nothing else is blamed for what it does."""
        if job.suspect:
            return not self.jobs
        return len(self.jobs) < _AHEAD and not any(one.suspect for one in self.jobs)


class Cluster:
    """The workers of one run: `with Cluster("ray", "builtin", fingerprint) as cluster: cluster.encode(…)`."""

    def __init__(self, where: str, encoder: str, fingerprint: str) -> None:
        self._where, self._encoder, self._fingerprint = where, encoder, fingerprint
        self._hands: list[_Hand] = []
        self._given: dict[Any, tuple[_Hand, _Job]] = {}
        self._again: deque[_Job] = deque()
        self._losses = 0

    def __enter__(self) -> "Cluster":
        self._count, self._threads = start(self._where)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shut_down([hand.actor for hand in self._hands])

    def encode(self, wanted: Iterator[Wanted], renamed: Collection[str], stop: Event) -> Iterator[Outcome]:
        """What comes of these pictures, in the order in which it is done; stopped, what is in hand ends."""
        import ray

        self._renamed = ray.put(frozenset(renamed))
        self._hands = [self._hire() for _ in range(self._count)]
        self._greet(stop)
        while True:
            if not stop.is_set():
                self._give(wanted)
            if not self._given:
                return
            done, _ = ray.wait(list(self._given), num_returns=1, timeout=_PATIENCE)
            for answer in done:
                yield from self._taken(answer)

    def _hire(self) -> _Hand:
        import ray

        # Two batches at a time: one is read while the other is encoded.
        actor = ray.remote(num_cpus=self._threads, max_concurrency=_AHEAD)(Worker)
        return _Hand(actor.remote(self._encoder, self._renamed, self._threads))

    def _greet(self, stop: Event) -> None:
        """See that the workers have the same circlet and the same encoder as we do."""
        import ray

        waiting = {hand.actor.ready.remote(): hand for hand in self._hands}
        while waiting and not stop.is_set():
            for answer in ray.wait(list(waiting), timeout=_PATIENCE)[0]:
                hand = waiting.pop(answer)
                try:
                    version, fingerprint = ray.get(answer)
                except ray.exceptions.RayActorError:
                    hand = self._replaced(hand)
                    waiting[hand.actor.ready.remote()] = hand
                    continue
                except ray.exceptions.RayError as error:
                    raise _told(error) from None
                if (version, fingerprint) != (__version__, self._fingerprint):
                    raise UsageError(
                        f"a worker has circlet {version} with the encoder {fingerprint}, this machine "
                        f"{__version__} with {self._fingerprint}: install the same on all of them"
                    )

    def _give(self, wanted: Iterator[Wanted]) -> None:
        """Give out as much as the workers may have; what came back is given first, wherever it may go."""
        for hand in self._hands:
            while job := self._next(hand, wanted):
                hand.jobs.append(job)
                self._given[hand.actor.encode.remote(job.wanted)] = (hand, job)

    def _next(self, hand: _Hand, wanted: Iterator[Wanted]) -> _Job | None:
        if self._again and hand.takes(self._again[0]):
            return self._again.popleft()
        if self._again and hand is self._hands[0]:
            return None  # it finishes what it has, and is alone with the suspects then
        fresh = _Job([])
        if hand.takes(fresh):
            fresh.wanted = list(islice(wanted, _GIVEN))
        return fresh if fresh.wanted else None

    def _taken(self, answer: Any) -> Iterator[Outcome]:
        """What a worker gave back; where it died, its jobs go back to the pile."""
        import ray

        # Another of the worker's jobs may have told that it died.
        if answer not in self._given:
            return
        hand, job = self._given[answer]
        try:
            outcomes = ray.get(answer)
        except ray.exceptions.RayActorError:
            yield from self._bury(hand)
            return
        except ray.exceptions.RayError as error:
            raise _told(error) from None
        del self._given[answer]
        hand.jobs.remove(job)
        self._losses = 0
        yield from outcomes

    def _bury(self, hand: _Hand) -> Iterator[Outcome]:
        self._given = {one: (whose, job) for one, (whose, job) in self._given.items() if whose is not hand}
        self._replaced(hand)
        for job in hand.jobs:
            yield from self._doubted(job, alone=len(hand.jobs) == 1)

    def _replaced(self, hand: _Hand) -> _Hand:
        """Another worker in the place of one that died; when they only ever die, that is an error."""
        self._losses += 1
        if self._losses > _LOSSES:
            raise ServiceError(
                f"{_LOSSES} workers of the cluster died one after the other with nothing done: see that its "
                "machines have the memory for the encoder; what is done is kept, the same command goes on"
            )
        new = self._hands[self._hands.index(hand)] = self._hire()
        return new

    def _doubted(self, job: _Job, *, alone: bool) -> Iterator[Outcome]:
        """A job whose worker died is given out again alone, then in parts; one picture has two chances."""
        deaths = job.deaths + (alone and job.suspect)
        if len(job.wanted) == 1 and deaths >= _CHANCES:
            file = job.wanted[0].file
            reason = "no worker survives reading it: open it with care, and save it anew or leave it out"
            yield Passed(job.wanted[0], PictureError(f"{shown(file.path)}: {reason}"))
        elif len(job.wanted) == 1 or not deaths:
            self._again.append(_Job(job.wanted, suspect=True, deaths=deaths))
        else:
            part = -(-len(job.wanted) // 4)
            pieces = (job.wanted[at : at + part] for at in range(0, len(job.wanted), part))
            self._again.extend(_Job(piece, suspect=True) for piece in pieces)


def _told(error: Any) -> CircletError:
    """What went wrong with a worker: circlet's own sentence, or the last line of what it said."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, CircletError):
        return cause
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return ServiceError(
        f"a worker of the cluster failed: {lines[-1][:300] if lines else type(error).__name__}"
    )
