"""Fills a store until it is killed; says on standard output what was finished. Run by test_kill.py.

python adder.py FOLDER SEED: batches of pictures whose vectors follow from their numbers, with
now and then a batch forgotten, a picture renamed and the store tidied, as indexing does.
"""

import sys
from itertools import count

import numpy as np

from circlet.core import Vectors, unit
from circlet.index import Entry
from circlet.index.embedded.embedded import Embedded

SPACE = "toy:1"
BATCH = 16


def vector(number: int) -> Vectors:
    return unit(np.random.default_rng(number).normal(size=(1, 64)))[0]


def entry(number: int, name: str = "new") -> Entry:
    return Entry(f"/p/{name}/{number}.jpg", number, number, f"content {number}", 4, 3)


def main() -> None:
    store = Embedded.open(sys.argv[1], write=True)
    chance = np.random.default_rng(int(sys.argv[2]))
    begin = 1 + max((known.size for known in dict(store.walk("/p")).values()), default=-1)
    print("ready", flush=True)
    for start in count(begin, BATCH):
        numbers = range(start, start + BATCH)
        store.add([entry(i) for i in numbers], np.stack([vector(i) for i in numbers]), SPACE)
        print("added", start, flush=True)
        if chance.random() < 0.2:
            print("forgetting", start, flush=True)
            store.forget([entry(i).path for i in numbers])
            print("forgot", start, flush=True)
        elif chance.random() < 0.2:
            print("renaming", start, flush=True)
            store.moved([(entry(start).path, entry(start, "renamed"))])
            print("renamed", start, flush=True)
        if chance.random() < 0.1:
            store.tidy()


if __name__ == "__main__":
    main()
