"""A query read in one pass: the model that made the gallery's vectors sees picture and words together."""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from circlet.core import (
    Composer,
    Contributions,
    Encoder,
    JointEncoder,
    Label,
    Method,
    Pictures,
    Query,
    Turn,
    UsageError,
    Vectors,
)
from circlet.core.turns import begins

# Whether a pass reads one turn, so that a history joins them, or all turns of a query.
PASSES = ("each", "all")


class OnePass(Composer):
    """Method `joint`: picture and words through a universal embedder at once, with an instruction.

    `instruction` tells the model what is looked for; without one it has its own for queries. By itself
    it reads a turn, and a history joins the turns as with every composer; with `turns="all"` the model
    reads the whole conversation in one pass, and no history comes between.
    """

    def __init__(self, encoder: Encoder, *, instruction: str = "", turns: str = "each") -> None:
        # Asking for the protocol would ask for the vectors' length, and that loads the weights.
        if not hasattr(encoder, "together"):
            raise UsageError(
                f"joint reads a picture and words in one pass, which {encoder!r} cannot: take an encoder "
                "such as --encoder st:Qwen/Qwen3-VL-Embedding-2B, or another method"
            )
        if turns not in PASSES:
            raise UsageError(f"turns is one of {', '.join(PASSES)}, not {turns!r}")
        self.encoder, self.fingerprint = cast(JointEncoder, encoder), encoder.fingerprint
        self.instruction, self.passes = instruction, turns

    def __repr__(self) -> str:
        said = f", instruction={self.instruction!r}" if self.instruction else ""
        return f"OnePass({self.encoder!r}{said}, turns={self.passes!r})"

    def turns(self, turns: Sequence[Turn], pictures: Pictures) -> Vectors:
        return self._read([[turn] for turn in turns], pictures)

    def compose(self, queries: Sequence[Query], pictures: Pictures) -> Vectors:
        return self.query_contributions(queries, pictures).sums()

    def query_contributions(self, queries: Sequence[Query], pictures: Pictures) -> Contributions:
        if self.passes == "each":
            return super().query_contributions(queries, pictures)
        terms = [(row, Label("turn", query.last.text, len(query.turns))) for row, query in enumerate(queries)]
        rows = self._read([query.turns[begins(query.turns) :] for query in queries], pictures)
        return Contributions.of(len(queries), terms, rows)

    def over(self, wrap: Callable[[Composer], Method]) -> Method:
        return self if self.passes == "all" else wrap(self)

    def _read(self, queries: Sequence[Sequence[Turn]], pictures: Pictures) -> Vectors:
        """One row per query; a picture alone is what the gallery's vector of it says."""
        rows = np.zeros((len(queries), self.encoder.dim), np.float32)
        shown = {row: parts for row, parts in enumerate(map(parts_of, queries)) if parts}
        alone = [row for row, parts in shown.items() if len(parts) == 1 and parts[0][0] == "picture"]
        if alone:
            rows[alone] = pictures.vectors_of([shown.pop(row)[0][1] for row in alone])
        if shown:
            side = getattr(self.encoder, "size", None)
            read = [
                [pictures.open(what, side) if kind == "picture" else what for kind, what in parts]
                for parts in shown.values()
            ]
            rows[list(shown)] = self.encoder.together(read, instruction=self.instruction)
        return rows


def parts_of(turns: Sequence[Turn]) -> list[tuple[str, str]]:
    """The pictures and the words of turns, in their order; what is not wanted is said in words.

    >>> parts_of([Turn(picture="a.jpg", text="at night", without=("people",))])
    [('picture', 'a.jpg'), ('words', 'at night, without people')]
    """
    parts = []
    for turn in turns:
        parts += [("picture", id) for id in (turn.picture, *turn.liked) if id]
        missing = [
            phrase
            for phrase, weight in turn.emphasis
            if weight > 0 and phrase.lower() not in turn.text.lower()
        ]
        said = [*turn.text.split("\n"), *missing, *(f"without {thing}" for thing in turn.without)]
        if words := ", ".join(line.strip() for line in said if line.strip()):
            parts.append(("words", words))
    return parts
