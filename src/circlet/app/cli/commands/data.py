"""`circlet data`: the group of commands about benchmarks, each loaded when it is called."""

import click

from circlet.app.cli.main import Lazy

# name: (module under circlet.app.cli.commands, attribute, one line for the list)
COMMANDS: dict[str, tuple[str, str, str]] = {
    "make": ("data_make", "make", "Draw a world whose truth is known, with benchmarks for every task."),
    "check": ("data_check", "check", "Say what is there, what is missing, and whether counts are right."),
    "show": ("data_show", "show", "Draw random examples of a benchmark as a page."),
    "stats": ("data_stats", "stats", "Words, aspects and turns of a benchmark's texts."),
    "judge": (
        "data_judge",
        "judge",
        "Score sessions of several turns, by rule or by a model that sees them.",
    ),
    "validate": (
        "data_validate",
        "validate",
        "Which descriptions others found the picture by, and how people agree.",
    ),
    "convert": ("data_convert", "convert", "Write any benchmark as one circlet JSONL file."),
}


@click.group(cls=Lazy, table=COMMANDS)
def data() -> None:
    """Make, check, show and convert benchmarks."""
