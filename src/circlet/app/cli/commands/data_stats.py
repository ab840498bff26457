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
    found = found_in(benchmark)
    if as_json:
        said = {"name": name, "revision": benchmark.revision, **asdict(found)}
        click.echo(json.dumps(said, indent=2, ensure_ascii=False))
        return
    click.echo(f"{name}  ({benchmark.name} {benchmark.split}; {benchmark.revision})")
    rows = [
        ("texts", f"{found.texts:,}"),
        (
            "words in a text",
            f"{found.length:.1f} (median {found.median_length:.0f}, at most {found.longest})",
        ),
        ("sentences in a text", f"{found.sentences:.2f}"),
        ("words in all", f"{found.words:,}"),
        ("vocabulary", f"{found.vocabulary:,}"),
        ("type–token ratio", f"{found.type_token:.4f}"),
        *((f"{kind} share", f"{share:.1f}%") for kind, share in found.classes.items()),
        *((aspect, f"{share:.1f}%") for aspect, share in found.aspects.items()),
        *((f"auxiliary {question}", f"{share:.1f}%") for question, share in found.auxiliary.items()),
    ]
    if len(found.turns) > 1 or found.mean_turns > 1:
        rows.append(("turns in a session", f"{found.mean_turns:.2f}"))
        rows += [(f"sessions of {turns} turns", f"{amount:,}") for turns, amount in found.turns.items()]
    wide = max(len(label) for label, _ in rows)
    for label, value in rows:
        click.echo(f"  {label:<{wide}}  {value}")
