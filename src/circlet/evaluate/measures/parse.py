"""Measures from text: what a measure's repr says, read without running anything."""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from circlet.core import UsageError
from circlet.evaluate.measures.agreement import PreferenceRate, ScoreMeasure, Spearman
from circlet.evaluate.measures.combine import ByGroup, Mean, Within
from circlet.evaluate.measures.measure import Cutoff, Measure
from circlet.evaluate.measures.precision import MAP, MRR, NDCG, SubsetMAP
from circlet.evaluate.measures.recall import Accuracy, Recall, SubsetRecall
from circlet.evaluate.measures.turns import AUC, FinalRecall, Hits

AnyMeasure = Measure | ScoreMeasure
_VALUES: dict[str, Cutoff] = {
    measure.name: measure
    for measure in (Recall, SubsetRecall, Accuracy, MAP, SubsetMAP, MRR, NDCG, Hits, FinalRecall, AUC)
}
_MAKERS: dict[str, Callable[..., AnyMeasure]] = {
    "Mean": Mean,
    "Within": Within,
    "ByGroup": ByGroup,
    "Spearman": Spearman,
    "PreferenceRate": PreferenceRate,
}


def parse_measure(text: str) -> AnyMeasure:
    """The measure that this text names.

    >>> parse_measure("Hits(turn=3)@10"), parse_measure("Mean(Recall @ 5, SubsetRecall @ 1)")
    (Hits(turn=3) @ 10, Mean(Recall @ 5, SubsetRecall @ 1))
    """
    try:
        read = _read(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, KeyError, RecursionError):
        read = None
    if not isinstance(read, Measure | ScoreMeasure):
        known = ", ".join([*_VALUES, *_MAKERS])
        raise UsageError(
            f"{text!r} is no measure: write one like Recall @ 10 or Mean(Recall @ 5, MRR); known: {known}"
        )
    if isinstance(read, Cutoff):
        _ = read.cutoff
    return read


def parse_measures(texts: Iterable[str]) -> tuple[AnyMeasure, ...]:
    """Several measures, each once.

    >>> parse_measures(["Recall @ 1", "MRR", "MRR"])
    (Recall @ 1, MRR)
    """
    return tuple(dict.fromkeys(map(parse_measure, texts)))


def _read(node: ast.expr) -> Any:
    """The value of an expression made of measures, cutoffs, options and nothing else."""
    match node:
        case ast.Name(id=name):
            return _VALUES[name] if name in _VALUES else _MAKERS[name]()
        case ast.Constant(value=int() | str() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            return _read(left) @ _read(right)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            options = {str(keyword.arg): _read(keyword.value) for keyword in keywords}
            made: Callable[..., AnyMeasure] = _MAKERS.get(name) or _VALUES[name]
            return made(*map(_read, args), **options)
    raise ValueError(node)
