"""`circlet parse`: what is heard in a text, before anything is searched."""

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from circlet.language import Edit


@click.command(
    epilog="""\b
Examples:
  circlet parse "at night, without the people"
  circlet parse "two dogs instead of the cat" --json
"""
)
@click.argument("text", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One JSON object: edits, wanted, unwanted, aspects.")
def parse(text: tuple[str, ...], as_json: bool) -> None:
    """Show what is heard in TEXT: each change it asks for, what to look for and what to keep away from."""
    from circlet.core import UsageError
    from circlet.language import aspects, understand

    said = " ".join(text)
    if not said.strip():
        raise UsageError(
            'nothing was said: give the words, as in circlet parse "at night, without the people"'
        )
    intent = understand(said)
    named = [str(aspect) for aspect in aspects(said)]
    if as_json:
        heard = {
            "edits": [
                {"kind": edit.kind, "what": edit.what, "to": edit.to, "text": edit.text}
                for edit in intent.edits
            ],
            "wanted": intent.wanted,
            "unwanted": list(intent.unwanted),
            "aspects": named,
        }
        click.echo(json.dumps(heard, ensure_ascii=False, indent=2))
        return
    for line in _table(intent.edits):
        click.echo(line)
    click.echo(f"look for: {intent.wanted or '–'}")
    click.echo(f"keep away from: {', '.join(intent.unwanted) or '–'}")
    click.echo(f"aspects: {', '.join(named) or '–'}")


def _table(edits: "tuple[Edit, ...]") -> list[str]:
    """The edits in columns as wide as they need to be."""
    rows = [("heard", "what", "becomes")]
    rows += [(edit.kind, edit.what or "–", edit.to or "–") for edit in edits]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return ["  ".join((row[0].ljust(widths[0]), row[1].ljust(widths[1]), row[2])).rstrip() for row in rows]
