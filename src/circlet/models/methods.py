"""Methods by name and by expression, as the command line and the saved runs spell them."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from circlet.core import Encoder, Method, Scorer, UsageError
from circlet.core.extras import needed
from circlet.models.composers.balanced import Balanced
from circlet.models.composers.blends import ImageOnly, Slerp, Sum, TextOnly
from circlet.models.composers.edits import Edits
from circlet.models.plugins import METHODS as PLUGINS
from circlet.models.plugins import is_plugin, load_plugin, plugins
from circlet.models.scorers.checked import Checked
from circlet.models.scorers.untrained import UntrainedClauses
from circlet.models.spelling import options_in


def _caption(encoder: Encoder, **options: Any) -> Method:
    # Its client for chat servers takes a while to load, and few searches need it.
    from circlet.models.composers.caption import Caption

    return Caption(encoder, **options)


def _joint(encoder: Encoder, **options: Any) -> Method:
    from circlet.models.composers.one_pass import OnePass

    return OnePass(encoder, **options)


def _rerank(name: str, encoder: Encoder) -> Scorer:
    """`st-rerank:NAME`, with an instruction behind a question mark where one is wanted."""
    needed("sentence_transformers", "torch")
    from circlet.models.scorers.reranker import Reranker

    plain, given = options_in(name.removeprefix(RERANK), ("instruction",))
    return Reranker(encoder, plain, **given)


def _blip2(name: str, encoder: Encoder) -> Scorer:
    """`blip2:NAME`, with another temperature behind a question mark where one is wanted."""
    needed("transformers", "torch", "safetensors")
    from circlet.models.scorers.blip2 import Blip2

    plain, given = options_in(name.removeprefix(BLIP2), ("temperature",))
    try:
        return Blip2(encoder, plain, **{option: float(value) for option, value in given.items()})
    except ValueError:
        raise UsageError(f"{name}: a temperature is a number") from None


def _checked(encoder: Encoder, **options: Any) -> Method:
    return Checked(Balanced(encoder, **options), UntrainedClauses(encoder))


# name: (what makes it, one line for lists and help)
METHODS: dict[str, tuple[Callable[..., Method | Scorer], str]] = {
    "default": (_checked, "the one that measured best: balanced, each clause checked in the first 200"),
    "balanced": (Balanced, "the same, with each half in deviations of its scores over the gallery"),
    "edits": (Edits, "picture and words, with negation heard and the weights set by the kind of change"),
    "text": (TextOnly, "the words alone"),
    "image": (ImageOnly, "the picture alone"),
    "sum": (Sum, "picture and words, added by weight"),
    "slerp": (Slerp, "picture and words, on the arc between them"),
    "clauses": (UntrainedClauses, "each clause checked in each candidate: a scorer, behind >>"),
    "joint": (_joint, "picture and words in one pass of the model, with encoders that can (st:NAME)"),
    "caption": (_caption, "the picture described, the description changed by the words, searched by words"),
}
# What stands before a reranker of sentence-transformers, which is a scorer.
RERANK = "st-rerank:"
# What stands before a BLIP-2 with its retrieval half, as a scorer.
BLIP2 = "blip2:"
# Quoted words, operators and brackets; everything else up to a space or an operator is a name.
_TOKEN = re.compile(r"""\s*(?:'([^']*)'|"([^"]*)"|(>>|[%+()])|((?:(?!>>)[^\s%+()'"])+))""")
# Nobody writes more, and whoever reads a stranger's need not follow brackets without end.
_LONGEST = 60
_LONGEST_NAME = 1000
_OPERATORS = frozenset({">>", "%", "+", "(", ")"})


def load_method(expression: str, encoder: Encoder, **options: Any) -> Method:
    """The method of this name over an encoder: `load_method("sum", encoder, balance=0.4)`.

    A name is one of `METHODS`, `st-rerank:NAME` (a reranker of sentence-transformers), `blip2:NAME` (a
    BLIP-2 that scores), the folder that `circlet train` wrote, `package.module:Object`, or an installed
    plug-in. Names join as methods do in Python: `edits % 100 >> text` keeps the hundred best of the one and
    orders them by the other, `sum + ckpt` fuses two; brackets and quotes work.

    >>> from circlet.testing import ToyEncoder
    >>> load_method("image % 100 >> text", ToyEncoder())
    ImageOnly(ToyEncoder(), balance=1.0, push=0.5) % 100 >> TextOnly(ToyEncoder(), balance=0.0, push=0.5)
    """
    # An instruction is written as it is said, with its spaces, unless the name is part of something.
    instructed = expression.startswith("joint?") and not re.search(r">>|[%+()'\"]", expression)
    whole = expression in METHODS or instructed or is_folder(expression)
    made = _method(expression, encoder, options) if whole else _Reader(expression, encoder, options).whole()
    if isinstance(made, Scorer):
        raise UsageError(
            f"{expression} scores candidates and finds none itself: write 'edits % 100 >> {expression}'"
        )
    assert isinstance(made, Method)
    return made


def load_scorer(name: str, encoder: Encoder, **options: Any) -> Scorer:
    """What scores candidates under this name: a scorer, or a method in its place, as behind `>>`.

    >>> from circlet.testing import ToyEncoder
    >>> load_scorer("clauses", ToyEncoder())
    UntrainedClauses(ToyEncoder())
    """
    named = name in METHODS or name.startswith((RERANK, BLIP2, "joint?"))
    if not (named or is_folder(name) or is_plugin(name, PLUGINS)):
        raise UsageError(
            f"no scorer {name!r}: name a folder that circlet train wrote, clauses, {RERANK}NAME, "
            f"{BLIP2}NAME or package.module:Object"
        )
    made = _method(name, encoder, options)
    return made.as_scorer() if isinstance(made, Method) else made


def names_in(expression: str) -> list[str]:
    """The names that an expression joins, without loading any of them.

    >>> names_in("image % 100 >> (text + mine.methods:Mine)")
    ['image', 'text', 'mine.methods:Mine']
    """
    tokens = tokens_of(expression)
    counted = {at + 1 for at, token in enumerate(tokens) if token == (True, "%")}
    return [text for at, (operator, text) in enumerate(tokens) if not operator and at not in counted]


def tokens_of(expression: str) -> list[tuple[bool, str]]:
    """(is an operator, text) pairs."""
    tokens, at = [], 0
    while expression[at:].strip():
        match = _TOKEN.match(expression, at)
        if match is None:
            raise _wrong(expression, "a quote is not closed")
        quoted, double, operator, name = match.groups()
        named = next((one for one in (quoted, double, name) if one is not None), "")
        tokens.append((operator is not None, operator or named))
        at = match.end()
    if len(tokens) > _LONGEST:
        raise _wrong(expression[:40], f"it joins more than {_LONGEST} names, numbers and operators")
    return tokens


def _wrong(expression: str, what: str) -> UsageError:
    return UsageError(
        f"{expression!r} is no method ({what}): write one like sum, 'edits % 100 >> text' or 'a + b'"
    )


def is_folder(name: str) -> bool:
    """Whether this names a folder as a trained composer has one."""
    if not name or len(name) > _LONGEST_NAME:
        return False
    if name.startswith((RERANK, BLIP2)):
        return False
    return Path(name).exists() or (os.sep in name and not _OPERATORS & set(name.split()))


def _method(name: str, encoder: Encoder, options: dict[str, Any]) -> Any:
    """One operand: a method or a scorer."""
    if name in METHODS:
        make, _ = METHODS[name]
        try:
            return make(encoder, **options)
        except TypeError as error:
            raise UsageError(f"method {name!r} does not take these options: {error}") from None
    if name.startswith(RERANK):
        return _rerank(name, encoder)
    if name.startswith(BLIP2):
        return _blip2(name, encoder)
    if name.startswith("joint?"):
        _, given = options_in(name, ("instruction", "turns"))
        return _joint(encoder, **(options | given))
    if is_folder(name):
        needed("torch", "safetensors")
        from circlet.models.context.kept import is_context, load_context
        from circlet.models.frames.frame_folder import is_frames, load_frames
        from circlet.models.learned.folder import load
        from circlet.models.scenes.scene_folder import is_scenes, load_scenes
        from circlet.models.scorers.learned import is_clauses, load_clauses

        if is_context(Path(name)):
            return load_context(Path(name), encoder)
        if is_frames(Path(name)):
            return load_frames(Path(name), encoder)
        if is_clauses(Path(name)):
            return load_clauses(Path(name), encoder)
        if is_scenes(Path(name)):
            return load_scenes(Path(name), encoder)
        return load(Path(name), encoder, **options)
    if is_plugin(name, PLUGINS):
        made = load_plugin(name, PLUGINS, encoder, **options)
        if not isinstance(made, Method | Scorer):
            raise UsageError(f"{name} is a {type(made).__name__}: it must be a circlet.core Method or Scorer")
        return made
    raise UsageError(
        f"unknown method {name!r}: pick one of {', '.join((*METHODS, *plugins(PLUGINS)))}, the folder of a "
        "trained composer, or package.module:Object"
    )


class _Reader:
    """An expression of methods, read with Python's precedence: `%` binds most, then `+`, then `>>`."""

    def __init__(self, expression: str, encoder: Encoder, options: dict[str, Any]) -> None:
        self.expression = expression
        self.encoder, self.options = encoder, options
        self.tokens = tokens_of(expression)

    def whole(self) -> Any:
        made = self._reranked()
        if self.tokens:
            raise _wrong(self.expression, f"{self.tokens[0][1]!r} is not expected there")
        return made

    def _next(self, *operators: str) -> str | None:
        """The operator that comes next, taken, if it is one of these."""
        if self.tokens and self.tokens[0][0] and self.tokens[0][1] in operators:
            return self.tokens.pop(0)[1]
        return None

    def _reranked(self) -> Any:
        made = self._fused()
        while self._next(">>"):
            made = self._ranking(made) >> self._fused()
        return made

    def _fused(self) -> Any:
        made = self._cut_down()
        while self._next("+"):
            made = self._ranking(made) + self._ranking(self._cut_down())
        return made

    def _cut_down(self) -> Any:
        made = self._operand()
        while self._next("%"):
            keep = self.tokens.pop(0) if self.tokens else (True, "the end")
            if keep[0] or not keep[1].isdecimal():
                raise _wrong(self.expression, f"% keeps a number of candidates, not {keep[1]!r}")
            made = self._ranking(made) % int(keep[1])
        return made

    def _operand(self) -> Any:
        if self._next("("):
            made = self._reranked()
            if not self._next(")"):
                raise _wrong(self.expression, "a bracket is not closed")
            return made
        if not self.tokens or self.tokens[0][0]:
            raise _wrong(self.expression, "a method's name is missing")
        return _method(self.tokens.pop(0)[1], self.encoder, self.options)

    def _ranking(self, made: Any) -> Method:
        if isinstance(made, Scorer):
            raise _wrong(self.expression, f"{made!r} is a scorer and stands behind >> only")
        assert isinstance(made, Method)
        return made
