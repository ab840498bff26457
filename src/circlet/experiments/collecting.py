"""Saved runs and results of a folder, gathered for a board: what gives no numbers says why."""

from collections.abc import Sequence
from pathlib import Path

from circlet.core import Benchmark, CircletError, Run, UsageError
from circlet.core.files import parse_json
from circlet.evaluate import Measure, Result, measure, read_run
from circlet.evaluate.files.results import is_result, read_results
from circlet.evaluate.report.board import BoardRow
from circlet.experiments.bench import named

ENDINGS = (".json", ".jsonl", ".npz", ".trec")


def collect(
    folder: Path, benchmarks: Sequence[Benchmark], measures: Sequence[Measure] = ()
) -> tuple[list[BoardRow], dict[str, str]]:
    """Rows from every file under a folder, and the files that give none, with the reason.

    A run is measured on the benchmark whose protocol it was made under, and on no other. One that
    does not say its protocol is measured only where a single benchmark is given.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; name one that holds saved runs or results")
    rows: list[BoardRow] = []
    weak: dict[str, BoardRow] = {}
    left_out: dict[str, str] = {}
    for path in sorted(path for path in folder.rglob("*") if path.suffix in ENDINGS and path.is_file()):
        file = str(path.relative_to(folder))
        try:
            if _holds_results(path):
                told, baselines = read_results(path)
                rows += [BoardRow(row, file) for row in told]
                # Every result brings the same baselines along.
                weak |= {repr(row): BoardRow(row, file, weak=True) for row in baselines}
            else:
                rows.append(BoardRow(_measured(path, benchmarks, measures), file))
        except CircletError as error:
            left_out[file] = str(error).removeprefix(f"{path}: ")
    return [*rows, *weak.values()], left_out


def _holds_results(path: Path) -> bool:
    if path.suffix != ".json":
        return False
    try:
        return is_result(parse_json(path.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError):
        return False


def _measured(path: Path, benchmarks: Sequence[Benchmark], measures: Sequence[Measure]) -> Result:
    run = read_run(path)
    benchmark = _home(run, benchmarks)
    if path.suffix in (".trec", ".npz"):
        # Whose ids look like a turn's, only the benchmark knows.
        run = read_run(path, benchmark)
    return measure(run, benchmark, measures, method=named(run, path))


def _home(run: Run, benchmarks: Sequence[Benchmark]) -> Benchmark:
    """The benchmark that a run was made for."""
    if not run.protocol and len(benchmarks) == 1:
        return benchmarks[0]
    for benchmark in benchmarks:
        if benchmark.header() == run.protocol:
            return benchmark
    made = f"made under {run.protocol}" if run.protocol else "which does not say its protocol"
    remedy = "name that by --bench" if run.protocol else "name its benchmark alone by --bench"
    raise UsageError(f"a run {made}: {remedy}, and it is measured")
