"""Measures from text: what a measure's repr says, read without running anything."""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from circlet.core import UsageError
from circlet.evaluate.measures.measure import Cutoff, Measure
from circlet.evaluate.measures.registry import MAKERS, VALUES


def parse_measure(text: str) -> Measure:
    """The measure that this text names.

    >>> parse_measure("Hits(turn=3)@10"), parse_measure("Mean(Recall @ 5, SubsetRecall @ 1)")
    (Hits(turn=3) @ 10, Mean(Recall @ 5, SubsetRecall @ 1))
    """
    try:
        read = _read(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, KeyError, RecursionError):
        read = None
    if not isinstance(read, Measure):
        known = ", ".join([*VALUES, *MAKERS])
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


def _read(node: ast.expr) -> Any:
    """The value of an expression made of measures, cutoffs, options and nothing else."""
    match node:
        case ast.Name(id=name):
            return VALUES[name] if name in VALUES else MAKERS[name]()
        case ast.Constant(value=int() | str() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            return _read(left) @ _read(right)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            options = {str(keyword.arg): _read(keyword.value) for keyword in keywords}
            made: Callable[..., Measure] = MAKERS.get(name) or VALUES[name]
            return made(*map(_read, args), **options)
    raise ValueError(node)
