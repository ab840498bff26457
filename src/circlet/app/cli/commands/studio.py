"""`circlet studio`: pages where people describe, check, find and judge pictures."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fastapi import FastAPI

    from circlet.app.http.config import ServerConfig
    from circlet.studio import Desk

_FILE = click.Path(path_type=Path)


class Studio(click.Group):
    """A group whose first argument may be a project: then it is served."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command in that is left out before a project's file."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["serve", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=Studio,
    epilog="""\b
Examples:
  circlet build pairs subsets.json --out mine
  circlet studio new mine/project.toml         a few questions, then the file
  circlet studio mine/project.toml             the pages, for one person at this machine
  circlet studio mine/project.toml --host 0.0.0.0 --people 5      five links for five people
  circlet studio export mine/project.toml --out done
""",
)
def studio() -> None:
    """Open the studio for a PROJECT: pages where people describe, check, find and judge pictures."""


@studio.command()
@click.argument("project", type=_FILE)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", default=8010, show_default=True, type=click.IntRange(0, 65535), help="0: any free one."
)
@click.option(
    "--token", envvar="CIRCLET_TOKEN", metavar="WORD", help="What the owner must know; made up where needed."
)
@click.option("--name", "names", multiple=True, metavar="HOST", help="Another name this machine goes by.")
@click.option("--people", type=click.IntRange(0, 1000), default=0, help="Print so many new persons' links.")
@click.option("--open", "browse", is_flag=True, help="Open the page in a browser.")
def serve(
    project: Path,
    host: str,
    port: int,
    token: str | None,
    names: tuple[str, ...],
    people: int,
    browse: bool,
) -> None:
    """Open the pages of a PROJECT.

    Only this machine can reach them, unless --host says otherwise; then everybody needs a token, the
    owner's or the one in a link of their own.
    """
    from circlet.app.cli.serving import serve_site
    from circlet.core import UsageError
    from circlet.studio import Desk

    desk = Desk.open(project)

    def made(config: "ServerConfig") -> "FastAPI":
        from circlet.app.studio.site import create_studio

        return create_studio(desk, config)

    def told(address: str) -> None:
        for link in _links(desk, address, people):
            click.echo(link)

    if people and token is None and host in ("127.0.0.1", "localhost", "::1"):
        raise UsageError("links are for a server that asks for tokens: give --host or --token with --people")
    serve_site(made, host=host, port=port, token=token, browse=browse, names=names, told=told)


def _links(desk: "Desk", address: str, people: int) -> list[str]:
    """New persons, and the addresses by which they come in."""
    from circlet.app.studio.people import token_of
    from circlet.app.studio.site import project_secret

    key = project_secret(desk.project)
    made = [desk.store.person() for _ in range(people)]
    return [f"  {person}: {address}studio?token={token_of(key, person)}" for person in made]


@studio.command()
@click.argument("file", type=_FILE)
@click.option("--kind", type=click.Choice(["cirr", "tens", "compare", "verify", "study"]))
@click.option("--title", help="What people see above the pages.")
@click.option("--source", help="The folder or file to ask about, from the project's folder.")
@click.option("--pictures", help="The folder of pictures, from the project's folder.")
@click.option("--people", help="How many answer each item, by task: modify=1,extend=1,retrieve=3.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def new(
    file: Path,
    kind: str | None,
    title: str | None,
    source: str | None,
    pictures: str | None,
    people: str | None,
    force: bool,
) -> None:
    """Write a project FILE; what no option says is asked for."""
    from circlet.core import UsageError
    from circlet.core.files import write_text
    from circlet.studio import project_text, read_project
    from circlet.studio.project import KINDS, PEOPLE
    from circlet.studio.sources import read_source

    if file.exists() and not force:
        raise UsageError(f"{file}: is there already; name another file, or say --force")
    kind = kind or click.prompt(
        "What is asked? cirr (sentences for pairs), tens (one of ten), compare (two methods' results), "
        "verify (generated cases), study (search in rounds)",
        type=click.Choice(list(KINDS)),
        default="cirr",
    )
    title = title or click.prompt("Title", default=file.parent.resolve().name or "My project")
    source = source or click.prompt("Folder or file to ask about, from the project's folder", default=".")
    if pictures is None:
        pictures = click.prompt(
            "Folder of pictures (empty: the source's own)", default="", show_default=False
        )
    counts = _counts(people, kind) if people is not None else {}
    for task in KINDS[kind] if people is None else ():
        counts[task] = click.prompt(f"People for each item of “{task}”", type=int, default=PEOPLE[task])
    write_text(file, project_text(title=title, kind=kind, source=source, pictures=pictures, people=counts))
    found = read_source(read_project(file))
    click.echo(f"{file}: {len(found.items):,} items to begin with; open it with: circlet studio {file}")


def _counts(people: str, kind: str) -> dict[str, int]:
    from circlet.core import UsageError

    try:
        pairs = [part.split("=") for part in people.split(",") if part]
        return {task.strip(): int(count) for task, count in pairs}
    except ValueError:
        raise UsageError(f"--people {people}: write it like modify=1,extend=1,retrieve=3") from None


@studio.command()
@click.argument("project", type=_FILE)
@click.option("--out", type=_FILE, required=True, help="The folder to write.")
@click.option("--no-pictures", is_flag=True, help="Leave the pictures where they are.")
@click.option("--jsonl", is_flag=True, help="Write circlet's own JSONL beside it.")
def export(project: Path, out: Path, no_pictures: bool, jsonl: bool) -> None:
    """Write the answers of a PROJECT as the dataset of their kind.

    CIRR's files, ImageCoDe's, aspect cases, human scores, or searches; `circlet data check` reads each.
    """
    from circlet.studio import export as write

    desk = _closing(project)
    made = write(desk, out, pictures=not no_pictures, jsonl=jsonl)
    for path in made.files:
        click.echo(str(path))
    for note in made.notes:
        click.echo(note)
    click.echo(f"check it with: circlet data check {' '.join(made.benchmarks)}")


@studio.command()
@click.argument("project", type=_FILE)
@click.option("--out", type=_FILE, help="The HTML file; else report.html beside the project.")
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON instead.")
def report(project: Path, out: Path | None, as_json: bool) -> None:
    """Write a PROJECT's report: throughput, agreement, time, acceptance, aspects, words."""
    import json
    from dataclasses import asdict

    from circlet.app.studio.report import report_file
    from circlet.core.files import write_text
    from circlet.studio import figures

    desk = _closing(project)
    found = figures(desk)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=1, ensure_ascii=False))
        return
    path = write_text(out or project.parent / "report.html", report_file(found, desk.texts))
    for name, value in found.values.items():
        click.echo(f"{name:32} {value:8.3f}")
    click.echo(str(path))


@studio.command()
@click.argument("what", metavar="PROJECT|BENCHMARK")
@click.option("--most", type=click.IntRange(1), help="Of a benchmark: so many texts, drawn by chance.")
@click.option("--seed", default=0, show_default=True)
def check(what: str, most: int | None, seed: int) -> None:
    """Flag odd answers of a PROJECT, or sentences of a BENCHMARK that break the guidelines.

    Nothing is changed: flagged answers wait on the review page.
    """
    from collections import Counter

    rules: Counter[str] = Counter()
    lines: list[str] = []
    total = 0
    own = what.endswith(".toml")
    for text, found in _flagged(Path(what)) if own else _captions(what, most, seed):
        total += 1
        rules.update(found)
        lines += [f"{', '.join(found)}: {text}"] if found else []
    for line in lines:
        click.echo(line)
    share = 100 * len(lines) / max(1, total)
    click.echo(
        f"{len(lines)} of {total} flagged ({share:.1f} %)" + "".join(f", {r} {n}" for r, n in rules.items())
    )


def _flagged(project: Path) -> list[tuple[str, list[str]]]:
    from circlet.studio import flags
    from circlet.studio.quality import by_answer

    answers = _closing(project).store.answers()
    found = by_answer(flags(answers))
    return [(f"{one.person} {one.item.id} {dict(one.answer)}", found.get(one.number, [])) for one in answers]


def _captions(name: str, most: int | None, seed: int) -> list[tuple[str, list[str]]]:
    import random

    from circlet.data import load_benchmark
    from circlet.data.analysis import texts_of
    from circlet.studio import breaches

    texts = texts_of(load_benchmark(name))
    chosen = random.Random(seed).sample(texts, min(most, len(texts))) if most else texts
    return [(text, breaches(text)) for text in chosen]


def _closing(project: Path) -> "Desk":
    """The desk of a project, let go of when the command ends."""
    from circlet.studio import Desk

    desk = Desk.open(project)
    click.get_current_context().call_on_close(desk.close)
    return desk
