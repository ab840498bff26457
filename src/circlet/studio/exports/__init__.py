"""Answers as files that the readers, measures and training already take."""

from pathlib import Path

from circlet.data import load_benchmark, write_benchmark
from circlet.studio.desk import Desk
from circlet.studio.exports.cirr_set import export_cirr
from circlet.studio.exports.exported import Exported
from circlet.studio.exports.imagecode_set import export_imagecode
from circlet.studio.exports.others import export_aspects, export_human, export_study

_EXPORTS = {
    "cirr": export_cirr,
    "tens": export_imagecode,
    "compare": export_human,
    "verify": export_aspects,
    "study": export_study,
}


def export(desk: Desk, out: Path, *, pictures: bool = True, jsonl: bool = False) -> Exported:
    """Write the project's answers in the form of their kind; with `jsonl`, as circlet's own, too."""
    made = _EXPORTS[desk.project.kind](desk, out, pictures=pictures)
    if not jsonl or desk.project.kind == "study":
        return made
    written = [
        write_benchmark(benchmark, out / f"{benchmark.name}.{benchmark.split}.jsonl")
        for benchmark in map(load_benchmark, made.benchmarks)
    ]
    return Exported((*made.files, *written), (*made.benchmarks, *map(str, written)), made.notes)


__all__ = ["Exported", "export"]
