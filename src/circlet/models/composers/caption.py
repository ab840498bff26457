"""Caption, then merge, then search by words: the training-free scheme of CIReVL (paper 003, section 4).

Built in, the description is the nearest names of things and colours, and the words change it by
rule. With a chat server, a vision model describes and merges instead.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from circlet.core import Contributions, Encoder, Pictures, Turn
from circlet.language import merge as merge_by_rule
from circlet.language import understand
from circlet.models.chat import Chat
from circlet.models.composers.blends import PUSH, TextOnly
from circlet.models.composers.describe import Describer

DESCRIBE = (
    "Describe this picture in one or two sentences: the main things, their colours, the setting, the view."
)
MERGE = (
    "Someone searches for a picture. It should be like the one described here, but changed as they ask. "
    "Write the description of the picture they want, in one sentence, and nothing else. Leave out what they "
    "do not want to see.\nDescription: {description}\nChange: {text}"
)
_AT_ONCE = 4

Describe = Callable[[Sequence[str], Pictures], list[str]]
Merge = Callable[[str, str], str]


class Caption(TextOnly):
    """The reference described, the description changed by the words, the result searched by.

    `server` and `model` name an OpenAI-compatible chat server (or CIRCLET_LLM_URL and
    CIRCLET_LLM_MODEL do). `describe` and `merge` replace either step by a function of one's own.
    """

    joins_vectors = False

    def __init__(
        self,
        encoder: Encoder,
        *,
        server: str | None = None,
        model: str | None = None,
        describe: Describe | None = None,
        merge: Merge | None = None,
        push: float = PUSH,
        **patience: Any,
    ) -> None:
        super().__init__(encoder, push=push)
        chat = Chat.from_environment(server, model, **patience)
        self._describe = describe or (by_server(chat) if chat else by_vocabulary(encoder))
        self._merge = merge or (merging(chat.ask) if chat else merge_by_rule)
        self._described: dict[str, str] = {}
        self._merged: dict[tuple[str, str], str] = {}

    def contributions(self, turns: Sequence[Turn], pictures: Pictures) -> Contributions:
        return super().contributions(self._in_words(turns, pictures), pictures)

    def describe(self, ids: Sequence[str], pictures: Pictures) -> list[str]:
        """What the pictures show, in words; each picture is described once."""
        new = [id for id in dict.fromkeys(ids) if id not in self._described]
        if new:
            self._described |= zip(new, self._describe(new, pictures), strict=True)
        return [self._described[id] for id in ids]

    def _in_words(self, turns: Sequence[Turn], pictures: Pictures) -> list[Turn]:
        """Turns with a picture and a text become text; one half alone stays what it is."""
        both = [turn.picture for turn in turns if turn.picture and turn.text.strip()]
        described = dict(zip(both, self.describe(both, pictures), strict=True))
        asked = [
            (described[turn.picture], turn.text) if turn.picture and turn.text.strip() else None
            for turn in turns
        ]
        new = [pair for pair in dict.fromkeys(asked) if pair and pair not in self._merged]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            self._merged |= zip(new, pool.map(lambda pair: self._merge(*pair), new), strict=True)
        return [
            _worded(turn, self._merged[pair]) if pair else turn
            for turn, pair in zip(turns, asked, strict=True)
        ]


def _worded(turn: Turn, merged: str) -> Turn:
    """The turn as text; where the change leaves nothing to say, the picture less what it takes away."""
    if merged.strip():
        return replace(turn, picture=None, text=merged)
    return replace(turn, text="", without=turn.without + understand(turn.text).unwanted)


def by_vocabulary(encoder: Encoder) -> Describe:
    """The built-in describer, which needs the pictures' vectors only."""
    describer = Describer(encoder)
    return lambda ids, pictures: describer(pictures.vectors_of(ids))


def by_server(chat: Chat) -> Describe:
    """A describer that shows the pictures to a vision model, a few at a time."""

    def describe(ids: Sequence[str], pictures: Pictures) -> list[str]:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return list(pool.map(lambda id: chat.ask(DESCRIBE, pictures.open(id, 512)), ids))

    return describe


def merging(ask: Callable[[str], str]) -> Merge:
    """A merger that asks a language model."""
    return lambda description, text: ask(MERGE.format(description=description, text=text))
