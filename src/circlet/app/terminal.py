"""What a terminal can show and a pipe should not see: progress, grey lines, small pictures."""

import sys
import time
from types import TracebackType
from typing import Any

import click


def say(line: str = "") -> None:
    """A line for the person at the terminal; programs read standard output only."""
    click.echo(line, err=True)


class Bar:
    """A progress bar with rate and remaining time; nothing at all where no terminal is.

    with Bar("reading", "pictures") as bar:
        collection.index(bar)
    """

    def __init__(self, label: str, things: str, *, quiet: bool = False) -> None:
        self.label = label
        self.things = things
        self.shows = sys.stderr.isatty() and not quiet
        self._bar: Any = None

    def __enter__(self) -> "Bar":
        if self.shows:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            rate = TextColumn("{task.fields[rate]}")
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), rate)
            self._bar = Progress(
                *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
            )
            self._bar.start()
            self._task = self._bar.add_task(self.label, total=None, rate="")
            self._began = time.monotonic()
        return self

    def __call__(self, done: int, total: int | None) -> None:
        if self._bar is not None:
            spent = max(time.monotonic() - self._began, 1e-3)
            self._bar.update(
                self._task, completed=done, total=total, rate=f"{done / spent:,.0f} {self.things}/s"
            )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
