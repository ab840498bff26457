"""Rows of results as tables: CSV, Markdown, LaTeX; the protocol stands with the numbers."""

import csv
import io
import math
from collections.abc import Sequence

from circlet.core import UsageError
from circlet.evaluate.result import Result

FORMATS = ("csv", "markdown", "latex")


def columns(rows: Sequence[Result]) -> list[str]:
    """The measures of these rows, in the order they first appear."""
    return list(dict.fromkeys(name for row in rows for name in row.measures))


def number(row: Result, name: str, places: int = 2) -> str:
    """One number as it is printed: its spread over seeds and its share of the queries stand beside it.

    >>> number(Result("m", "p", {"MRR": 12.345}, 9, coverage=0.5), "MRR")
    '12.35 [50.0%]'
    """
    value = row.measures.get(name)
    if value is None or math.isnan(value):
        return "–"
    spread = f" ± {row.spread[name]:.{places}f}" if name in row.spread else ""
    covered = f" [{100 * row.coverage:.1f}%]" if row.coverage < 1 else ""
    return f"{value:.{places}f}{spread}{covered}"


def table(rows: Sequence[Result], form: str) -> str:
    """The rows as text in one of FORMATS.

    >>> row = Result("sum", "toy val gallery=9 reference=kept", {"Recall @ 1": 50.0}, 4)
    >>> print(table([row], "markdown"), end="")
    toy val gallery=9 reference=kept
    <BLANKLINE>
    | method | Recall @ 1 |
    | --- | --- |
    | sum | 50.00 |
    """
    if form not in FORMATS:
        raise UsageError(f"no table is written as {form!r}: pick one of {', '.join(FORMATS)}")
    return {"csv": _csv, "markdown": _markdown, "latex": _latex}[form](rows)


def _cells(rows: Sequence[Result]) -> list[list[str]]:
    names = columns(rows)
    return [[row.method, *(number(row, name) for name in names)] for row in rows]


def _protocols(rows: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(row.protocol for row in rows))


def _csv(rows: Sequence[Result]) -> str:
    names = columns(rows)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["method", "protocol", "queries", "coverage", *names])
    for row in rows:
        values = [repr(row.measures[name]) if name in row.measures else "" for name in names]
        writer.writerow([row.method, row.protocol, row.queries, row.coverage, *values])
    return out.getvalue()


def _markdown(rows: Sequence[Result]) -> str:
    head = ["method", *columns(rows)]
    lines = [head, ["---"] * len(head), *_cells(rows)]
    body = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    return "  \n".join(_protocols(rows)) + "\n\n" + body + "\n"


_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    mark: f"\\{mark}" for mark in "&%$#_{}"
}


def _latex(rows: Sequence[Result]) -> str:
    def safe(text: str) -> str:
        return "".join(_LATEX.get(letter, letter) for letter in text)

    head = ["method", *columns(rows)]
    lines = [" & ".join(safe(cell) for cell in line) + r" \\" for line in _cells(rows)]
    protocols = "\n".join(f"% {line}" for line in _protocols(rows))
    return "\n".join(
        [
            protocols,
            rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
            r"\hline",
            " & ".join(map(safe, head)) + r" \\",
            r"\hline",
            *lines,
            r"\hline",
            r"\end{tabular}",
            "",
        ]
    )
