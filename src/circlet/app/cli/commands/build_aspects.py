"""`circlet build aspects`: instructions by semantic aspect, with target and hard negative, from captions."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.terminal import Bar, say

if TYPE_CHECKING:
    from circlet.build.aspects import AspectReport, CaptionSource
    from circlet.build.aspects.drafts import Drafter
    from circlet.language import Aspect

_SHOWN = 5


@click.command(
    epilog="""\b
Examples:
  circlet build aspects my-pictures --out mine                    by templates, nothing is sent anywhere
  circlet build aspects my-pictures --out mine --server http://localhost:11434/v1 --model mistral
  circlet build aspects tableaux:world --out drawn --each 50      target and hard negative are drawn
  circlet eval --method sum --bench aspects:drawn/aspects.jsonl

\b
Aspects: cardinality, addition, negation, change, background, complex.
A key for the servers is read from CIRCLET_LLM_KEY.
"""
)
@click.argument("source")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder; repeat to go on.")
@click.option("--server", metavar="URL", help="An OpenAI-compatible chat server. Without it: templates.")
@click.option("--model", metavar="NAME", help="Its model.")
@click.option("--images", metavar="URL", help="A server with the images endpoint, to make the pictures.")
@click.option("--images-model", metavar="NAME", help="Its model.")
@click.option("--aspect", "names", multiple=True, metavar="NAME", help="Only this one. May be repeated.")
@click.option(
    "--each", type=click.IntRange(1), default=200, show_default=True, help="Cases of each aspect wanted."
)
@click.option("--seed", default=0, show_default=True, help="Another number, other captions first.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def aspects(
    source: str,
    out: Path,
    server: str | None,
    model: str | None,
    images: str | None,
    images_model: str | None,
    names: tuple[str, ...],
    each: int,
    seed: int,
    quiet: bool,
) -> None:
    """Make instructions with a target and a hard negative for each semantic aspect, from captions.

    SOURCE is a folder or file of captions as `circlet train encoder` takes it, or tableaux:FOLDER[:split].
    Writes OUT/aspects.jsonl, one case a line, to be verified by people; what gave nothing is in
    OUT/refused.jsonl with the reason. Run again to go on: nothing is made or asked for twice.
    """
    from circlet.build.aspects import AspectPlan, make_aspects, missing, paint, read_cases, read_sources
    from circlet.build.aspects.cases import CASES
    from circlet.models.chat import Chat

    wanted = _aspects(names)
    drawing = Chat.from_environment(images, images_model) if images else None
    with Bar("reading", "pictures", quiet=quiet) as bar:
        sources, problems = read_sources(source, bar)
    for problem in problems[:_SHOWN] if not quiet else ():
        say(f"passed over: {problem}")
    if len(problems) > _SHOWN and not quiet:
        say(f"and {len(problems) - _SHOWN} more")
    drafter, maker = _drafter(sources, server, model)
    plan = AspectPlan(aspects=wanted, each=each, seed=seed, maker=maker)
    with Bar("making", "cases", quiet=quiet) as bar:
        report = make_aspects(sources, out, drafter, plan, progress=bar, say=say)
    if drawing:
        with Bar("painting", "pictures", quiet=quiet) as bar:
            paint(out, drawing.draw, progress=bar, say=say)
    if quiet:
        return
    _print(report, each)
    cases = read_cases(out / CASES) if (out / CASES).exists() else []
    lacking = len(list(missing(out, cases)))
    click.echo(f"{out / CASES}: {len(cases):,} cases, made by {maker}, {lacking:,} pictures to be attached")


def _aspects(names: tuple[str, ...]) -> "list[Aspect]":
    """The aspects of these names, each once; all that can be made where none is named."""
    from circlet.core import UsageError
    from circlet.data.aspect_names import aspect_name
    from circlet.data.tableaux.tasks.trials import MAKERS

    known = {str(aspect): aspect for aspect in MAKERS}
    named = dict.fromkeys(map(aspect_name, names))
    if wrong := [name for name in named if name not in known]:
        raise UsageError(f"no aspect {wrong[0]!r} to make cases of: pick of {', '.join(known)}")
    return [known[name] for name in named or known]


def _drafter(sources: "list[CaptionSource]", server: str | None, model: str | None) -> "tuple[Drafter, str]":
    """Who makes the cases, and its name: a model, the scenes' graphs, or templates."""
    from circlet.build.aspects import by_scene, by_server, by_template
    from circlet.models.answers import remembered
    from circlet.models.chat import Chat

    chat = Chat.from_environment(server, model) if server else None
    if chat is not None:
        return by_server(remembered(chat.ask, chat.model)), chat.model
    if all(source.scene for source in sources):
        return by_scene, "scene graph"
    return by_template, "template"


def _print(report: "AspectReport", each: int) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from circlet.app.cli.tables import print_table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("aspect", f"cases of {each:,}", "new", "refused", "why"):
        table.add_column(
            name, justify="left" if name in ("aspect", "why") else "right", no_wrap=name != "why"
        )
    for row in report.rows():
        table.add_row(*map(Text, row))
    print_table(table)
