"""Which composer should be the default? Every composer on the four held-in tasks, side by side.

    apt-get download tuxpaint-stamps-default && dpkg -x tuxpaint-stamps-default_*.deb stamps
    PYTHONPATH=src python benchmarks/composers.py stamps/usr/share/tuxpaint/stamps

prints, for each composer and task, how often a truth is the first and among the first ten of the
gallery (the reference itself left out); then whether the picture half matters, what pushing unwanted things
away is worth against only projecting them out, and how the histories of a session do when the change comes
in a second turn. `--encoder` takes any encoder; `--history belief --task kind` asks for one row of the last.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from held_in import Task, held_in, picture

from circlet.core import Encoder, Gallery, Method, Query, Turn, unit
from circlet.dialogue import HISTORIES, with_history
from circlet.models import METHODS, load_encoder, load_method


def ranks_of_truths(method: Method, task: Task, gallery: Gallery) -> np.ndarray:
    """For each query the best rank of a truth, the query's own picture left out; ties go against it."""
    scores = method.scores(list(task.queries), gallery)
    ranks = []
    for query, row in zip(task.queries, scores, strict=True):
        row[gallery.rows_of(query.pictures)] = -np.inf
        truths = gallery.rows_of(sorted(task.truths[query.id]))
        others = np.delete(row, truths)
        ranks.append(1 + np.count_nonzero(others >= row[truths].max()))
    return np.array(ranks)


def picture_matters(
    method: Method, gallery: Gallery, words: list[str], references: list[str]
) -> tuple[float, float]:
    """Whether the same words give each reference results of its own.

    The share of the top ten that two references do not have in common, and how often the results
    for a reference look more like it than those for the other references do.
    """
    top = 10
    differ, nearer = [], []
    for text in words:
        queries = [Query(id, (Turn(picture=id, text=text),)) for id in references]
        found = method.rank(queries, gallery, top=top, exclude=[[id] for id in references])
        sets = [set(ranking.ids) for ranking in found]
        differ += [1 - len(a & b) / top for i, a in enumerate(sets) for b in sets[:i]]
        means = unit([gallery.vectors_of(ranking.ids).mean(axis=0) for ranking in found])
        likeness = gallery.vectors_of(references) @ means.T
        nearer += [row[i] > np.delete(row, i).mean() for i, row in enumerate(likeness)]
    return float(np.mean(differ)), float(np.mean(nearer))


def _picture_then_words(query: Query) -> Query:
    return Query(query.id, (Turn(picture=query.last.picture), Turn(text=query.last.text)))


def _words_then_picked(query: Query) -> Query:
    """Found by its name, picked, and changed."""
    name = str(query.last.picture).replace("photo ", "").replace("scene ", "").replace("_", " ")
    return Query(query.id, (Turn(text=name.replace(" + ", " and a ")), query.last))


WAYS = {"picture, then words": _picture_then_words, "words, then a pick": _words_then_picked}


def methods_table(encoder: Encoder, tasks: Sequence[Task], galleries: Mapping[str, Gallery]) -> None:
    """Every composer on every task, and the picture's part in it."""
    print(f"{encoder.fingerprint}: truth first / among the first ten, in 100")
    print(f"{'':10}" + "".join(f"{task.name:>14}" for task in tasks) + f"{'mean':>8}")
    # A scorer by itself, and what needs an encoder that reads picture and words in one pass, are left out.
    for name in (name for name in METHODS if name not in ("clauses", "joint")):
        method = load_method(name, encoder)
        found = [ranks_of_truths(method, task, galleries[task.name]) for task in tasks]
        cells = "".join(f"{100 * np.mean(r == 1):7.0f} /{100 * np.mean(r <= 10):4.0f} " for r in found)
        print(f"{name:10}{cells}{100 * np.mean([np.mean(r <= 10) for r in found]):8.1f}")
    kind = tasks[0]
    words = [query.last.text for query in kind.queries[:20]]
    references = [str(query.last.picture) for query in kind.queries[20:30]]
    for name in ("text", "default"):
        differ, nearer = picture_matters(load_method(name, encoder), galleries["kind"], words, references)
        print(f"{name}: top tens of two references differ in {differ:.0%}, lean to their own {nearer:.0%}")
    removing = next(task for task in tasks if task.name == "remove")
    for push in (0, 0.1, 0.3, 0.5, 1.0):
        found_so = ranks_of_truths(load_method("default", encoder, push=push), removing, galleries["remove"])
        first, ten = np.mean(found_so == 1), np.mean(found_so <= 10)
        print(f"push {push}: without the thing first {first:.0%}, in ten {ten:.0%}")


def sessions_table(
    encoder: Encoder,
    tasks: Sequence[Task],
    galleries: Mapping[str, Gallery],
    histories: Sequence[str],
    name: str,
) -> None:
    """The change in a second turn, by history."""
    print(
        f"{encoder.fingerprint}, {name}: first turn, then the change; {', '.join(one.name for one in tasks)}"
    )
    for history in histories:
        method = with_history(load_method(name, encoder), history)
        for way, split in WAYS.items():
            parts = [replace(task, queries=tuple(map(split, task.queries))) for task in tasks]
            found = [ranks_of_truths(method, task, galleries[task.name]) for task in parts]
            cells = "".join(f"{100 * np.mean(r == 1):7.0f} /{100 * np.mean(r <= 10):4.0f} " for r in found)
            print(f"{history:13}{way:24}{cells}", flush=True)


def main() -> None:
    """Encode the held-in pictures once and print the tables."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("stamps", type=Path, help="the folder of Tux Paint's stamps")
    options.add_argument("--encoder", default="builtin")
    options.add_argument("--history", action="append", help="only the table of sessions, for this one")
    options.add_argument("--task", action="append", help="only this task, in the table of sessions")
    options.add_argument("--method", default="default", help="in the table of sessions")
    asked = options.parse_args()
    encoder = load_encoder(asked.encoder)
    pictures, tasks = held_in(asked.stamps)
    if asked.task:
        tasks = [task for task in tasks if task.name in asked.task]
        needed = {id for task in tasks for id in task.gallery}
        pictures = {id: source for id, source in pictures.items() if id in needed}
    vectors = encoder.images([picture(source) for source in pictures.values()])
    everything = Gallery(list(pictures), vectors, encoder.fingerprint)
    galleries = {task.name: everything.subset(task.gallery) for task in tasks}
    if not (asked.history or asked.task):
        methods_table(encoder, tasks, galleries)
    sessions_table(encoder, tasks, galleries, asked.history or list(HISTORIES), asked.method)


if __name__ == "__main__":
    main()
