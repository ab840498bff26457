"""Results as a notebook shows them: the turns, and under them a contact sheet."""

from pathlib import Path
from typing import TYPE_CHECKING

from circlet.core import CircletError, showing
from circlet.images.files import shown
from circlet.images.inline import SIDE, data_address

if TYPE_CHECKING:
    from circlet.collection.results import Hit, Results

# Pictures on one sheet; a saved notebook grows by at most 16 kB for each.
MOST = 24


def html(results: "Results") -> str:
    """The page of these results; a file that cannot be opened any more is its name."""

    def address(id: str) -> str:
        if results.thumbnail is None:
            return ""
        try:
            return data_address(results.thumbnail(id, SIDE))
        except CircletError:
            return ""

    cards = [showing.card(hit.path, _said(hit), address, faint=hit.below) for hit in results.hits[:MOST]]
    why = f" ({results.missed})" if results.missed else ""
    said = [] if results.matched else [f"nothing matches{why}; the nearest pictures:"]
    rest = len(results.hits) - len(cards)
    after = [f"{rest} more are not shown here"] if rest else []
    return showing.page(
        showing.turns(results.query.turns, address),
        *map(showing.line, said),
        showing.sheet(cards),
        *map(showing.line, (*after, *results.notes)),
    )


def _said(hit: "Hit") -> list[str]:
    alike = f" · +{len(hit.folded)} alike" if hit.folded else ""
    checks = [f"{check.clause} {_mark(check.holds, check.probability)}" for check in hit.checks]
    return [f"{hit.rank} · {hit.scored}{alike}", shown(Path(hit.path).name), *checks]


def _mark(holds: bool | None, probability: float | None) -> str:
    return "?" if holds is None else f"{'✓' if holds else '✗'} {probability:.2f}"
