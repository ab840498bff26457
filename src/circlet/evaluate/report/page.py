"""A report as one HTML page that needs nothing else: table, plots, wins and losses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from circlet.core import Benchmark, Key, Run
from circlet.evaluate.arrays import LOST, Floats
from circlet.evaluate.judge import Judged
from circlet.evaluate.measures.combine import Within
from circlet.evaluate.measures.parse import parse_measure, short
from circlet.evaluate.measures.recall import Recall, best_ranks
from circlet.evaluate.measures.turns import Hits
from circlet.evaluate.report.plots import bars, lines, scatter
from circlet.evaluate.report.tables import agreement_lines, columns, number, places_of
from circlet.evaluate.result import Result

# A picture's address for an <img>, or nothing where it cannot be shown.
PictureAddress = Callable[[str], str]
STYLE = """
:root{color-scheme:light dark;--ink:#1b1b1b;--soft:#666;--line:#ddd;--card:#f7f7f7;--back:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#eee;--soft:#aaa;--line:#444;--card:#222;--back:#161616}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);margin:2rem auto;
max-width:72rem;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.5rem}code{color:var(--soft);overflow-wrap:anywhere}
.scroll{overflow-x:auto}table{border-collapse:collapse}
table{font-size:.9rem}
th,td{padding:.25rem .55rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left}.weak{color:var(--soft)}.best{font-weight:700}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(24rem,1fr));gap:1.5rem}
.plot{margin:0}.plot figcaption{font-weight:600}svg{width:100%;height:auto}
svg text{font-size:12px;fill:var(--soft)}.grid{stroke:var(--line);stroke-width:1}
.even{stroke:var(--soft);stroke-dasharray:4 4}polyline{fill:none;stroke-width:2.2}
.dot{fill:#0072b2;fill-opacity:.35}
.legend span{display:inline-flex;align-items:center;gap:.35rem;margin-right:1rem;font-size:.85rem}
.legend i{width:.8rem;height:.8rem;border-radius:2px}
.case{border:1px solid var(--line);border-radius:8px;padding:.8rem;margin:.8rem 0;background:var(--card)}
.case p{margin:.1rem 0 .6rem}.row{display:flex;flex-wrap:wrap;gap:.6rem;align-items:flex-start}
.row figure{margin:0;width:8rem}.row figcaption{font-size:.75rem;color:var(--soft);overflow-wrap:anywhere}
.shot{width:8rem;height:8rem;object-fit:contain;background:var(--back);border:2px solid var(--line);
border-radius:6px;display:grid;place-items:center;font-size:.75rem;color:var(--soft)}
.reference .shot{border-color:#0072b2}.truth .shot{border-color:#009e73}
"""


def document(title: str, body: str) -> str:
    """A whole page: nothing is loaded from anywhere else.

    >>> document("Report", "<p>hello</p>").startswith("<!doctype html>")
    True
    """
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{STYLE}</style></head><body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )


def shot(picture: PictureAddress, id: str, note: str, kind: str = "") -> str:
    """One picture with a line under it; where there is none, its name stands in its place."""
    source = picture(id)
    inside = (
        f'<img class="shot" src="{escape(source)}" alt="{escape(id)}" loading="lazy">'
        if source
        else f'<div class="shot">{escape(id)}</div>'
    )
    return f'<figure class="{kind}">{inside}<figcaption>{escape(note)}</figcaption></figure>'


@dataclass(frozen=True)
class ReportRow:
    """One row of a report: its numbers and, if it is at hand, the run to show pictures from."""

    result: Result
    run: Run | None = None

    @property
    def judged(self) -> Judged | None:
        """The ranks behind the numbers."""
        return self.result.judged


def report(
    benchmark: Benchmark,
    entries: Sequence[ReportRow],
    baselines: Sequence[Result],
    picture: PictureAddress,
    *,
    cases: int = 6,
) -> str:
    """The page of these rows; wins and losses are of the last method against the one before it."""
    told = {entry.result.method: entry for entry in entries if entry.judged is not None}
    weak = {row.method: ReportRow(row) for row in baselines if row.judged is not None}
    plots = _plots(benchmark, {**told, **weak}, told)
    remarks = dict.fromkeys(remark for entry in entries for remark in entry.result.remarks)
    sure = agreement_lines([*(entry.result for entry in entries), *baselines])
    body = [
        f"<p><code>{escape(benchmark.header())}</code></p>",
        _table([*baselines, *(entry.result for entry in entries)], len(baselines)),
        "".join(f"<p class=weak>{escape(remark)}</p>" for remark in (*remarks, *sure)),
        f"<h2>Plots</h2><div class=plots>{''.join(plots)}</div>" if plots else "",
        *(_cases(benchmark, list(told.values()), picture, cases) if told else ()),
    ]
    title = f"{', '.join(entry.result.method for entry in entries)} on {benchmark.name} {benchmark.split}"
    return document(title, "".join(body))


def _table(rows: Sequence[Result], weak: int) -> str:
    head = "".join(f"<th>{escape(row.method)}</th>" for row in rows)
    lines = []
    for name in columns(rows):
        cells = "".join(
            f'<td class="{"weak" if place < weak else ""}{" best" if best == 0 else ""}">'
            f"{escape(number(row, name))}</td>"
            for place, (row, best) in enumerate(zip(rows, places_of(rows, name), strict=True))
        )
        lines.append(f"<tr><td>{escape(short(name))}</td>{cells}</tr>")
    return f"<div class=scroll><table><tr><th>measure</th>{head}</tr>{''.join(lines)}</table></div>"


def _plots(benchmark: Benchmark, shown: dict[str, ReportRow], told: dict[str, ReportRow]) -> list[str]:
    judged = {name: entry.judged for name, entry in shown.items() if entry.judged is not None}
    plots = []
    if judged and benchmark.galleries:
        deep = [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50]
        curves = {name: [(Recall @ k).value(one) for k in deep] for name, one in judged.items()}
        ticks = [1, 2, 5, 10, 20, 50]
        plots.append(lines("Recall @ K", deep, curves, x_label="K", y_label="%", x_ticks=ticks, log_x=True))
    longest = max((len(query.turns) for query in benchmark.queries), default=1)
    if judged and longest > 1:
        turns = list(range(1, longest + 1))
        hits = {name: [(Hits(turn=turn) @ 10).value(one) for turn in turns] for name, one in judged.items()}
        plots.append(lines("Hits @ 10 by turn", turns, hits, x_label="turn", y_label="%"))
    plots += _by_part(benchmark, judged)
    pair = [one for one in (entry.judged for entry in told.values()) if one is not None][-2:]
    if len(pair) == 2 and benchmark.galleries:
        x, y = (_target_ranks(one) for one in pair)
        names = list(told)[-2:]
        plots.append(scatter("Rank of the target, query by query", x, y, x_label=names[0], y_label=names[1]))
    return plots


def _by_part(benchmark: Benchmark, judged: dict[str, Judged]) -> list[str]:
    """Bars of the benchmark's own measures within groups and aspects, or of recall if it names none."""
    inside = [one for one in map(parse_measure, benchmark.measures) if isinstance(one, Within)]
    if not inside and benchmark.galleries:
        names = sorted({name for case in benchmark.cases for name in case.aspects})
        if not names and benchmark.tagger:
            names = [name for name in benchmark.tagger.names if any(benchmark.showing(name))]
        inside = [Within(name, Recall @ 10) for name in names]
    plots = []
    for measure in dict.fromkeys(one.measure for one in inside):
        parts = [one for one in inside if one.measure == measure]
        values = {name: [part.value(one) for part in parts] for name, one in judged.items()}
        if values and len(parts) > 1:
            labels = [part.part for part in parts]
            plots.append(bars(f"{measure!r} by part", labels, values, x_label="%"))
    return plots


def _target_ranks(judged: Judged) -> Floats:
    """The best rank of a truth after the last turn, by query; what was not found stands at the end."""
    ranks = best_ranks(judged)
    known = ranks[ranks < LOST]
    end = max(int(known.max(initial=1)), int(judged.arrays.size.max(initial=1)))
    return judged.arrays.per_query(np.minimum(ranks, end).astype(np.float64))


def _cases(benchmark: Benchmark, entries: list[ReportRow], picture: PictureAddress, amount: int) -> list[str]:
    last = entries[-1]
    assert last.judged is not None
    if benchmark.galleries or not benchmark.has_subsets:
        mine = _target_ranks(last.judged)
    else:
        ranks = np.minimum(last.judged.subset_rank, 99).astype(np.float64)
        mine = last.judged.arrays.per_query(last.judged.arrays.per_ask(ranks * last.judged.arrays.target))
    before = entries[-2].judged if len(entries) > 1 else None
    if before is not None and benchmark.galleries:
        theirs = _target_ranks(before)
        names = entries[-2].result.method, last.result.method
        gain = np.log(theirs) - np.log(mine)
        heads = (f"Wins of {names[1]} over {names[0]}", f"Losses of {names[1]} against {names[0]}")
    else:
        theirs, gain = mine, -mine
        heads = (f"Best of {last.result.method}", f"Worst of {last.result.method}")
    order = np.argsort(-gain, kind="stable")
    parts = []
    for head, chosen in zip(heads, (order[:amount], order[::-1][:amount]), strict=True):
        kept = [place for place in chosen if before is None or gain[place] != 0]
        shown = "".join(
            _case(benchmark, entries, int(place), (theirs[place], mine[place]), picture) for place in kept
        )
        parts.append(f"<h2>{escape(head)}</h2>{shown or '<p>None.</p>'}")
    return parts


def _case(
    benchmark: Benchmark,
    entries: list[ReportRow],
    place: int,
    ranks: tuple[float, float],
    picture: PictureAddress,
) -> str:
    query = benchmark.queries[place]
    words = " → ".join(turn.text for turn in query.turns if turn.text)
    rank = f"rank {ranks[1]:g}" if len(entries) < 2 else f"rank {ranks[0]:g} → {ranks[1]:g}"
    shots = [
        shot(picture, turn.picture, f"reference {turn.picture}", "reference")
        for turn in query.turns
        if turn.picture
    ]
    truths = benchmark.case(query.id).truths
    shots += [shot(picture, id, f"target {id}", "truth") for id in truths[:1]]
    run = entries[-1].run
    if run:
        key = Key(query.id, max(1, len(query.turns)))
        ranking = run.rankings.get(key) or run.subsets.get(key)
        shots += [
            shot(picture, id, f"{number}. {id}", "truth" if id in truths else "")
            for number, id in enumerate(ranking.ids[:5] if ranking else (), start=1)
        ]
    head = f"<p>{escape(words)} <code>{escape(query.id)}, {rank}</code></p>"
    return f"<div class=case>{head}<div class=row>{''.join(shots)}</div></div>"
