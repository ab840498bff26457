"""`circlet eval --rounds`: methods against a simulated user, round by round."""

from typing import TYPE_CHECKING, Any

from circlet.app.cli.options import user_options
from circlet.app.cli.servers import tell_cost, writing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from circlet.evaluate import Measure, Result
    from circlet.evaluate.report.page import ReportRow
    from circlet.experiments.bench import Bench

# Methods that tell what the halves of a query are worth by themselves.
_CONTROLS = {"image": "image only", "text": "text only"}


def rounds_entries(
    asked: dict[str, Any], bench: "Bench", measures: "Sequence[Measure]"
) -> "tuple[list[ReportRow], list[Result]]":
    """A row for each method, and the controls: the picture alone, and the words alone."""
    from circlet.core import UsageError
    from circlet.evaluate.files.runs import save_run
    from circlet.evaluate.report.page import ReportRow
    from circlet.experiments.bench import options
    from circlet.experiments.rounds import rounds_row
    from circlet.experiments.users import cost_of, user_of

    if not asked["methods"] or asked["runs"] or asked["features"]:
        raise UsageError("rounds are played by methods: give --method NAME, and neither --run nor --features")
    rules, chosen = user_options(asked)
    beside = {name: shown for name, shown in _CONTROLS.items() if name not in asked["methods"]}
    beside = beside if asked["baselines"] else {}
    entries, controls = [], []
    with writing(asked["server"], asked["model"]) as writer:
        if writer.chat is not None:
            plays = len(asked["methods"]) + len(beside)
            many = plays * len(bench.benchmark.cases)
            tell_cost(cost_of(many, len(bench.benchmark.pictures), chosen, rules))
        user = user_of(bench, chosen, writer)
        for name in asked["methods"]:
            method = bench.method(name, **options(asked["given"], "--with"))
            row, played = rounds_row(bench, method, name, user, rules, measures, top=asked["top"])
            entries.append(ReportRow(row, played.run))
            if asked["save"]:
                save_run(played.run, asked["save"])
        for name, shown in beside.items():
            controls.append(rounds_row(bench, bench.method(name), shown, user, rules, measures)[0])
    return entries, controls
