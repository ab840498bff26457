"""`circlet data stats`: words, aspects and turns of a benchmark's texts."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from circlet.evaluate.people import JudgeFigures


@click.command(
    epilog="""\b
Examples:
  circlet data stats cirr:data/cirr:val
  circlet data stats fashioniq:data/fashioniq:train --json
"""
)
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def stats(name: str, as_json: bool) -> None:
    """Words, semantic aspects, subsets and turns of a benchmark's texts, beside what papers print.

    Aspects are told by keyword and sentence pattern; word classes by lists and endings, which is
    right for shares over many captions and not for every single word. Depth is estimated from word
    classes, without a parser. For CIRR, FashionIQ and ImageCoDe the papers' own numbers stand
    beside ours, with the reason where they differ. Of judgements it tells how many there are and how
    far judges of the same sets agree.
    """
    from circlet.data import load_benchmark
    from circlet.data.analysis import stats as found_in
    from circlet.data.published import beside
    from circlet.evaluate.people import judge_figures

    benchmark = load_benchmark(name)
    numbers = found_in(benchmark)
    papers = beside(benchmark, numbers)
    judged = judge_figures(benchmark)
    if as_json:
        document = {"name": name, "revision": benchmark.revision, **asdict(numbers)}
        document["papers"] = [asdict(row) for row in papers]
        if judged:
            document["judgements"] = asdict(judged)
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    click.echo(f"{name}  ({benchmark.name} {benchmark.split}; {benchmark.revision})")
    rows = [
        ("texts", f"{numbers.texts:,}"),
        (
            "words in a text",
            f"{numbers.length:.1f} (median {numbers.median_length:.0f}, at most {numbers.longest})",
        ),
        ("sentences in a text", f"{numbers.sentences:.2f}"),
        ("depth of a sentence", f"{numbers.depth:.2f}"),
        ("words in all", f"{numbers.words:,}"),
        ("vocabulary", f"{numbers.vocabulary:,}"),
        ("type–token ratio", f"{numbers.type_token:.4f}"),
        *((f"{kind} share", f"{share:.1f}%") for kind, share in numbers.classes.items()),
        *((aspect, f"{share:.1f}%") for aspect, share in numbers.aspects.items()),
        ("comparing in any way", f"{numbers.comparing:.1f}%"),
        *((f"manner: {kind}", f"{share:.1f}%") for kind, share in numbers.manners.items()),
        *((f"names a part of a body, {part}", f"{share:.1f}%") for part, share in numbers.body.items()),
        *((f"names a colour, {part}", f"{share:.1f}%") for part, share in numbers.colours.items()),
        *((f"auxiliary {question}", f"{share:.1f}%") for question, share in numbers.auxiliary.items()),
    ]
    if numbers.subsets:
        rows.append(("pairs in a subset", f"{numbers.subsets.pairs:.2f}"))
        rows.append(("subsets with a closed loop", f"{numbers.subsets.closed:.1f}%"))
    for through, lengths in numbers.dialogues.items():
        amount = f"{sum(lengths.values()):,} (at most {max(lengths, default=0)} turns)"
        rows.append((f"dialogues through {through}", amount))
    if len(numbers.turns) > 1 or numbers.mean_turns > 1:
        rows.append(("turns in a session", f"{numbers.mean_turns:.2f}"))
        rows += [
            (f"sessions of {turns} turn{'' if turns == 1 else 's'}", f"{amount:,}")
            for turns, amount in numbers.turns.items()
        ]
    if judged:
        rows += _judged(judged)
    wide = max(len(label) for label, _ in rows)
    for label, value in rows:
        click.echo(f"  {label:<{wide}}  {value}")
    if papers:
        wide = max(len(row.what) for row in papers)
        click.echo(f"\n  {'beside the papers':<{wide}}      ours     paper   why they differ")
        for row in papers:
            click.echo(f"  {row.what:<{wide}}  {row.ours:>8,.2f}  {row.paper:>8,.2f}   {row.why}".rstrip())


def _judged(figures: "JudgeFigures") -> list[tuple[str, str]]:
    """Lines on who judged what, and how far they agree."""
    named = {"scores": "scores (interval)", "preferred": "the set preferred (nominal)"}
    untold = "– (no two judged the same)" if not figures.shared else "– (all said the same)"
    return [
        ("queries judged", f"{figures.queries:,}"),
        *((f"queries judged, {name}", f"{amount:,}") for name, amount in figures.groups.items()),
        ("judgements of two sets", f"{figures.judgements:,}"),
        ("sets judged", f"{figures.sets:,}"),
        ("judges", f"{figures.judges:,}"),
        ("judgements flagged as invalid", f"{figures.invalid:,}"),
        ("queries that several judged", f"{figures.shared:,}"),
        *(
            (f"Krippendorff's alpha, {said}", untold if alpha is None else f"{alpha:.3f}")
            for name, said in named.items()
            for alpha in [getattr(figures, name)]
        ),
    ]
