"""`circlet train scenes`: learn to see what a picture's scene is made of, and check clauses by it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.terminal import Bar, say

if TYPE_CHECKING:
    from circlet.train.fit import StepReport


@click.command(
    epilog="""\b
Examples:
  circlet data make tableaux --size standard --out world
  circlet train scenes --data tableaux:world --out scenes
  circlet eval --method 'sum % 100 >> scenes' --encoder finest --bench tableaux:relevance:world:test
"""
)
@click.option(
    "--data", required=True, metavar="tableaux:FOLDER", help="The set whose scenes say what is to be seen."
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The scene reader's folder.")
@click.option("--scenes", "most", type=click.IntRange(1), help="Only so many scenes, for a first try.")
@click.option(
    "--drawn",
    type=click.IntRange(0),
    help="So many families of four scenes are drawn to learn from beside them.  [default: 2500]",
)
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="The highest learning rate of the eye.")
@click.option("--epochs", type=click.IntRange(1), help="Passes of the eye over the pictures.")
@click.option("--batch", type=click.IntRange(2), help="Pictures of one step.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def scenes(data: str, out: Path, most: int | None, drawn: int | None, quiet: bool, **how: Any) -> None:
    """Train a scorer that reads scenes: which things, how many, of what colour and size, where.

    An eye learns where each kind of thing shows, from how scenes were painted; a viewer learns what the
    things are like, and the light around them; and words are heard by what similar words asked for. Clauses
    are checked by what is seen. The training may be killed at any time: the same command goes on from there.
    OUT then works behind >> wherever a method is named.
    """
    from dataclasses import replace

    from circlet.core import UsageError
    from circlet.core.processes import processors
    from circlet.train.frames import check_free
    from circlet.train.scenes import DRAWN, LOOKING, VIEWING, open_scenes, train_scenes

    kind, _, place = data.partition(":")
    if kind != "tableaux" or not place:
        raise UsageError(
            f"{data}: scenes are learned from drawings whose truth is known; make a set with "
            "`circlet data make tableaux --out world` and give --data tableaux:world"
        )
    check_free(out)
    looking = replace(LOOKING, **{name: value for name, value in how.items() if value is not None})
    viewing = replace(VIEWING, seed=looking.seed)
    with Bar("looking", "pictures", quiet=quiet) as bar:
        more = DRAWN if drawn is None else drawn
        opened = {"most": most or 0, "workers": processors(), "progress": bar}
        train = open_scenes(Path(place), "train", drawn=more, **opened)  # type: ignore[arg-type]
        validation = open_scenes(Path(place), "val", **opened)  # type: ignore[arg-type]
    with Bar("training", "steps", quiet=quiet) as bar:

        def told(report: "StepReport") -> None:
            bar(report.step, report.steps)
            if report.score is not None and not quiet:
                say(f"epoch {report.epoch}: loss {report.loss:.3f}, {report.score:.1f} of 100 on val")

        score = train_scenes(train, validation, out, looking, viewing, data=data, progress=told)
    click.echo(f"{out}: on val, {score}")
    click.echo(f"Check candidates with it: --method 'sum % 100 >> {out}'")
