"""What commands that reproduce a paper by training share: their options, a clock, the files at the end."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from circlet.app.cli.terminal import say
from circlet.core.files import write_text

F = TypeVar("F", bound=Callable[..., Any])


def training_options(out: str) -> Callable[[F], F]:
    """--out, --root, --quick, --seeds, --workers and --quiet of an experiment that trains."""
    options = (
        click.option("--out", type=click.Path(path_type=Path), default=Path(out), show_default=True),
        click.option(
            "--root", type=click.Path(path_type=Path), help="A tableaux set; else one is made and kept."
        ),
        click.option("--quick", is_flag=True, help="The same code on a small world with one seed."),
        click.option(
            "--seeds", type=click.IntRange(1), help="How many seeds; else three, or one with --quick."
        ),
        click.option("--workers", type=click.IntRange(1), help="Trainings at once; else one a core."),
        click.option("--quiet", "-q", is_flag=True, help="Print nothing but the table."),
    )

    def decorated(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


class Clock:
    """Minutes since it was made, told with what was done."""

    def __init__(self, quiet: bool) -> None:
        self.began, self.quiet = time.monotonic(), quiet

    @property
    def minutes(self) -> float:
        """How many have passed."""
        return (time.monotonic() - self.began) / 60

    def tell(self, what: str) -> None:
        """Say what was done, and when."""
        if not self.quiet:
            say(f"{what} ({self.minutes:.1f} min)")


def publish(out: Path, name: str, numbers: Any, page: str) -> None:
    """Write OUT/NAME.json and OUT/NAME.md, and print the page."""
    write_text(out / f"{name}.json", json.dumps(numbers, indent=1) + "\n")
    write_text(out / f"{name}.md", page)
    click.echo(page)
