"""How deep the trees of sentences are, by word classes alone: an estimate for means over many texts."""

import re

from circlet.language.tagging import AUXILIARIES, PREPOSITIONS, tagged

_SENTENCES = re.compile(r"[.!?;]+(?=\s|$)")
_JOINING = frozenset(("and", "or", "but"))


def depths(text: str) -> list[int]:
    """The steps from the root to the deepest word of each sentence.

    There is no parser behind this. The first verb is the root, and an auxiliary hangs from its verb; a
    noun hangs from the verb or the preposition before it, and what stands before a noun from that noun;
    a preposition or a later verb hangs from the noun or verb before it.

    >>> depths("A dog sits on the grass. Two dogs.")
    [3, 1]
    """
    sentences = (tagged(sentence) for sentence in _SENTENCES.split(text))
    return [_depth(words) for words in sentences if words]


def _depth(words: list[tuple[str, str]]) -> int:
    heads = _heads(words)
    deepest = 0
    for place in range(len(words)):
        steps = 0
        while heads[place] != place:
            place, steps = heads[place], steps + 1
        deepest = max(deepest, steps)
    return deepest


def _heads(words: list[tuple[str, str]]) -> list[int]:
    """For each word the place of the one it hangs from; the root hangs from itself."""
    kinds = [_kind(words, place) for place in range(len(words))]
    root = next((place for kind in ("verb", "noun") for place, one in enumerate(kinds) if one == kind), 0)
    heads = [root] * len(words)
    noun = verb = last = preposition = -1
    for place, kind in enumerate(kinds):
        joined = place > 0 and words[place - 1][0] in _JOINING
        if kind == "verb":
            head, verb = (verb if joined else last), place
        elif kind == "preposition":
            head = last
        elif kind == "noun":
            head, noun = (preposition if preposition >= 0 else noun if joined and noun >= 0 else verb), place
        else:
            # Articles, adjectives and auxiliaries hang from what they stand before.
            after = (one for one in range(place + 1, len(words)) if kinds[one] in ("noun", "verb"))
            head = next(after, last)
        if place != root and head >= 0:
            heads[place] = head
        if kind in ("noun", "verb"):
            last, preposition = place, -1
        elif kind == "preposition":
            preposition = place
    return heads


def _kind(words: list[tuple[str, str]], place: int) -> str:
    word, kind = words[place]
    after = words[place + 1][1] if place + 1 < len(words) else ""
    if word in PREPOSITIONS:
        return "preposition"
    if (kind == "noun" and after == "noun") or (word in AUXILIARIES and after == "verb"):
        return "before"
    return kind if kind in ("noun", "verb") else "before"
