"""`circlet data check`: what is there of a dataset, what is missing, are the counts the published ones."""

import json
from typing import TYPE_CHECKING

import click

from circlet.app.cli.terminal import say

if TYPE_CHECKING:
    from circlet.data.check import Checked


@click.command(
    epilog="""\b
Examples:
  circlet data check data/            every dataset found in the folder
  circlet data check cirr:data/cirr   one benchmark
"""
)
@click.argument("names", nargs=-1, required=True, metavar="ROOT|NAME…")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(names: tuple[str, ...], as_json: bool) -> None:
    """Say what is there, what is missing, and whether counts match the published ones.

    Exit code 1 if a count differs or a dataset is broken; the others are checked all the same. Missing
    pictures are told, and are not an error.
    """
    from pathlib import Path

    from circlet.core import CircletError, UsageError
    from circlet.data.check import benchmarks_under
    from circlet.data.check import check as checked

    reports: list[Checked] = []
    broken: dict[str, CircletError] = {}
    for name in names:
        inside = benchmarks_under(Path(name)) if Path(name).exists() else [name]
        if not inside:
            broken[name] = UsageError(f"{name}: no dataset that circlet reads is in this folder")
        for one in inside:
            # One that is broken says nothing of the others.
            try:
                reports.append(checked(one))
            except CircletError as error:
                broken[one] = error
    if as_json:
        told = [_as_dict(one) for one in reports]
        told += [{"name": name, "error": str(cause)} for name, cause in broken.items()]
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    for report in reports if not as_json else ():
        _print(report)
    for cause in broken.values():
        say(f"circlet: {cause}")
    code = max((cause.exit_code for cause in broken.values()), default=0)
    raise click.exceptions.Exit(code or any(report.differs for report in reports))


def _as_dict(one: "Checked") -> dict[str, object]:
    return {
        "name": one.name,
        "protocol": one.header,
        "revision": one.revision,
        "counts": one.counts,
        "published": one.published,
        "differs": {name: list(pair) for name, pair in one.differs.items()},
        "findings": list(one.findings),
        "pictures": one.pictures,
        "missing": len(one.missing),
    }


def _print(one: "Checked") -> None:
    click.echo(f"{one.name}  ({one.header}; {one.revision})")
    for name, amount in one.counts.items():
        wanted = one.published.get(name)
        verdict = (
            "" if wanted is None else "  as published" if wanted == amount else f"  published: {wanted:,}"
        )
        click.echo(f"  {amount:>8,} {name}{verdict}")
    gone = len(one.missing)
    lost = f"; {gone:,} are missing, the first of them {one.missing[0]}" if gone else ""
    click.echo(f"  {one.pictures - gone:>8,} of {one.pictures:,} pictures are there{lost}")
    for finding in one.findings:
        click.echo(f"  - {finding}")
