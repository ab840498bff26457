"""Every measure that has a name: to add one, write its class and list it here."""

from collections.abc import Callable

from circlet.evaluate.measures.agreement import PreferenceRate, Spearman
from circlet.evaluate.measures.combine import ByGroup, Mean, Within
from circlet.evaluate.measures.graded import Grade, Relevance
from circlet.evaluate.measures.measure import Cutoff, Measure
from circlet.evaluate.measures.precision import MAP, MRR, NDCG, SubsetMAP
from circlet.evaluate.measures.recall import Accuracy, NegativeWins, Recall, SubsetRecall
from circlet.evaluate.measures.turns import AUC, FinalRecall, Hits

# Values that take a cutoff and options: `Recall @ 5`, `Hits(turn=3) @ 10`.
VALUES: dict[str, Cutoff] = {
    measure.name: measure
    for measure in (
        Recall,
        SubsetRecall,
        Accuracy,
        NegativeWins,
        MAP,
        SubsetMAP,
        MRR,
        NDCG,
        Grade,
        Relevance,
        Hits,
        FinalRecall,
        AUC,
    )
}
# What papers call them: read wherever a measure is named, and printed where there is little room.
SHORT: dict[str, Cutoff] = {
    "R": Recall,
    "Rsub": SubsetRecall,
    "mAP": MAP,
    "nDCG": NDCG,
    "Acc": Accuracy,
    "Rel": Relevance,
}
# What is made of other measures or of nothing: `Mean(Recall @ 5, MRR)`, `Spearman()`.
MAKERS: dict[str, Callable[..., Measure]] = {
    made.__name__: made for made in (Mean, Within, ByGroup, Spearman, PreferenceRate)
}
