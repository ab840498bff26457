"""The page for one of a few: pictures that hardly differ, in the order of what is said of the right one.

Its address holds all of it: which pictures, the words, and the two that stand large beside each other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from starlette.datastructures import ImmutableMultiDict

from circlet.app.http.library import Library
from circlet.app.http.picking import kept, picked
from circlet.app.web import telling
from circlet.collection import Hit, SearchOptions


@dataclass(frozen=True)
class Asked:
    """What the page's address says: pictures by key, words, and which two are large.

    >>> Asked(("k1", "k2"), "her eyes are open").address("", SearchOptions())
    '/pile?of=k1&of=k2&words=her+eyes+are+open'
    """

    of: tuple[str, ...]
    words: str = ""
    left: str = ""
    right: str = ""

    @classmethod
    def read(cls, params: "ImmutableMultiDict[str, Any]") -> "Asked":
        """The same from an address or a form."""
        said = {name: str(params.get(name, "")) for name in ("words", "left", "right")}
        return cls(tuple(str(key) for key in params.getlist("of")), **said)

    def address(self, s: str, options: SearchOptions) -> str:
        """Where this is shown."""
        large = {"left": self.left, "right": self.right}
        return telling.address("/pile", s, options, of=list(self.of), words=self.words, **large)


def pile(library: Library, asked: Asked, s: str, options: SearchOptions) -> dict[str, Any]:
    """Everything the page shows: the pictures in order, two of them large, and where each key leads."""
    words = " ".join(asked.words.split())[: library.limits.text]
    results = picked(library, asked.of, words)
    to_keep = kept(library, results.ids)
    tiles = [_tile(library, hit, results.hits, to_keep) for hit in results]
    order = [tile["key"] for tile in tiles]
    asked = replace(asked, words=words)
    left = asked.left if asked.left in order else order[0]
    others = [key for key in order if key != left]
    right = asked.right if asked.right in others else others[0]
    by_key = {tile["key"]: tile for tile in tiles}

    def link(left: str, right: str) -> str:
        return replace(asked, left=left, right=right).address(s, options)

    for tile in tiles:
        tile["link"] = link(left, tile["key"]) if tile["key"] != left else ""
    return {
        "page": "search",
        "s": s,
        "options": options.params,
        "home": telling.address("/", s, options),
        "asked": replace(asked, left=left, right=right),
        "limits": library.limits,
        "tiles": tiles,
        "large": [by_key[left], by_key[right]],
        **_steps(others, left, right, link),
    }


def _steps(others: Sequence[str], left: str, right: str, link: Callable[[str, str], str]) -> dict[str, str]:
    """Where the keys lead: to the one before and after at the right, and the right one to the left."""
    at = others.index(right)
    # Whoever finds the right one better goes on with the next, or sees it beside the one it beat.
    following = others[at + 1] if at + 1 < len(others) else left
    return {
        "before": link(left, others[at - 1]) if at else "",
        "next": link(left, others[at + 1]) if at + 1 < len(others) else "",
        "better": link(right, following),
    }


def _tile(library: Library, hit: Hit, hits: Sequence[Hit], to_keep: set[str]) -> dict[str, Any]:
    lowest, best = min(one.score for one in hits), max(one.score for one in hits)
    return {
        "key": library.keys.key(hit.path),
        "name": library.name(hit.path),
        "place": library.place(hit.path),
        "rank": hit.rank,
        "score": f"{hit.score:.2f}" if hit.checks else "",
        "share": round((hit.score - lowest) / (best - lowest), 3) if best > lowest else 0.0,
        "checks": hit.checks,
        "kept": hit.path in to_keep,
    }
