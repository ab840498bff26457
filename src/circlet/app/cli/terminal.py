"""What a terminal can show and a pipe should not see: progress, grey lines, small pictures."""

import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar

import click

if TYPE_CHECKING:
    import logging


def say(line: str = "") -> None:
    """A line for the person at the terminal; programs read standard output only."""
    if Bar.showing is not None:
        Bar.showing.above(line)
    else:
        click.echo(line, err=True)


def harmless(text: str) -> str:
    """Words that may be a stranger's, as any terminal can print them: nothing in them is obeyed.

    >>> harmless("red\\x1b[2J")
    'red\\\\x1b[2J'
    """
    if text.replace("\n", "").isprintable():
        return text
    from circlet.images.files import shown

    return "\n".join(map(shown, text.split("\n")))


def announce(aloud: bool = True) -> None:
    """Tell the person about work that takes a while and shows no bar, each kind once.

    Libraries report it to the logger `circlet`; where no terminal is, nobody is told.
    """
    import logging

    logger = logging.getLogger("circlet")
    if aloud and not logger.handlers and sys.stderr.isatty():
        logger.addHandler(_once())
        logger.setLevel(logging.INFO)
    elif not aloud:
        logger.setLevel(logging.WARNING)


def _once() -> "logging.Handler":
    """A handler that says every line it has not said before."""
    import logging

    class Once(logging.Handler):
        said: ClassVar[set[str]] = set()

        def emit(self, record: logging.LogRecord) -> None:
            line = record.getMessage()
            if line not in self.said:
                self.said.add(line)
                say(f"circlet: {line}")

    return Once()


class Bar:
    """A progress bar with rate and remaining time; nothing at all where no terminal is.

    with Bar("reading", "pictures") as bar:
        collection.index(bar)
    """

    # The one that is on the screen: lines go above it.
    showing: ClassVar["Bar | None"] = None

    def __init__(self, label: str, things: str, *, quiet: bool = False) -> None:
        self.label = label
        self.things = things
        self.shows = sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not quiet
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
            Bar.showing = self
            self._task = self._bar.add_task(self.label, total=None, rate="")
            self._began = time.monotonic()
        return self

    def __call__(self, done: int, total: int | None) -> None:
        if self._bar is not None:
            spent = max(time.monotonic() - self._began, 1e-3)
            self._bar.update(
                self._task, completed=done, total=total, rate=f"{done / spent:,.0f} {self.things}/s"
            )

    def above(self, line: str) -> None:
        """Print a line that stays when the bar goes on."""
        self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            Bar.showing = None
            self._bar.stop()


class StageBars:
    """One bar after another: scenes, pictures, look-alikes."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.stage = ""
        self.bar: Bar | None = None

    def __enter__(self) -> "StageBars":
        return self

    def __call__(self, stage: str, done: int, of: int) -> None:
        if stage != self.stage:
            self.__exit__()
            self.stage = stage
            self.bar = Bar(stage, "", quiet=self.quiet)
            self.bar.__enter__()
        if self.bar is not None:
            self.bar(done, of)

    def __exit__(self, *ended: object) -> None:
        if self.bar is not None:
            self.bar.__exit__(None, None, None)
            self.bar = None
