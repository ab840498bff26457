"""Rows of results as tables: CSV, Markdown, LaTeX; the protocol stands with the numbers."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields

from circlet.core import UsageError, showing
from circlet.evaluate.certainty import normality
from circlet.evaluate.compare import Comparison
from circlet.evaluate.measures.parse import parse_measure, short
from circlet.evaluate.result import Result

FORMATS = ("csv", "markdown", "latex", "html")
HEAD = ("measure", "methods", "first", "other", "difference", "95% interval", "p (Holm)", "p", "t-test")
# How the best and the second best of a column are marked in LaTeX.
_MARKS = (r"\textbf{%s}", r"\underline{%s}")


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


def notes(rows: Sequence[Result], beside: Sequence[Result] = ()) -> list[str]:
    """What a reader of these rows should know; of several rows, whose it is stands before it.

    How sure agreement with people is, is said of the rows `beside` them, too.

    >>> notes([Result("sum", "p", {}, 9, remarks=("3 of 9 rankings are not in the run",))])
    ['note: 3 of 9 rankings are not in the run']
    """
    said = []
    if any(row.coverage < 1 for row in rows):
        said.append("in brackets, the share of the queries that could be asked without the missing pictures")
    told = dict.fromkeys(remark for row in rows for remark in row.remarks)
    for remark in told:
        whose = dict.fromkeys(row.method for row in rows if remark in row.remarks)
        said.append(remark if len(rows) == 1 else f"{', '.join(whose)}: {remark}")
    return [f"note: {one}" for one in (*said, *agreement_lines([*rows, *beside]))]


def agreement_lines(rows: Sequence[Result]) -> list[str]:
    """A line on how sure the agreement of each row with people is, and one on whether scores are normal."""
    sure = [(row.method, row.agreement) for row in rows if row.agreement]
    said = [f"{method}: {one.said}" for method, one in sure]
    return [*said, *([normality(dict(sure))] if sure else [])]


def places_of(rows: Sequence[Result], name: str) -> list[int | None]:
    """For each row whether its number is the best (0), the next (1), … of a column; None without one.

    Numbers that are printed alike share a place. Of `NegativeWins` the lowest is the best.

    >>> rows = [Result("m", "p", {"MRR": value}, 9) for value in (10.0, 12.001, 12.002)]
    >>> places_of(rows, "MRR")
    [1, 0, 0]
    """
    try:
        falls = parse_measure(name).lower_is_better
    except UsageError:
        falls = False
    told = [row.measures.get(name, math.nan) for row in rows]
    printed = [None if math.isnan(value) else round(value, 2) for value in told]
    order = sorted({value for value in printed if value is not None}, reverse=not falls)
    return [None if value is None else order.index(value) for value in printed]


def table(rows: Sequence[Result], form: str, *, weak: int = 0) -> str:
    """The rows as text in one of FORMATS; the first `weak` are baselines, which are marked by nothing.

    In LaTeX the best of several rows is bold and the second underlined; in HTML the best is bold.

    >>> row = Result("sum", "toy val gallery=9 reference=kept", {"Recall @ 1": 50.0}, 4)
    >>> print(table([row], "markdown"), end="")
    toy val gallery=9 reference=kept
    <BLANKLINE>
    | method | R@1 |
    | --- | --- |
    | sum | 50.00 |
    """
    names = columns(rows)
    above = [*dict.fromkeys(row.protocol for row in rows), *notes(rows[weak:], rows[:weak])]
    if form == "csv":
        head = ["method", "protocol", "queries", "coverage", *names, "remarks"]
        lines = [
            [
                *(row.method, row.protocol, str(row.queries), str(row.coverage)),
                *_exact(row.measures, names),
                "; ".join(row.remarks),
            ]
            for row in rows
        ]
        return written(head, lines, form)
    cells = [[row.method, *(number(row, name) for name in names)] for row in rows]
    ranked = rows[weak:]
    marks: dict[tuple[int, int], int] = {}
    for column, name in enumerate(names, start=1) if len(ranked) > 1 else ():
        for line, place in enumerate(places_of(ranked, name), start=weak):
            if place is not None and place < len(_MARKS):
                marks[line, column] = place
    return written(["method", *map(short, names)], cells, form, above=above, marks=marks)


class ResultTable(tuple[Result, ...]):
    """Rows of results that show themselves as a table in a notebook: `ResultTable([first, second])`.

    >>> ResultTable([Result("sum", "toy val", {"MRR": 50.0}, 4)])._repr_html_().count("50.00")
    1
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return table(self, "html")


def _exact(measures: Mapping[str, float], names: Sequence[str]) -> list[str]:
    """Numbers as precise as they are; a dash for what was not ranked, nothing for what was not measured."""
    exact = {name: "–" if math.isnan(value) else repr(value) for name, value in measures.items()}
    return [exact.get(name, "") for name in names]


def compared(comparisons: Sequence[Comparison]) -> list[list[str]]:
    """Comparisons as lines under HEAD; what was not ranked is a dash."""
    return [
        [
            short(one.measure),
            f"{one.other} – {one.first}",
            *(
                "–" if "nan" in said else said
                for said in (
                    f"{one.value:.2f}",
                    f"{one.other_value:.2f}",
                    f"{one.difference:+.2f}{one.mark}",
                    f"{one.low:+.2f} … {one.high:+.2f}",
                    f"{one.corrected:.4f}",
                    f"{one.p:.4f}",
                    f"{one.p_t:.4f}",
                )
            ),
        ]
        for one in comparisons
    ]


def comparison_table(
    comparisons: Sequence[Comparison], form: str, protocol: str, said: Sequence[str] = ()
) -> str:
    """Comparisons as text in one of FORMATS, with what is `said` of the runs, for which CSV has no room.

    In LaTeX and HTML the better of the two numbers is bold.
    """
    if form == "csv":
        head = ["protocol", *(field.name for field in fields(Comparison)), "difference", "mark"]
        rows = [asdict(one) | {"difference": one.difference} for one in comparisons]
        lines = [
            [protocol, *("–" if value != value else str(value) for value in row.values()), one.mark]
            for row, one in zip(rows, comparisons, strict=True)
        ]
        return written(head, lines, form)
    marks: dict[tuple[int, int], int] = {}
    for line, one in enumerate(comparisons):
        pair = [Result("", "", {one.measure: value}, 0) for value in (one.value, one.other_value)]
        found = places_of(pair, one.measure)
        if set(found) == {0, 1}:
            marks[line, 2 + found.index(0)] = 0
    return written(HEAD, compared(comparisons), form, above=[protocol, *said], marks=marks)


def written(
    head: Sequence[str],
    lines: Sequence[Sequence[str]],
    form: str,
    *,
    above: Sequence[str] = (),
    marks: Mapping[tuple[int, int], int] | None = None,
) -> str:
    """Any table as text: `above` it stand remarks, `marks` are the best (0) and second (1) cells.

    >>> print(written(["a"], [["5%"], ["4%"]], "latex", marks={(0, 0): 0}).splitlines()[4])
    \\textbf{5\\%} \\\\
    """
    if form not in FORMATS:
        raise UsageError(f"no table is written as {form!r}: pick one of {', '.join(FORMATS)}")
    if form == "csv":
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([head, *lines])
        return out.getvalue()
    if form == "markdown":
        rows = [head, ["---"] * len(head), *lines]
        body = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
        return ("  \n".join(" ".join(line.split()) for line in above) + "\n\n" if above else "") + body + "\n"
    marked = marks or {}
    if form == "html":
        best = {place for place, mark in marked.items() if mark == 0}
        return showing.page(*map(showing.line, above), showing.table(head, lines, best=best))
    cells = [
        [
            _MARKS[marked[row, column]] % _safe(cell) if (row, column) in marked else _safe(cell)
            for column, cell in enumerate(line)
        ]
        for row, line in enumerate(lines)
    ]
    return "\n".join(
        [
            *(f"% {' '.join(line.split())}" for line in above),
            rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
            r"\hline",
            " & ".join(map(_safe, head)) + r" \\",
            r"\hline",
            *(" & ".join(line) + r" \\" for line in cells),
            r"\hline",
            r"\end{tabular}",
            "",
        ]
    )


_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    mark: f"\\{mark}" for mark in "&%$#_{}"
}
_LATEX |= {"–": "--", "±": r"$\pm$", "…": r"\dots{}"}


def _safe(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)
