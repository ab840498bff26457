"""`circlet eval --rounds`: methods against a simulated user, round by round."""

from typing import TYPE_CHECKING, Any

from circlet.app.cli.options import user_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from circlet.evaluate import Measure, Result
    from circlet.evaluate.report.page import ReportRow
    from circlet.experiments.bench import Bench


def rounds_entries(
    asked: dict[str, Any], bench: "Bench", measures: "Sequence[Measure]"
) -> "tuple[list[ReportRow], list[Result]]":
    """A row for each method, and the controls: the picture alone, and the words alone."""
    from circlet.core import UsageError
    from circlet.evaluate.files.runs import save_run
    from circlet.evaluate.report.page import ReportRow
    from circlet.experiments.bench import options
    from circlet.experiments.rounds import rounds_row
    from circlet.experiments.users import user_of

    if not asked["methods"] or asked["runs"] or asked["features"]:
        raise UsageError("rounds are played by methods: give --method NAME, and neither --run nor --features")
    rules, chosen = user_options(asked)
    user = user_of(bench, chosen)
    entries = []
    for name in asked["methods"]:
        method = bench.method(name, **options(asked["given"], "--with"))
        row, played = rounds_row(bench, method, name, user, rules, measures, top=asked["top"])
        entries.append(ReportRow(row, played.run))
        if asked["save"]:
            save_run(played.run, asked["save"])
    controls = []
    if asked["baselines"]:
        for shown, name in (("image only", "image"), ("text only", "text")):
            if name not in asked["methods"]:
                controls.append(rounds_row(bench, bench.method(name), shown, user, rules, measures)[0])
    return entries, controls
