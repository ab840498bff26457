"""Reports: what stands in the tables and on the page, read back as a browser would."""

import math
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from circlet.core import Benchmark, Key, Query, Ranking, Run, Turn, UsageError, cases_of
from circlet.evaluate import measure
from circlet.evaluate.compare import Comparison
from circlet.evaluate.report.page import ReportRow, report
from circlet.evaluate.report.plots import bars, lines, scatter
from circlet.evaluate.report.tables import comparison_table, table
from circlet.evaluate.result import Result, chance, over_seeds


class Balanced(HTMLParser):
    """Fails on a tag that is closed twice or never; collects the texts and addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.said: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def read(page: str) -> Balanced:
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    return parser


def bench() -> Benchmark:
    return Benchmark(
        name="toy",
        split="val",
        cases=cases_of(
            tuple(Query(id, (Turn(picture="a", text=f"<{id}> & more"),) * 2) for id in "pqr"),
            truths={"p": ("b",), "q": ("c",), "r": ("d",)},
            aspects={"p": ("negation",), "q": ("addition",), "r": ("addition",)},
        ),
        galleries={"": tuple("abcdef")},
        measures=("Recall @ 1", "Within('negation', Recall @ 2)", "Within('addition', Recall @ 2)"),
    )


def run(name: str, order: str) -> Run:
    keys = [Key(id, turn) for id in "pqr" for turn in (1, 2)]
    return Run(method=name, rankings={key: Ranking(order, range(6, 0, -1)) for key in keys})


def test_a_report_shows_table_plots_wins_and_losses() -> None:
    on = bench()
    runs = [run("old", "bcdefa"), run("new <1>", "dcbefa")]
    entries = [ReportRow(measure(one, on), one) for one in runs]
    page = report(on, entries, [chance(on)], lambda id: "" if id == "c" else f"data:,{id}")
    found = read(page)
    text = " ".join(found.said)
    assert "toy val gallery=6" in text
    for head in (
        "Recall @ K",
        "Hits @ 10 by turn",
        "Recall @ 2 by part",
        "Rank of the target, query by query",
    ):
        assert head in text
    # old ranks b, c, d at 1, 2, 3; new ranks them at 3, 2, 1: r is won, p is lost, q is neither.
    wins, losses = re.split("Losses of", text.split("Wins of new <1> over old")[1])
    assert "rank 3 → 1" in wins
    assert "rank 1 → 3" in losses
    assert "q, rank" not in wins + losses
    assert "<r> & more" in wins
    assert all(source.startswith("data:") for source in found.sources)
    assert report(on, entries, [chance(on)], lambda id: "") == report(
        on, entries, [chance(on)], lambda id: ""
    )


def test_one_method_shows_its_best_and_worst() -> None:
    on = bench()
    one = run("only", "bcdefa")
    text = " ".join(read(report(on, [ReportRow(measure(one, on), one)], [], lambda id: "")).said)
    assert "Best of only" in text
    assert "Worst of only" in text


def test_plots_are_drawn_to_scale() -> None:
    drawn = lines("t", [1, 2], {"a": [0, 100]}, x_label="x", y_label="y")
    points = re.search(r'points="([\d.]+),([\d.]+) ([\d.]+),([\d.]+)"', drawn)
    assert points is not None
    left, bottom, right, top = map(float, points.groups())
    # The first point at the left end of the zero line, the second at the top right.
    assert (left, bottom) == (52, 276)
    assert right == 544
    assert top == pytest.approx(16, abs=15)
    wide = [
        float(value)
        for value in re.findall(
            r'<rect [^>]*width="([\d.]+)"', bars("t", ["a", "b"], {"m": [10, 40]}, x_label="%")
        )
    ]
    assert wide[1] == pytest.approx(4 * wide[0], rel=0.01)
    dots = scatter("t", np.array([1.0, 1.0, 100.0]), np.array([1.0, 1.0, 100.0]), x_label="a", y_label="b")
    assert dots.count('class="dot"') == 2
    assert "<title>2 queries</title>" in dots


def test_latex_and_markdown_escape_what_they_must() -> None:
    row = Result("a_b & c|d", "toy val 50%", {"Recall @ 1": 12.5}, 3)
    assert r"a\_b \& c|d & 12.50 \\" in table([row], "latex")
    assert r"| a_b & c\|d |" in table([row], "markdown")
    with pytest.raises(UsageError, match="no table is written as 'word'"):
        table([row], "word")


def test_reruns_become_one_row_with_a_spread() -> None:
    rows = [Result("m", "p", {"MRR": value}, 4, seed=seed) for seed, value in enumerate([40.0, 50.0, 60.0])]
    one = over_seeds(rows)
    assert one.measures == {"MRR": 50.0}
    assert one.spread == {"MRR": 10.0}
    assert "50.00 ± 10.00" in table([one], "markdown")
    with pytest.raises(UsageError, match="only reruns of one method"):
        over_seeds([rows[0], Result("n", "p", {"MRR": 1.0}, 4)])


def test_latex_marks_the_best_and_the_second_of_every_column() -> None:
    values = {"chance": (99, 0.0), "a": (10.0, 5.0), "b": (12.004, 7.0), "c": (12.001, 9.0)}
    rows = [
        Result(name, "toy val", {"Recall @ 1": one, "Within('x', NegativeWins)": two}, 3)
        for name, (one, two) in values.items()
    ]
    said = table([*rows, Result("d", "toy val", {"Recall @ 1": float("nan")}, 3)], "latex", weak=1)
    assert r"method & R@1 & Within('x', NegativeWins) \\" in said
    # What is printed alike is marked alike; of negatives that win the fewest are the best.
    assert r"chance & 99.00 & 0.00 \\" in said
    assert r"a & \underline{10.00} & \textbf{5.00} \\" in said
    assert r"b & \textbf{12.00} & \underline{7.00} \\" in said
    assert r"c & \textbf{12.00} & 9.00 \\" in said
    assert r"d & -- & -- \\" in said
    assert "textbf" not in table(rows[:2], "latex", weak=1)


def test_what_was_not_ranked_is_a_dash_in_csv_too() -> None:
    rows = [Result("m", "p", {"MRR": float("nan")}, 3), Result("n", "p", {"Recall @ 1": 1.0}, 3)]
    assert table(rows, "csv").splitlines()[1:] == ["m,p,3,1.0,–,,", "n,p,3,1.0,,1.0,"]


def test_comparisons_as_tables() -> None:
    told = Comparison("NegativeWins", "a_b", "c", 40.0, 30.0, -15.0, -5.0, 0.001, 0.002, 0.004)
    bare = Comparison("Recall @ 1", "a_b", "c", math.nan, 3.0, *[math.nan] * 4)
    latex = comparison_table([told, bare], "latex", "toy val")
    assert r"NegativeWins & c -- a\_b & 40.00 & \textbf{30.00} & -10.00** & " in latex
    assert r"R@1 & c -- a\_b & -- & 3.00 & -- & -- & -- & -- & -- \\" in latex
    assert "| R@1 | c – a_b | – | 3.00 |" in comparison_table([told, bare], "markdown", "toy val")
    lines = comparison_table([told, bare], "csv", "toy val").splitlines()
    assert lines[0].startswith("protocol,measure,first,other,value,other_value,low,high,p,p_t,corrected,")
    assert lines[1] == "toy val,NegativeWins,a_b,c,40.0,30.0,-15.0,-5.0,0.001,0.002,0.004,-10.0,**"
    assert lines[2] == "toy val,Recall @ 1,a_b,c,–,3.0,–,–,–,–,–,–,"
