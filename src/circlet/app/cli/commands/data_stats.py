"""`circlet data stats`: words, aspects and turns of a benchmark's texts."""

import json
from dataclasses import asdict

import click


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
    """Words, semantic aspects, auxiliary annotations and turns of a benchmark's texts.

    Aspects are told by keyword and sentence pattern; word classes by lists and endings, which is
    right for shares over many captions and not for every single word.
    """
    from circlet.data import load_benchmark
    from circlet.data.analysis import stats as found_in

    benchmark = load_benchmark(name)
    numbers = found_in(benchmark)
    if as_json:
        document = {"name": name, "revision": benchmark.revision, **asdict(numbers)}
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
        ("words in all", f"{numbers.words:,}"),
        ("vocabulary", f"{numbers.vocabulary:,}"),
        ("type–token ratio", f"{numbers.type_token:.4f}"),
        *((f"{kind} share", f"{share:.1f}%") for kind, share in numbers.classes.items()),
        *((aspect, f"{share:.1f}%") for aspect, share in numbers.aspects.items()),
        *((f"auxiliary {question}", f"{share:.1f}%") for question, share in numbers.auxiliary.items()),
    ]
    if len(numbers.turns) > 1 or numbers.mean_turns > 1:
        rows.append(("turns in a session", f"{numbers.mean_turns:.2f}"))
        rows += [(f"sessions of {turns} turns", f"{amount:,}") for turns, amount in numbers.turns.items()]
    wide = max(len(label) for label, _ in rows)
    for label, value in rows:
        click.echo(f"  {label:<{wide}}  {value}")
