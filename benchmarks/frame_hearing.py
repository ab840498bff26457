"""How well clauses of descriptions are heard from writers whom hearing never read: by rules, and as learned.

    python benchmarks/frame_hearing.py

For each writer of `frame_lessons.tsv`, hearing learns from all others and from train; then, in 100, how many
of the writer's clauses it hears as what they state, beside what the rules alone hear. Last the wordings of
val, which the rules were made for, with hearing that learned from all writers.
"""

from circlet.data.tableaux.tasks.frame_wordings import frame_lessons
from circlet.language.frame_words import by_rules, mark
from circlet.models.frames.frame_hearing import number_of
from circlet.train.frame_hearing import WRITERS, heard_right, learn_frame_hearing
from circlet.train.frames import known


def by_rules_right(whose: str) -> float:
    """How many of a writer's clauses the rules hear as what they state, in 100."""
    lessons, vocabulary = list(frame_lessons([whose], 1)), known().vocabulary
    clauses = [mark(one.words, vocabulary, one.last) for one in lessons]
    right = [
        number_of(one.fact, clause) == number_of(next(iter(by_rules(clause)), None), clause)
        for one, clause in zip(lessons, clauses, strict=True)
    ]
    return 100 * sum(right) / len(right)


def main() -> None:
    """Measure, and print."""
    for writer in (*WRITERS, "val"):
        others = [one for one in (*WRITERS, "train") if one != writer]
        learned = heard_right(learn_frame_hearing(known(), others), known(), [writer])
        print(f"{writer}: rules {by_rules_right(writer):.1f}, learned {learned:.1f}", flush=True)


if __name__ == "__main__":
    main()
