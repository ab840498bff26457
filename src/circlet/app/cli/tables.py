"""Rows of results on the terminal: a table with the protocol above it, or JSON."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.terminal import say
from circlet.evaluate.report.tables import columns, number, table
from circlet.evaluate.result import Result

if TYPE_CHECKING:
    from rich.table import Table


def print_rows(rows: Sequence[Result], baselines: Sequence[Result], form: str) -> None:
    """Print results in this form; a single row is one JSON object, several are a list in one."""
    if form == "json":
        click.echo(json.dumps(as_json(rows, baselines), indent=2, ensure_ascii=False))
        return
    if form != "table":
        click.echo(table([*baselines, *rows], form), nl=False)
        return
    for protocol in dict.fromkeys(row.protocol for row in rows):
        click.echo(protocol)
    _print_table([*baselines, *rows], len(baselines))
    if any(row.coverage < 1 for row in rows):
        say("note: in brackets, the share of the queries that could be asked without the missing pictures")
    for remark in dict.fromkeys(remark for row in rows for remark in row.remarks):
        say(f"note: {remark}")


def as_json(rows: Sequence[Result], baselines: Sequence[Result]) -> dict[str, Any]:
    """One row as an object with its measures and protocol; several as the list `rows` of such."""
    document: dict[str, Any] = (
        rows[0].to_dict() if len(rows) == 1 else {"rows": [row.to_dict() for row in rows]}
    )
    if baselines:
        document["baselines"] = [row.to_dict() for row in baselines]
    return document


def _print_table(rows: Sequence[Result], weak: int) -> None:
    """Measures down, methods across: as wide as there are methods, however many measures."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column("measure", no_wrap=True)
    for place, row in enumerate(rows):
        shown.add_column(row.method, justify="right", style="dim" if place < weak else "", overflow="fold")
    for name in columns(rows):
        # As plain text: a bracket is no markup here.
        shown.add_row(*(Text(cell) for cell in (name, *(number(row, name) for row in rows))))
    print_table(shown)


def print_table(table: "Table") -> None:
    """Print a table; in a pipe, which has no width, lines are not broken."""
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(
            width=max(80, console.measure(table, options=console.options.update(max_width=9999)).maximum)
        )
    console.print(table)
