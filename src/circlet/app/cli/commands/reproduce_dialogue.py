"""`circlet reproduce dialogue`: papers 003 and 001 over several turns, in the tableaux world."""

from pathlib import Path

import click

from circlet.app.cli.terminal import StageBars, say


@click.command(
    epilog="""\b
Examples:
  circlet reproduce dialogue --out dialogue                       the standard world, three seeds
  circlet reproduce dialogue --sessions 100 --seeds 1 --split val --encoder builtin
"""
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("dialogue"), show_default=True)
@click.option("--root", type=click.Path(path_type=Path), help="A tableaux set; else one is made and kept.")
@click.option("--sessions", type=click.IntRange(10), default=500, show_default=True, help="Of each seed.")
@click.option("--seeds", type=click.IntRange(1), default=3, show_default=True)
@click.option(
    "--encoder", "encoders", multiple=True, default=("builtin", "fine", "tableaux"), show_default=True
)
@click.option("--split", type=click.Choice(["test", "val"]), default="test", show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but the page.")
def dialogue(
    out: Path,
    root: Path | None,
    sessions: int,
    seeds: int,
    encoders: tuple[str, ...],
    split: str,
    quiet: bool,
) -> None:
    """Play, build and measure sessions of several turns, and hold the papers' claims against the numbers.

    OUT/dialogue.md holds the tables. May be killed at any time: the same command goes on from there.
    """
    from circlet.core.files import write_text
    from circlet.experiments.dialogue import METHOD, OWN, DialogueBudget, Dialogues
    from circlet.experiments.dialogue_page import found_at, page
    from circlet.experiments.encoder import tableaux_checkpoint
    from circlet.experiments.worlds import world

    with StageBars(quiet) as stages:
        place = root or world("standard", stages)
        if OWN in encoders:
            tableaux_checkpoint(place, stages=stages)
    budget = DialogueBudget(sessions=sessions, seeds=seeds, encoders=encoders, split=split)
    cells = Dialogues(place, out, budget, say=(lambda line: None) if quiet else say).run()
    about = [
        f"{place.name} tableaux set, {split} split; {found_at(cells, budget)}",
        f"{seeds} seed(s): other queries, other picks, other wordings; mean ± half the range",
        f"{METHOD} finds, ten results are shown, what was picked does not come back, a turn says one thing",
        "intervals: bootstrap over the paired queries of all seeds",
    ]
    write_text(out / "dialogue.md", page(cells, budget, about))
    click.echo((out / "dialogue.md").read_text(encoding="utf-8"))
