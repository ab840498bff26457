"""Measures, runs, comparison, human agreement, reports.

>>> Recall @ 5, Hits(turn=3) @ 10, Mean(Recall @ 5, SubsetRecall @ 1)
(Recall @ 5, Hits(turn=3) @ 10, Mean(Recall @ 5, SubsetRecall @ 1))
"""

from circlet.evaluate.agreement import Krippendorff, Pearson, PreferenceRate, Spearman
from circlet.evaluate.combine import ByGroup, Mean, Within
from circlet.evaluate.judge import Judged, judge, rank, survey
from circlet.evaluate.judge_run import judge_run
from circlet.evaluate.layout import Layout, lay_out
from circlet.evaluate.measure import Measure
from circlet.evaluate.parse import parse_measure, parse_measures
from circlet.evaluate.precision import MAP, MRR, NDCG, SubsetMAP
from circlet.evaluate.recall import Accuracy, Recall, SubsetRecall
from circlet.evaluate.result import Result, chance, measure
from circlet.evaluate.runs import read_run, write_run
from circlet.evaluate.turns import AUC, FinalRecall, Hits

__all__ = [
    "AUC",
    "MAP",
    "MRR",
    "NDCG",
    "Accuracy",
    "ByGroup",
    "FinalRecall",
    "Hits",
    "Judged",
    "Krippendorff",
    "Layout",
    "Mean",
    "Measure",
    "Pearson",
    "PreferenceRate",
    "Recall",
    "Result",
    "Spearman",
    "SubsetMAP",
    "SubsetRecall",
    "Within",
    "chance",
    "judge",
    "judge_run",
    "lay_out",
    "measure",
    "parse_measure",
    "parse_measures",
    "rank",
    "read_run",
    "survey",
    "write_run",
]
