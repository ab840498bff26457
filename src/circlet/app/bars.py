"""How far long work has come, wherever it is watched: a notebook, a terminal, or nobody."""

import sys
import time
from types import TracebackType
from typing import Any, Protocol

_HEIGHT = 6
# A page cannot be read faster, and every update is a message to the browser.
_SECONDS = 0.1


class ShownProgress(Protocol):
    """A `Progress` that is on a screen from `with` to its end."""

    def __enter__(self) -> "ShownProgress": ...

    def __call__(self, done: int, total: int | None) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def bar(label: str = "reading", things: str = "pictures") -> ShownProgress:
    """A progress bar for `index` and whatever else takes a `progress`, in a notebook or a terminal.

    >>> with bar("reading") as told:                                 # doctest: +SKIP
    ...     pictures.index(told)

    Where neither is there (a script whose errors go to a file), it shows nothing.
    """
    if _in_notebook():
        return NotebookBar(label, things)
    from circlet.app.cli.terminal import Bar

    return Bar(label, things)


def _in_notebook() -> bool:
    """Whether a notebook's kernel runs this: IPython is there, and what it shows goes to a page."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


class NotebookBar:
    """A bar that is one output of its cell, drawn anew as the work goes on; needs no widgets."""

    def __init__(self, label: str, things: str) -> None:
        self.label, self.things = label, things
        self._handle: Any = None
        self._began = self._told = 0.0
        self._last: tuple[int, int | None] = (0, None)

    def __enter__(self) -> "NotebookBar":
        from IPython.display import HTML, display

        self._began = time.monotonic()
        self._handle = display(HTML(self.html(0, None)), display_id=True)
        return self

    def __call__(self, done: int, total: int | None) -> None:
        self._last = (done, total)
        now = time.monotonic()
        if self._handle is not None and now - self._told >= _SECONDS:
            self._told = now
            self._draw()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handle is not None:
            self._draw()
            self._handle = None

    def _draw(self) -> None:
        from IPython.display import HTML

        self._handle.update(HTML(self.html(*self._last)))

    def html(self, done: int, total: int | None) -> str:
        """The bar after `done` of `total`, with its rate.

        >>> "3 of 4" in NotebookBar("reading", "pictures").html(3, 4)
        True
        """
        from html import escape

        share = 100 * done / total if total else 0
        spent = max(time.monotonic() - self._began, 1e-3)
        of = f" of {total:,}" if total is not None else ""
        said = f"{self.label}: {done:,}{of} {self.things}, {done / spent:,.0f}/s"
        inner = f"width:{share:.1f}%;height:{_HEIGHT}px;border-radius:3px;background:#b4481f"
        outer = f"width:20em;height:{_HEIGHT}px;border-radius:3px;background:rgba(128,128,128,.3)"
        return f'<div>{escape(said)}<div style="{outer}"><div style="{inner}"></div></div></div>'
