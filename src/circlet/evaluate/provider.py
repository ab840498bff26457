"""circlet's measures for `ir_measures`, as a provider of the name `circlet`."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from circlet.core import Benchmark, Case, Key, Query, Ranking, Run, Turn
from circlet.evaluate.judge_run import judge_run
from circlet.evaluate.measures.measure import RankMeasure
from circlet.evaluate.measures.parse import parse_measure

# What each is called there: its name here, whether it takes a cutoff, and a line.
MEASURES = {
    "CirRecall": ("Recall", True, "Whether the target, the most relevant document, is among the first K."),
    "CirMAP": ("MAP", True, "mAP@K as CIRCO has it: over the smaller of K and the number of truths."),
    "CirMRR": ("MRR", False, "One over the rank of the best truth."),
    "CirNDCG": ("NDCG", True, "nDCG@K with the grades of the judgements."),
}


def register() -> dict[str, Any]:
    """Make circlet's measures known to `ir_measures`, and give them by name; once is enough.

    They differ from measures of the same name elsewhere in what composed retrieval means by them, and in
    ties: what has the score of a truth stands ahead of it.

        measures = register()
        ir_measures.calc_aggregate([measures["CirRecall"] @ 5, measures["CirMAP"] @ 10], qrels, run)
        ir_measures.calc_aggregate([ir_measures.parse_measure("CirRecall@5")], qrels, run)
    """
    import ir_measures
    from ir_measures import measures, providers

    if "circlet" in providers.registry:
        return {name: measures.registry[name] for name in MEASURES}
    made, supported = {}, []
    for name, (_, cut, line) in MEASURES.items():
        params = {"cutoff": measures.ParamInfo(dtype=int, required=True, desc="how deep")} if cut else {}
        about = {"__name__": name, "NAME": name, "SHORT_DESC": line, "SUPPORTED_PARAMS": params}
        kind = type(name, (measures.Measure,), about)
        made[name] = kind()
        supported.append(kind(cutoff=providers.base.Any(required=True)) if cut else kind())
        measures.register(made[name])
    provider = type(
        "CircletProvider",
        (providers.Provider,),
        {"NAME": "circlet", "SUPPORTED_MEASURES": supported, "_evaluator": _evaluator},
    )()
    ir_measures.DefaultPipeline.providers.append(providers.register(provider))
    return made


def _evaluator(self: Any, asked: Iterable[Any], qrels: Any) -> Any:
    """What `ir_measures` asks of a provider: something that measures runs against these judgements."""
    from ir_measures import providers, util

    listed, judged = list(asked), util.QrelsConverter(qrels).as_dict_of_dict()
    benchmark = benchmark_of(judged)

    def each(self: Any, run: Any) -> Iterator[Any]:
        scored = util.RunConverter(run).as_dict_of_dict()
        for query, measure, value in values(listed, benchmark, scored):
            yield util.Metric(query_id=query, measure=measure, value=value)

    kind = type("CircletEvaluator", (providers.Evaluator,), {"_iter_calc": each})
    return kind(listed, set(judged))


def values(
    measures: Iterable[Any], benchmark: Benchmark, scored: Mapping[str, Mapping[str, float]]
) -> Iterator[tuple[str, Any, float]]:
    """(query, measure, value) of every query that was both judged and run."""
    asked = {id: docs for id, docs in scored.items() if id in benchmark}
    judged = judge_run(run_of(asked), benchmark)
    for measure in measures:
        ours = parse_measure(ours_of(measure))
        assert isinstance(ours, RankMeasure)
        for case, value in zip(benchmark.cases, ours.each(judged), strict=True):
            if case.id in asked and value == value:
                yield case.id, measure, float(value)


def ours_of(measure: Any) -> str:
    """How circlet spells a measure of the provider."""
    name, cut, _ = MEASURES[measure.NAME]
    return f"{name} @ {measure['cutoff']}" if cut else name


def benchmark_of(qrels: Mapping[str, Mapping[str, int]]) -> Benchmark:
    """Judgements as a benchmark: what is relevant are the truths, the most relevant first.

    >>> benchmark_of({"q": {"a": 0, "b": 1, "c": 2}}).case("q").truths
    ('c', 'b')
    """
    cases = []
    for id, docs in qrels.items():
        grades = {doc: float(grade) for doc, grade in docs.items() if grade > 0}
        truths = tuple(sorted(grades, key=lambda doc: -grades[doc]))
        cases.append(Case(query=Query(id, (Turn(text=id),)), truths=truths, grades=grades))
    return Benchmark(name="qrels", split="", cases=tuple(cases), galleries={})


def run_of(scored: Mapping[str, Mapping[str, float]]) -> Run:
    """Scores by query and document as a run.

    >>> run_of({"q": {"a": 0.1, "b": 0.9}}).rankings[Key("q")].ids
    ('b', 'a')
    """
    rankings = {}
    for id, docs in scored.items():
        order = sorted(docs, key=lambda doc: -docs[doc])
        rankings[Key(id)] = Ranking(order, [docs[doc] for doc in order])
    return Run(method="run", rankings=rankings)
