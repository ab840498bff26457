"""What a simulated user says: the difference of two pictures, by rule from captions or by a chat server.

Paper 003 shows a model both pictures and asks for one imperative sentence that was not said before
(equation 7); paper 001 describes both and asks for an instruction of so many words, free or of one aspect.
"""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from circlet.core import UsageError
from circlet.dialogue.simulate import Contrast
from circlet.language import Aspect
from circlet.language.differences import difference, instructions

# Pictures to their descriptions; a prompt with pictures to an answer; two texts' likeness to others.
Describe = Callable[[Sequence[str]], list[str]]
Ask = Callable[..., str]
Alike = Callable[[str, Sequence[str]], float]
_AT_ONCE = 4

DIFFER = (
    "The first picture was found in a search. The second one is what the person is looking for. Tell the "
    "search engine what to change in the first picture to come to the second.\n"
    "Answer with one sentence and nothing else. It begins with a verb, as an order does, and asks for one "
    "change only, said as exactly as you can: which thing, which colour, what it does. Never speak of left "
    "or right. No quotation marks, no explanation."
)
SAID = (
    "These changes were asked for already. Ask for something else, about which nothing was said yet:\n{said}"
)
AGAIN = (
    "This is attempt {number}: what you answered before was too much like what was asked for already. Look "
    "at other things, other colours, another light, another pose, another background."
)
INSTRUCT = (
    "Here are the descriptions of two pictures. Write the instruction that turns the first picture into the "
    "second: about {words} words, only what matters, nothing but the instruction.{kind}\n"
    "First picture: {picked}\nSecond picture: {wanted}\nInstruction:"
)
FREE = (
    " It may speak of numbers, of what is added or missing, of what changes or is compared, of where things "
    "are, of the background and of the view."
)
ONLY = " It speaks of {aspect} only, and of nothing else."


@dataclass(frozen=True, kw_only=True)
class CaptionTeller:
    """One imperative sentence that leads from the picked picture to the wanted one: paper 003, equation 7.

    With `ask` a model sees both pictures, which `open` opens; without, the captions are compared by rule.
    A model whose sentence is at least `tau` like an earlier one is asked again, `retries` times at most;
    then the least like of its sentences is taken, or with `keep_similar` the first one.
    """

    describe: Describe
    ask: Ask | None = None
    open: Callable[[str], Any] | None = None
    alike: Alike | None = None
    tau: float = 0.8
    retries: int = 2
    keep_similar: bool = False

    def __call__(self, contrasts: Sequence[Contrast]) -> list[str]:
        if self.ask is not None and self.open is not None:
            with ThreadPoolExecutor(_AT_ONCE) as pool:
                return list(pool.map(self._asked, contrasts))
        ids = list(dict.fromkeys(id for one in contrasts for id in (one.picked, one.wanted)))
        told = dict(zip(ids, self.describe(ids), strict=True))
        return [difference(told[one.picked], told[one.wanted], one.said) for one in contrasts]

    def _asked(self, contrast: Contrast) -> str:
        assert self.ask is not None
        assert self.open is not None
        pictures = self.open(contrast.picked), self.open(contrast.wanted)
        tries: list[tuple[float, int, str]] = []
        for number in range(self.retries + 1):
            text = one_sentence(self.ask(prompt_for(contrast.said, number), *pictures))
            near = self.alike(text, contrast.said) if self.alike and text else 0.0
            tries.append((near if text else 2.0, number, text))
            if text and near < self.tau:
                return text
        return tries[0][2] if self.keep_similar else min(tries)[2]


@dataclass(frozen=True, kw_only=True)
class InstructTeller:
    """An instruction of about so many words, by two captions: paper 001, section B.

    `aspect` keeps it to one of cardinality, addition, negation, change or background. With `ask` a model
    writes it, without, it is put together by rule.
    """

    describe: Describe
    ask: Ask | None = None
    words: int = 30
    aspect: str = ""

    def __post_init__(self) -> None:
        if self.aspect and self.aspect not in ASPECTS:
            raise UsageError(f"no aspect {self.aspect!r} to instruct about: pick one of {', '.join(ASPECTS)}")
        if self.words < 3:
            raise UsageError(f"an instruction has about 10 or 30 words, not {self.words}")

    def __call__(self, contrasts: Sequence[Contrast]) -> list[str]:
        ids = list(dict.fromkeys(id for one in contrasts for id in (one.picked, one.wanted)))
        told = dict(zip(ids, self.describe(ids), strict=True))
        pairs = [(told[one.picked], told[one.wanted]) for one in contrasts]
        if self.ask is None:
            return [self.by_rule(*pair) for pair in pairs]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return list(pool.map(lambda pair: self._asked(*pair), pairs))

    def _asked(self, picked: str, wanted: str) -> str:
        assert self.ask is not None
        kind = ONLY.format(aspect=self.aspect) if self.aspect else FREE
        return " ".join(
            self.ask(INSTRUCT.format(words=self.words, kind=kind, picked=picked, wanted=wanted)).split()
        ).strip("\"'")

    def by_rule(self, picked: str, wanted: str) -> str:
        """Instructions of the aspect, one after another, as far as the words reach.

        >>> InstructTeller(describe=list, aspect="addition").by_rule("a dog", "a dog, two cats, at night")
        'Add two cats'
        """
        text = ""
        for one in instructions(picked, wanted):
            if self.aspect and one.aspect != ASPECTS[self.aspect]:
                continue
            longer = f"{text}, and {one.text[0].lower()}{one.text[1:]}" if text else one.text
            if text and len(longer.split()) > self.words:
                break
            text = longer
        return text


ASPECTS = {
    "cardinality": Aspect.CARDINALITY,
    "addition": Aspect.ADDITION,
    "negation": Aspect.NEGATION,
    "change": Aspect.COMPARE_CHANGE,
    "background": Aspect.SPATIAL_RELATIONS_BACKGROUND,
}


def prompt_for(said: Sequence[str], number: int = 0) -> str:
    """What a model is asked that sees both pictures, after so many tries that were of no use.

    >>> prompt_for(["Add a hat"], number=1).splitlines()[1]
    '- Add a hat'
    """
    before = [SAID.format(said="\n".join(f"- {text}" for text in said))] if said else []
    return "\n\n".join([*before, *([AGAIN.format(number=number)] if number else []), DIFFER])


def one_sentence(answer: str) -> str:
    """The first sentence of an answer, without quotation marks and what stands around it.

    >>> one_sentence('"Add a red hat to the dog. It is nice."\\n')
    'Add a red hat to the dog'
    """
    line = next((line.strip() for line in answer.splitlines() if line.strip()), "")
    line = re.sub(r"^(?:[-*\d.)]+\s+|instruction:\s*)", "", line, flags=re.IGNORECASE).strip("\"'“”` ")
    return re.split(r"(?<=[a-z])[.!][\"'”]?(?:\s|$)", line)[0].strip(" .\"'“”")
