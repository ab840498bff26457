"""`circlet data validate`: the two-step validation of descriptions of one out of ten (paper 002)."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from circlet.app.cli.terminal import harmless, say

if TYPE_CHECKING:
    from circlet.data.retrievals import Description
    from circlet.studio.validation import Validation


@click.command(
    epilog="""\b
Examples:
  circlet data validate retrievals.csv
  circlet data validate val.csv --split val --out mine
  circlet data validate retrievals.csv --json | jq .val.accuracy

A line of the table is one attempt: split, set, place, text, describer, retriever, chosen.
"""
)
@click.argument("table", type=click.Path(path_type=Path), metavar="TABLE")
@click.option("--split", default="", help="The split, where the table has no such column: train, val, test.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FOLDER", help="Write what is kept.")
@click.option("--json", "form", flag_value="json", help="One JSON object: the numbers of each split.")
def validate(table: Path, split: str, out: Path | None, form: str | None) -> None:
    """Keep the descriptions by which others found the picture, and say how well people agree.

    TABLE is CSV, TSV or JSONL. A description is kept if the one retriever of train found its picture, or
    two of the three of val and test. Accuracy and Krippendorff's α are of those that are kept: nominal over
    sets of single pictures, interval over frames of videos. --out writes ImageCoDe's own files.
    """
    from circlet.data.retrievals import read_retrievals, write_kept
    from circlet.data.tables import SPLITS
    from circlet.studio.validation import validation

    descriptions = read_retrievals(table, split=split)
    by_split: dict[str, list[Description]] = {}
    for name in SPLITS:
        if of_split := [one for one in descriptions if one.split == name]:
            by_split[name] = of_split
    told = {name: validation(of_split) for name, of_split in by_split.items()}
    if form == "json":
        click.echo(json.dumps({name: asdict(one) for name, one in told.items()}, indent=2))
    else:
        _tell(told)
    if out is not None:
        for path in write_kept(out, descriptions):
            say(harmless(f"{path}"))


def _tell(told: "dict[str, Validation]") -> None:
    """A table with a column a split, and what ImageCoDe has."""
    from circlet.studio.figures import PUBLISHED

    def number(value: float | None, form: str = ".1f") -> str:
        return "–" if value is None else f"{value:{form}}"

    def paper(name: str, form: str = ".1f") -> str:
        each = [PUBLISHED.get(f"{name}, kept, {split}") for split in ("val", "test")]
        return " / ".join(f"{one[0]:{form}}" for one in each if one)

    rows = [
        ("descriptions", *(str(one.descriptions) for one in told.values()), ""),
        ("kept", *(str(one.kept) for one in told.values()), ""),
        ("left out", *(str(one.left_out) for one in told.values()), ""),
        ("still open", *(str(one.open) for one in told.values()), ""),
        ("left out, %", *(number(one.share_left_out) for one in told.values()), "26.5"),
        ("accuracy, %", *(number(one.accuracy) for one in told.values()), paper("accuracy in find")),
        ("accuracy with those left out, %", *(number(one.accuracy_of_all) for one in told.values()), ""),
        (
            "α, nominal (static)",
            *(number(one.nominal, ".3f") for one in told.values()),
            paper("α (nominal) in find", ".3f"),
        ),
        (
            "α, interval (video)",
            *(number(one.interval, ".3f") for one in told.values()),
            paper("α (interval) in find", ".3f"),
        ),
    ]
    head = ("", *told, "ImageCoDe")
    click.echo("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for row in rows:
        click.echo("| " + " | ".join(row) + " |")
