"""`circlet build frames`: sets of ten that differ little, from videos and from pictures."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.options import encoder_options
from circlet.app.cli.terminal import Bar, say

if TYPE_CHECKING:
    from PIL.Image import Image

    from circlet.build.frame_files import FrameSet
    from circlet.build.frames import FrameRule
    from circlet.core import PictureEncoder, Vectors
    from circlet.models.seeing.watchers import Way

# Opens a picture and says why it should not be in a set, or nothing.
Filter = Callable[[str], str]


@click.command(
    epilog="""\b
Examples:
  circlet build frames holidays.mp4 --out mine            tens of frames, shot by shot
  circlet build frames ~/Pictures --out mine              each picture with its nine nearest, and videos
  circlet build frames ~/Films --out mine --step 0.2 --split val
"""
)
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SOURCE...")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to write.")
@encoder_options(default="builtin", show_default=True, help="builtin, clip, a hub name, a folder.")
@click.option("--apart", default=0.35, show_default=True, help="How far frames of a set are apart at least.")
@click.option("--step", default=0.5, show_default=True, help="Seconds between two frames looked at.")
@click.option("--blur", default=0.65, show_default=True, help="From here on a picture is blurred; 1: none.")
@click.option(
    "--text/--no-text",
    default=True,
    help="Leave out pictures with text in them, where circlet[text] is installed.",
)
@click.option("--split", default="train", show_default=True, help="train, val or test.")
@click.option("--most", type=click.IntRange(1), help="Stop at so many sets of pictures.")
@click.option("--seed", default=0, show_default=True, help="Another number, other targets, other firsts.")
def frames(
    sources: tuple[Path, ...],
    out: Path,
    encoder: str,
    apart: float,
    step: float,
    blur: float,
    text: bool,
    split: str,
    most: int | None,
    seed: int,
) -> None:
    """Make sets of ten pictures that differ little, three of each to be described, in ImageCoDe's files.

    A SOURCE is a video, or a folder of pictures and videos. Of a video each shot gives tens of frames
    that are far enough from one another; the short rest is dropped. Of a folder's pictures each comes with
    its nine nearest. What was left out, and why, is told at the end and in OUT/report.json; the texts are
    empty, for people to write in the studio.
    """
    from circlet.build.frame_files import write_sets
    from circlet.build.frames import FrameRule
    from circlet.core import UsageError
    from circlet.models import load_encoder

    if step <= 0:
        raise UsageError(f"--step is a number of seconds above 0, not {step}")
    way = _way(text)
    work = _Work(FrameRule(apart=apart, most=most), load_encoder(encoder), step, _filters(blur, way), seed)
    for source in sources:
        work.take(source.expanduser().absolute())
    lines = [f"{number:,} {reason}" for reason, number in sorted(work.left_out.items()) if number]
    report = {
        "sets": len(work.sets),
        "from": work.counts,
        "left_out": dict(sorted(work.left_out.items())),
        "encoder": work.encoder.fingerprint,
        "apart": apart,
        "step": step,
        "blur": blur,
        "text": way is not None,
        "seed": seed,
    }
    for line in lines:
        say(line)
    if text and way is None:
        say("text was not looked for: pip install 'circlet[text]'")
    path = write_sets(out, work.sets, work.rule, report, split=split, seed=seed)
    click.echo(f"{path}: {len(work.sets):,} sets of ten ({', '.join(_told(work.counts))})")


def _told(counts: dict[str, int]) -> Iterator[str]:
    return (f"{number:,} of {kind}" for kind, number in counts.items())


def _way(wanted: bool) -> "Way | None":
    """The way in which text is read, where that is wanted and installed."""
    from circlet.core.marks import TEXT
    from circlet.models.seeing.watchers import ways

    return next((way for way in ways() if way.kind == TEXT), None) if wanted else None


def _filters(blur: float, way: "Way | None") -> Filter:
    """Why a picture should not be in a set: what is cheap is asked first."""
    from circlet.images import thumbnail
    from circlet.images.sharpness import SIDE, blur_of

    # A reader keeps what it is about to do in itself: two threads in one would read each other's.
    own = local()

    def refuse(id: str) -> str:
        if blur < 1 and blur_of(thumbnail(Path(id), 2 * SIDE)) >= blur:
            return "blurred"
        if way is not None:
            own.reader = getattr(own, "reader", None) or way.load()
            if own.reader.look(thumbnail(Path(id), way.side)).number:
                return "with text"
        return ""

    return refuse


@dataclass
class _Work:
    """Sets on the way from sources to files."""

    rule: "FrameRule"
    encoder: "PictureEncoder"
    step: float
    refuse: Filter
    seed: int
    sets: "list[FrameSet]" = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    counts: dict[str, int] = field(default_factory=lambda: {"videos": 0, "pictures": 0})

    def take(self, source: Path) -> None:
        """Whatever this source is: one video, or a folder of anything."""
        from circlet.core import PictureError, UsageError
        from circlet.images import SkippedFile, walk
        from circlet.images.files import shown
        from circlet.images.films import moves

        films: list[Path] = []
        pictures: list[Path] = []
        if source.is_file():
            films.append(source)
        elif not source.is_dir():
            raise UsageError(f"{source}: no such file or folder; name a video, or a folder of pictures")
        for item in walk(source, video=True) if source.is_dir() else ():
            if isinstance(item, SkippedFile):
                say(f"skipped {shown(item.path)}: {item.reason}")
            else:
                (films if moves(item.path) else pictures).append(item.path)
        for path in films:
            try:
                self._film(path, path.name if path == source else str(path.relative_to(source)))
            except PictureError as error:
                if path == source:
                    raise UsageError(f"{error}; name a video, or a folder of pictures") from None
                say(f"skipped {error}")
        if pictures:
            self._pictures(pictures)

    def _film(self, path: Path, name: str) -> None:
        from circlet.build.frame_files import FrameSet
        from circlet.build.frames import frame_tens, shots
        from circlet.images.moments import at

        times, vectors, copies = self._looked(path)
        plain = re.sub(r"[^\w.-]+", "-", name)
        for number, shot in enumerate(shots(copies, self.rule)):
            tens = frame_tens(vectors, shot, self.rule, lambda row: self.refuse(at(path, times[row])))
            self.left_out += tens.left_out
            for place, rows in enumerate(tens.rows):
                # A frame's file is called by its time in milliseconds: places follow the film.
                self.sets.append(
                    FrameSet(
                        f"video-{plain}-shot{number}-{place}",
                        tuple(at(path, times[row]) for row in rows),
                        tuple(round(1000 * times[row]) for row in rows),
                    )
                )
            self.counts["videos"] += len(tens.rows)

    def _looked(self, path: Path) -> "tuple[list[float], Vectors, Vectors]":
        """Times, vectors and tiny copies of a film's frames, one step after the other."""
        import numpy as np

        from circlet.images.duplicates import tiny_copy
        from circlet.images.films import open_film
        from circlet.models.encoding import Batch, Reading, encode_all

        def looks() -> "Iterator[tuple[float, Image]]":
            with open_film(path) as film:
                yield from film.looks(self.encoder.size, step=self.step)

        def read(look: "tuple[float, Image]") -> Reading:
            return Reading(tiny_copy(look[1]), self.encoder.prepare(look[1]))

        times: list[float] = []
        vectors: list[Any] = []
        copies: list[Vectors] = []
        with Bar("looking through", "frames") as bar:
            for batch in encode_all(looks(), read, self.encoder):
                assert isinstance(batch, Batch)
                times += [seconds for seconds, _ in batch.sources]
                vectors.append(batch.vectors)
                copies += [reading.about for reading in batch.readings]
                bar(len(times), None)
        return times, np.concatenate(vectors), np.stack(copies)

    def _pictures(self, paths: list[Path]) -> None:
        from circlet.build.frame_files import FrameSet
        from circlet.build.frames import picture_tens
        from circlet.models.features import FeatureStore

        with Bar("encoding", "pictures") as bar:
            files = {str(path): path for path in paths}
            features, lost = FeatureStore().features(files, self.encoder, progress=bar)
        for reason in lost.values():
            say(f"skipped {reason}")
        with ThreadPoolExecutor() as threads:
            reasons = list(threads.map(self.refuse, features.ids))
        tens = picture_tens(features.vectors, self.rule, reasons.__getitem__, self.seed)
        self.left_out += tens.left_out
        for rows in tens.rows:
            name = f"static-{self.counts['pictures']:05}"
            ids = tuple(features.ids[row] for row in rows)
            self.sets.append(FrameSet(name, ids, tuple(range(len(ids)))))
            self.counts["pictures"] += 1
