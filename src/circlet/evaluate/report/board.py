"""A board: everything that was measured on one page, a table for each protocol and never two in one."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from circlet.evaluate.measures.parse import short
from circlet.evaluate.report.page import document
from circlet.evaluate.report.tables import columns, number, places_of
from circlet.evaluate.result import Result

# What sorts the tables where scripts run; where none does, they stand as they were written.
_SCRIPT = """
for (const table of document.querySelectorAll("table.board")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const rising = head.getAttribute("aria-sort") === "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      const value = (row) => row.cells[column].dataset.value ?? "";
      const order = (one, two) => {
        const a = value(one), b = value(two);
        if (a === "" || b === "") return (a === "") - (b === "");
        const apart = isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b;
        return rising ? apart : -apart;
      };
      body.append(...[...body.rows].sort(order));
    });
  });
}
"""
_STYLE = """
body{max-width:min(100rem,100%);box-sizing:border-box}
.board th button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer}
.board th[aria-sort=descending] button::after{content:" ▾"/""}
.board th[aria-sort=ascending] button::after{content:" ▴"/""}
.board small{display:block;color:var(--soft);white-space:normal;min-width:14rem}
.board td{vertical-align:top}.board .said{text-align:left}
"""
_ABOUT = ("seed", "fingerprint", "file")


@dataclass(frozen=True)
class BoardRow:
    """One row of a board: its numbers, the file they come from, and whether it is a baseline."""

    result: Result
    file: str
    weak: bool = False


def board(title: str, rows: Sequence[BoardRow], left_out: Mapping[str, str]) -> str:
    """The page; `left_out` are files that are not on it, with the reason of each.

    Rows stand in one table only if protocol, annotations, queries and coverage are the same, and a run
    that was ranked under another protocol stands apart from those that were not.

    >>> one = Result("sum", "toy val gallery=9", {"Recall @ 1": 50.0}, 4)
    >>> two = Result("sum", "toy val gallery=99", {"Recall @ 1": 20.0}, 4)
    >>> board("Mine", [BoardRow(one, "a.json"), BoardRow(two, "b.json")], {}).count("<table")
    2
    """
    tables = [_section(same) for same in together(rows)]
    gone = "".join(
        f"<li><code>{escape(file)}</code> {escape(reason)}</li>" for file, reason in left_out.items()
    )
    body = [
        f"<style>{_STYLE}</style>",
        "<p>Numbers are percentages. Each table is one protocol: numbers of different tables are not to be "
        "compared.</p>",
        *tables,
        f"<h2>Left out</h2><ul>{gone}</ul>" if gone else "",
        f"<script>{_SCRIPT}</script>",
    ]
    return document(title, "".join(body))


def together(rows: Sequence[BoardRow]) -> list[list[BoardRow]]:
    """The rows whose numbers may be compared, table by table."""
    tables: dict[tuple[str, str, str, int, float], list[BoardRow]] = {}
    for row in rows:
        one = row.result
        key = (one.protocol, one.made, one.revision, one.queries, one.coverage)
        tables.setdefault(key, []).append(row)
    return [same for _, same in sorted(tables.items())]


def _section(rows: Sequence[BoardRow]) -> str:
    """One protocol's table, the best of its first measure on top."""
    one = rows[0].result
    # The share of the queries is the whole table's, and stands above it.
    results = [replace(row.result, coverage=1.0) for row in rows]
    names = columns(results)
    places = {name: places_of(results, name) for name in names}
    first = places[names[0]] if names else [None] * len(rows)
    order = sorted(range(len(rows)), key=lambda at: (first[at] is None, first[at] or 0, results[at].method))
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in ("method", *map(short, names)))
    head += "".join(f"<th scope=col class=said>{name}</th>" for name in _ABOUT)
    lines = []
    for at in order:
        cells = [_method(results[at])]
        for name in names:
            look = " class=best" if places[name][at] == 0 and not rows[at].weak else ""
            value = results[at].measures.get(name, math.nan)
            told = "" if math.isnan(value) else repr(value)
            cells.append(f'<td{look} data-value="{told}">{escape(number(results[at], name))}</td>')
        seed = "" if results[at].seed is None else str(results[at].seed)
        cells += [_cell(seed), _cell(results[at].fingerprint), _cell(rows[at].file)]
        lines.append(f"<tr{' class=weak' if rows[at].weak else ''}>{''.join(cells)}</tr>")
    about = [
        one.made and f"ranked under another protocol: {one.made}",
        one.revision and f"annotations {one.revision}",
        f"{one.queries:,} queries",
    ]
    if one.coverage < 1:
        about.append(f"{100 * one.coverage:.1f}% of the queries: pictures were missing")
    return (
        f"<h2>{escape(one.protocol)}</h2><p><code>{escape('; '.join(filter(None, about)))}</code></p>"
        f"<div class=scroll><table class=board><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _method(result: Result) -> str:
    remarks = "".join(f"<small>{escape(remark)}</small>" for remark in result.remarks)
    return f'<td data-value="{escape(result.method)}">{escape(result.method)}{remarks}</td>'


def _cell(text: str) -> str:
    return f'<td class=said data-value="{escape(text)}">{escape(text) or "–"}</td>'
