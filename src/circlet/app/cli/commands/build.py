"""`circlet build`: subsets of look-alikes, pairs to annotate, cases by aspect, sets of ten, sessions."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.commands.build_aspects import aspects
from circlet.app.cli.commands.build_frames import frames
from circlet.app.cli.commands.build_sessions import sessions
from circlet.app.cli.options import encoder_options
from circlet.app.cli.terminal import Bar, say

if TYPE_CHECKING:
    from circlet.core import Vectors


@click.group()
def build() -> None:
    """Make a composed-retrieval dataset from your own pictures, as CIRR was made from its own."""


@build.command(
    epilog="""\b
Examples:
  circlet build subsets ~/Pictures --out mine/subsets.json
  circlet build subsets ~/Pictures --out mine/subsets.json --encoder clip --near 0.97
  circlet build pairs mine/subsets.json --out mine
"""
)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The JSON file to write.")
@encoder_options(default="builtin", show_default=True, help="builtin, clip, a hub name, a folder.")
@click.option("--near", default=0.94, show_default=True, help="From here on, two pictures are the same.")
@click.option("--pool", default=20, show_default=True, help="How many next-similar pictures to look at.")
@click.option("--gap", default=0.002, show_default=True, help="The least step in similarity.")
@click.option("--shared", default=2, show_default=True, help="Pictures that two subsets may share.")
@click.option("--most", type=int, help="Stop at so many subsets.")
@click.option("--seed", default=0, show_default=True, help="Another number, other first pictures.")
def subsets(
    folder: Path,
    out: Path,
    encoder: str,
    near: float,
    pool: int,
    gap: float,
    shared: int,
    most: int | None,
    seed: int,
) -> None:
    """Find subsets of six pictures that look alike without being the same.

    The procedure of CIRR's section 4.1. What was filtered, and why, is told at the end.
    """
    from circlet.build import SubsetRule, find_subsets, write_subsets
    from circlet.core import UsageError

    rule = SubsetRule(near=near, pool=pool, gap=gap, shared=shared, most=most)
    names, vectors = _encoded(folder, encoder)
    built = find_subsets(vectors, rule, seed)
    for line in built.report():
        say(line)
    if not built.rows:
        raise UsageError(
            f"no subset of six among {len(names)} pictures: add pictures, or loosen --near, --pool or --gap"
        )
    write_subsets(out, [[names[row] for row in rows] for rows in built.rows])
    click.echo(f"{out}: {len(built.rows):,} subsets of six from {len(names):,} pictures")


@build.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to write.")
@click.option("--split", default="train", show_default=True, help="The split the files are named for.")
@click.option("--seed", default=0, show_default=True, help="Another number, another order of members.")
def pairs(file: Path, out: Path, split: str, seed: int) -> None:
    """Draw nine pairs from each subset and write them in CIRR's format, captions empty.

    Six pairs close a loop, and three more start from its first picture (figures 6 and 7 of CIRR's
    paper). The files go to OUT/captions and OUT/image_splits, to be annotated.
    """
    from circlet.build import read_subsets, write_cirr

    built = write_cirr(out, split, read_subsets(file), seed)
    for path in built.files:
        click.echo(str(path))
    click.echo(f"{built.pairs:,} pairs of {built.subsets:,} subsets over {built.pictures:,} pictures")


build.add_command(aspects)
build.add_command(frames)
build.add_command(sessions)


def _encoded(folder: Path, encoder: str) -> tuple[list[str], "Vectors"]:
    """Every readable picture of the folder: its path from there, and its vector."""
    from circlet.core import UsageError
    from circlet.images import SkippedFile, walk
    from circlet.models import load_encoder
    from circlet.models.features import FeatureStore

    folder = folder.expanduser().absolute()
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; name the folder of your pictures")
    files = {}
    for item in walk(folder):
        if isinstance(item, SkippedFile):
            say(f"skipped {item.path}: {item.reason}")
        else:
            files[item.path.relative_to(folder).as_posix()] = item.path
    with Bar("encoding", "pictures") as bar:
        features, lost = FeatureStore().features(files, load_encoder(encoder), progress=bar)
    for reason in lost.values():
        say(f"skipped {reason}")
    if not len(features):
        raise UsageError(f"{folder} holds no picture that can be read")
    return list(features.ids), features.vectors
