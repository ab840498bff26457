"""How well texts about scenes are heard from writers whom hearing never read.

    python benchmarks/scene_hearing.py

For each writer of `scene_lessons.tsv`, hearing learns from all others and from train; then, in 100, how many
of the writer's clauses are heard as exactly what they ask for, and of how many texts of one to three
clauses exactly the needs are heard. Last the wordings of val, with hearing that learned from all writers, and
how long a text takes.
"""

import time

from circlet.data.tableaux.tasks.scene_wordings import WRITERS, scene_texts
from circlet.train.scene_hearing import EVERYBODY, clauses_heard, learn_listening, texts_heard
from circlet.train.scenes import known


def main() -> None:
    """Measure, and print."""
    for writer in (*WRITERS, "val"):
        listener = learn_listening(known(), [one for one in EVERYBODY if one != writer])
        clauses, texts = clauses_heard(listener, writer), texts_heard(listener, writer)
        print(f"{writer}: clauses {clauses:.1f}, texts {texts:.1f}", flush=True)
    fresh = [text for text, _ in scene_texts(["val"], 100, seed=1)]
    began = time.perf_counter()
    for text in fresh:
        listener.said(text)
    print(f"{1000 * (time.perf_counter() - began) / len(fresh):.1f} ms a text")


if __name__ == "__main__":
    main()
