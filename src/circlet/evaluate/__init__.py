"""Measures, runs, comparison, human agreement, reports.

>>> Recall @ 5, Hits(turn=3) @ 10, Mean(Recall @ 5, SubsetRecall @ 1)
(Recall @ 5, Hits(turn=3) @ 10, Mean(Recall @ 5, SubsetRecall @ 1))
"""

from circlet.evaluate.arrays import BenchmarkArrays, arrays_of
from circlet.evaluate.compare import Comparisons, compare
from circlet.evaluate.files.runs import read_run, write_run
from circlet.evaluate.judge import Judged, judge, rank, survey
from circlet.evaluate.judge_run import judge_run
from circlet.evaluate.measures.agreement import Krippendorff, Pearson, PreferenceRate, Spearman
from circlet.evaluate.measures.combine import ByGroup, Mean, Within
from circlet.evaluate.measures.graded import Grade, Relevance
from circlet.evaluate.measures.measure import Evidence, Measure, RankMeasure, ScoreMeasure
from circlet.evaluate.measures.parse import parse_measure, parse_measures
from circlet.evaluate.measures.precision import MAP, MRR, NDCG, SubsetMAP
from circlet.evaluate.measures.recall import Accuracy, NegativeWins, Recall, SubsetRecall
from circlet.evaluate.measures.turns import AUC, FinalRecall, Hits
from circlet.evaluate.report.tables import ResultTable
from circlet.evaluate.result import Result, chance, measure

__all__ = [
    "AUC",
    "MAP",
    "MRR",
    "NDCG",
    "Accuracy",
    "BenchmarkArrays",
    "ByGroup",
    "Comparisons",
    "Evidence",
    "FinalRecall",
    "Grade",
    "Hits",
    "Judged",
    "Krippendorff",
    "Mean",
    "Measure",
    "NegativeWins",
    "Pearson",
    "PreferenceRate",
    "RankMeasure",
    "Recall",
    "Relevance",
    "Result",
    "ResultTable",
    "ScoreMeasure",
    "Spearman",
    "SubsetMAP",
    "SubsetRecall",
    "Within",
    "arrays_of",
    "chance",
    "compare",
    "judge",
    "judge_run",
    "measure",
    "parse_measure",
    "parse_measures",
    "rank",
    "read_run",
    "survey",
    "write_run",
]
