"""Measures from text: what a measure's repr says, read without running anything."""

import ast
import re
from collections.abc import Callable, Iterable
from typing import Any

from circlet.core import UsageError
from circlet.evaluate.measures.combine import Within
from circlet.evaluate.measures.measure import Cutoff, Measure
from circlet.evaluate.measures.registry import MAKERS, SHORT, VALUES


def parse_measure(text: str) -> Measure:
    """The measure that this text names.

    >>> parse_measure("Hits(turn=3)@10"), parse_measure("Mean(R@5, Rsub@1)")
    (Hits(turn=3) @ 10, Mean(Recall @ 5, SubsetRecall @ 1))
    >>> parse_measure("Within(negation, R@1)")
    Within('negation', Recall @ 1)
    """
    try:
        read = _read(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, KeyError, RecursionError):
        read = None
    if not isinstance(read, Measure):
        known = ", ".join([*VALUES, *MAKERS, *SHORT])
        raise UsageError(
            f"{text!r} is no measure: write one like Recall @ 10 or Mean(Recall @ 5, MRR); known: {known}"
        )
    if isinstance(read, Cutoff):
        _ = read.cutoff
    return read


def parse_measures(texts: Iterable[str]) -> tuple[Measure, ...]:
    """Several measures, each once.

    >>> parse_measures(["Recall @ 1", "MRR", "MRR"])
    (Recall @ 1, MRR)
    """
    return tuple(dict.fromkeys(map(parse_measure, texts)))


def short(name: str) -> str:
    """A measure's name as papers print it, which `parse_measure` reads too; other names stay as they are.

    >>> short("Recall @ 5"), short("Within('MAP', Mean(MAP @ 5, SubsetRecall @ 1))")
    ('R@5', "Within('MAP', Mean(mAP@5, Rsub@1))")
    """
    return _WORDS.sub(lambda found: _SHORTER.get(found[0], found[0]), name)


_NAMED = VALUES | SHORT
_SHORTER = {measure.name: said for said, measure in SHORT.items()} | {" @ ": "@"}
# What stands in quotes is the name of a group, and no measure.
_WORDS = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\w+| @ """)


def _read(node: ast.expr) -> Any:
    """The value of an expression made of measures, cutoffs, options and nothing else."""
    match node:
        case ast.Name(id=name):
            return _NAMED[name] if name in _NAMED else MAKERS[name]()
        case ast.Constant(value=int() | str() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            return _read(left) @ _read(right)
        case ast.Call(func=ast.Name(id="Within"), args=[ast.Name(id=part), inner], keywords=[]):
            return Within(part, _read(inner))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            options = {str(keyword.arg): _read(keyword.value) for keyword in keywords}
            made: Callable[..., Measure] = MAKERS.get(name) or _NAMED[name]
            return made(*map(_read, args), **options)
    raise ValueError(node)
