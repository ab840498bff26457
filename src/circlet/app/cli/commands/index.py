"""`circlet index FOLDER`: read what is new or changed, forget what is gone."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING

import click

from circlet.app.cli.options import encoder_options, store_option
from circlet.app.cli.terminal import Bar, announce, say
from circlet.images.files import shown

if TYPE_CHECKING:
    from circlet.collection.report import IndexReport


@click.command(
    epilog="""\b
Examples:
  circlet index ~/Pictures              build or refresh; only new and changed files are read
  circlet index                         refresh every folder that was indexed before
  circlet index pictures.txt            a list: a path or an address (https://, s3://) a line
  circlet index s3://bucket/pictures    a bucket, or a part of one (circlet[s3])
  circlet index ~/Pictures --workers ray     by several processes; ray://host:10001: on a cluster
  circlet index ~/Pictures --video      moments of videos and animations too
  circlet index ~/Pictures --encoder clip    with another model; the old vectors stay beside
  circlet index ~/Pictures --store milvus://localhost:19530/pictures     in a Milvus server
"""
)
@click.argument("folders", nargs=-1, metavar="[FOLDER|LIST|s3://BUCKET]...")
@encoder_options(help="builtin, builtin:int8, fine, clip, siglip, blip, a hub name, a folder, or st:NAME.")
@click.option(
    "--follow/--no-follow",
    default=None,
    help="Take along what links lead to outside of the folder; remembered for it. Without: skipped by name.",
)
@click.option(
    "--video/--no-video",
    default=None,
    help="Take moments of videos (circlet[video]), animated GIF and WebP; remembered for the folder.",
)
@click.option(
    "--look/--no-look",
    default=True,
    help="Count people and read text afterwards, where circlet[people] and circlet[text] are installed.",
)
@click.option(
    "--workers",
    default="",
    metavar="RAY",
    help="Read and encode on a Ray cluster (circlet[cluster]): ray on this machine, ray:4, ray://host:10001.",
)
@store_option
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def index(
    folders: tuple[str, ...],
    encoder: str | None,
    follow: bool | None,
    video: bool | None,
    look: bool,
    workers: str,
    quiet: bool,
) -> None:
    """Read a folder of pictures, a list of them or a bucket, so that it can be searched.

    Safe to repeat: only new and changed files are read, renamed ones keep their vectors, deleted
    ones are forgotten. Safe to interrupt: what is done is kept. Every file that cannot be read is
    named with the reason; `circlet info --broken` lists them again. A folder that is not there
    keeps its vectors and holds up none of the others.

    A list is a text file that names a path or an address a line; what it no longer names is forgotten.
    With --workers, the pictures of a folder on a shared disk, a list or a bucket are read and encoded
    by all machines of a Ray cluster; this one writes.

    With --video, videos and animations are looked through, and moments of them that differ are
    kept, each found like a picture: clip.mp4#t=12.5 is the one at 12.5 seconds.

    With circlet[people] or circlet[text] installed, the pictures are then looked at once more, to
    count people or to read what is written. They can be searched meanwhile.
    """
    from circlet.collection import Collection
    from circlet.core import BusyError, StoreError, UsageError

    if quiet:
        announce(False)
    if not folders:
        folders = tuple(Collection.open(encoder=encoder).roots())
        if not folders:
            raise UsageError("nothing is indexed yet: name a folder, as in circlet index ~/Pictures")
    stop, code = Event(), 0
    with _finishing(stop, quiet):
        for folder in folders:
            collection = Collection.open(folder, encoder=encoder)
            # An encoder that is not there is no folder's fault: it ends the run here.
            _ = collection.encoder.fingerprint
            if follow is not None:
                collection.allow_links(follow)
            if video is not None:
                collection.watch(video)
            try:
                with Bar("reading", "pictures", quiet=quiet) as bar:
                    report = collection.index(bar, stop=stop, workers=workers)
            except (UsageError, StoreError) as error:
                if len(folders) == 1 or isinstance(error, BusyError):
                    raise
                say(f"circlet: {error}")
                code = error.exit_code
                continue
            if not quiet:
                _tell(report)
            _unless(report.interrupted)
        for folder in folders if look else ():
            with Bar("looking", "pictures", quiet=quiet) as bar:
                seen = Collection.open(folder, encoder=encoder).look(bar, stop=stop)
            for path, reason in () if quiet else seen.skipped:
                say(f"not looked at {shown(path)}: {reason}")
            if seen.looked and not quiet:
                click.echo(str(seen))
            _unless(seen.interrupted)
    raise click.exceptions.Exit(code)


def _unless(interrupted: bool) -> None:
    if interrupted:
        say("circlet: interrupted; what is done is kept, the same command goes on from here")
        raise click.exceptions.Exit(130)


def _tell(report: "IndexReport") -> None:
    for path, reason in report.skipped:
        say(f"skipped {shown(path)}: {reason}")
    for path, note in report.notes:
        say(f"read in part {shown(path)}: {note}")
    click.echo(str(report))


@contextmanager
def _finishing(stop: Event, quiet: bool) -> Iterator[None]:
    """The first Ctrl-C asks the run to end after the batch in hand; the second ends it at once."""

    def ask(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        if not quiet:
            say("circlet: stopping after the batch in hand; Ctrl-C again stops at once")

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
