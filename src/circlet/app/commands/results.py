"""Rows of results on the terminal: a table with the protocol above it, or JSON."""

import json
from collections.abc import Sequence
from typing import Any

import click

from circlet.app.terminal import say
from circlet.evaluate.result import Result
from circlet.evaluate.tables import columns, number, table


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
    for remark in dict.fromkeys(remark for row in rows for remark in row.remarks):
        say(f"note: {remark}")


def as_json(rows: Sequence[Result], baselines: Sequence[Result]) -> dict[str, Any]:
    """One row as an object with its measures and protocol; several as the list `rows` of such."""
    said: dict[str, Any] = rows[0].to_dict() if len(rows) == 1 else {"rows": [row.to_dict() for row in rows]}
    if baselines:
        said["baselines"] = [row.to_dict() for row in baselines]
    return said


def _print_table(rows: Sequence[Result], weak: int) -> None:
    """Measures down, methods across: as wide as there are methods, however many measures."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column("measure", no_wrap=True)
    for place, row in enumerate(rows):
        shown.add_column(row.method, justify="right", style="dim" if place < weak else "", overflow="fold")
    for name in columns(rows):
        shown.add_row(name, *(number(row, name) for row in rows))
    wide = max(len(name) for name in columns(rows)) + sum(max(12, len(row.method)) + 3 for row in rows)
    console = Console()
    # A pipe has no width: lines are not broken there.
    Console(width=None if console.is_terminal else max(wide, 100)).print(shown)
