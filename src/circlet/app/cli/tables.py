"""Rows of results on the terminal: a table with the protocol above it, or JSON."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.terminal import harmless, say
from circlet.evaluate.measures.parse import short
from circlet.evaluate.report.tables import columns, notes, number, table, written
from circlet.evaluate.result import Result

if TYPE_CHECKING:
    from rich.table import Table

    from circlet.experiments.explain import Explained


def print_rows(
    rows: Sequence[Result], baselines: Sequence[Result], form: str, explained: "Sequence[Explained]" = ()
) -> None:
    """Print results in this form; a single row is one JSON object, several are a list in one.

    What explains them stands in a table of its own, below.
    """
    if form == "json":
        document = as_json(rows, baselines)
        if explained:
            document["explained"] = [one.to_dict() for one in explained]
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    if form != "table":
        click.echo(table([*baselines, *rows], form, weak=len(baselines)), nl=False)
        if explained:
            click.echo("\n" + written(*_explained(explained), form), nl=False)
        return
    for protocol in dict.fromkeys(row.protocol for row in rows):
        click.echo(harmless(protocol))
    _print_table([*baselines, *rows], len(baselines))
    if explained:
        _print_lines(*_explained(explained))
    for note in notes(rows, baselines):
        say(harmless(note))


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
        shown.add_column(
            harmless(row.method), justify="right", style="dim" if place < weak else "", overflow="fold"
        )
    for name in columns(rows):
        # As plain text: a bracket is no markup here.
        shown.add_row(*(Text(cell) for cell in (short(name), *(number(row, name) for row in rows))))
    print_table(shown)


def _explained(explained: "Sequence[Explained]") -> tuple[list[str], list[list[str]]]:
    """Correlations as a head and lines: what was measured and what with, then a method a column."""
    methods = list(dict.fromkeys(one.method for one in explained))
    pairs = dict.fromkeys((one.measure, one.factor) for one in explained)
    said = {(one.measure, one.factor, one.method): str(one) for one in explained}
    lines = [
        [f"{short(measure)} with {factor}", *(said.get((measure, factor, method), "–") for method in methods)]
        for measure, factor in pairs
    ]
    return ["Pearson's r", *methods], lines


def _print_lines(head: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in head:
        shown.add_column(name, justify="left" if name == head[0] else "right", no_wrap=True)
    for line in lines:
        shown.add_row(*map(Text, line))
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
