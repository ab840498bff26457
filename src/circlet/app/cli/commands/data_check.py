"""`circlet data check`: what is there of a dataset, what is missing, are the counts the published ones."""

import json
from typing import TYPE_CHECKING

import click

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

    Exit code 1 if a count differs; missing pictures are told, and are not an error.
    """
    from pathlib import Path

    from circlet.core import UsageError
    from circlet.data.check import benchmarks_under
    from circlet.data.check import check as checked

    reports = []
    for name in names:
        inside = benchmarks_under(Path(name)) if Path(name).exists() else [name]
        if not inside:
            raise UsageError(f"{name}: no dataset that circlet reads is in this folder")
        reports += [checked(one) for one in inside]
    if as_json:
        click.echo(json.dumps([_as_dict(one) for one in reports], indent=2, ensure_ascii=False))
    else:
        for one in reports:
            _print(one)
    raise click.exceptions.Exit(1 if any(one.differs for one in reports) else 0)


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
    first = f", the first is {one.missing[0]}" if gone else ""
    click.echo(f"  {one.pictures - gone:>8,} of {one.pictures:,} pictures are there{first}")
    for finding in one.findings:
        click.echo(f"  - {finding}")
