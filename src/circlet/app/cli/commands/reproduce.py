"""`circlet reproduce`: experiments of the papers, run anew in a world everybody has."""

import click

from circlet.app.cli.main import Lazy

TABLE: dict[str, tuple[str, str, str]] = {
    "composers": (
        "reproduce_composers",
        "composers",
        "Table 3 of paper 000: CIRPLANT and its rivals, trained.",
    ),
    "aspects": (
        "reproduce_aspects",
        "aspects",
        "Paper 001: negation is what composers fail at, and clauses close it.",
    ),
    "encoder": (
        "reproduce_encoder",
        "encoder",
        "The tableaux world's own encoder: captions, single facts, aspects.",
    ),
    "dialogue": (
        "reproduce_dialogue",
        "dialogue",
        "Papers 003 and 001 over several turns: rounds, histories, built sessions.",
    ),
    "relevance": (
        "reproduce_relevance",
        "relevance",
        "Paper 004: scorers trained by preference, held against judges.",
    ),
    "contexts": (
        "reproduce_contexts",
        "contexts",
        "Paper 002: one of ten nearly identical pictures, with more and more context.",
    ),
}


@click.group(cls=Lazy, table=TABLE)
def reproduce() -> None:
    """Run an experiment of a paper again, and write its table beside the paper's numbers."""
