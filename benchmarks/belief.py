"""What a belief costs: rounds over ten thousand pictures, and one turn over a hundred thousand.

    python benchmarks/belief.py [--sessions 500] [--pictures 10000] [--large 100000]

Plays sessions against a user whose pictures are random vectors around a few hundred centres, with words that
are vectors too, so that nothing but searching and believing takes time; then one turn of a belief, with ten
pictures shown, against a plain search by vector in a gallery of the same numbers as the built-in encoder's.
"""

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np

from circlet.core import Benchmark, Case, Gallery, Query, Turn, Vectors, unit
from circlet.dialogue import Belief, Feedback
from circlet.dialogue.rounds import Rules, play
from circlet.dialogue.simulate import SimulatedUser
from circlet.models import Sum

DIM = 768


class Pointing:
    """Words that name a picture by its number, loosely."""

    fingerprint, dim = "pointing:1", DIM

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors

    def texts(self, words: Sequence[str]) -> Vectors:
        """One row per text: near the picture that it names."""
        rows = []
        for text in words:
            which, way = (int(part) for part in text.split())
            noise = np.random.default_rng([which, way]).normal(size=DIM).astype(np.float32)
            rows.append(self.vectors[which] + 0.15 * noise)
        return unit(np.array(rows, np.float32).reshape(-1, DIM))


def gallery_of(pictures: int, seed: int = 0) -> Gallery:
    """Unit vectors around a few hundred centres."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(300, DIM)).astype(np.float32)
    rows = centres[rng.integers(0, 300, pictures)] + 0.7 * rng.normal(size=(pictures, DIM)).astype(np.float32)
    return Gallery([f"p{row}" for row in range(pictures)], unit(rows), Pointing.fingerprint)


def rounds(sessions: int, pictures: int) -> None:
    """Time five rounds of so many sessions."""
    gallery = gallery_of(pictures)
    encoder = Pointing(gallery.vectors)
    rng = np.random.default_rng(1)
    pairs = rng.choice(pictures, (sessions, 2), replace=False)
    cases = tuple(
        Case(
            query=Query(f"q{at}", (Turn(picture=f"p{a}", text=f"{rng.integers(pictures)} 0"),)),
            truths=(f"p{b}",),
        )
        for at, (a, b) in enumerate(pairs)
    )
    bench = Benchmark(name="random", split="all", cases=cases, galleries={"": gallery.ids})
    user = SimulatedUser(
        likeness=lambda wanted, shown: gallery.vectors_of(shown) @ gallery.vectors_of([wanted])[0],
        tell=lambda contrasts: [f"{one.wanted[1:]} {len(one.said)}" for one in contrasts],
    )
    for make in (Feedback, Belief):
        began = time.perf_counter()
        played = play(make(Sum(encoder)), user, bench, gallery, rules=Rules(rounds=5))  # type: ignore[arg-type]
        took = time.perf_counter() - began
        turns = sum(map(len, played.ranks.values()))
        found = 100 * float(np.mean(played.at(5) <= 10))
        print(f"{make.__name__:10} {sessions} sessions × 5 rounds over {pictures:,}: {took:.1f} s, "
              f"{turns} turns, {found:.0f} in 100 found")  # fmt: skip


def median(ask: Callable[[], object], times: int = 15) -> float:
    """The median time of asking, in milliseconds."""
    ask()
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        ask()
        taken.append(time.perf_counter() - began)
    return 1000 * float(np.median(taken))


def turn(pictures: int) -> None:
    """Time one turn against a plain search."""
    gallery = gallery_of(pictures)
    encoder = Pointing(gallery.vectors)
    composer, vector = Sum(encoder), gallery.vectors[:1]  # type: ignore[arg-type]
    query = Query("q", (Turn(picture="p1", text="5 0"),))
    plain = median(lambda: gallery.search(vector, top=30))
    print(f"a plain search over {pictures:,}: {plain:.1f} ms")
    for number in range(1, 5):
        shown = tuple(f"p{10 * number + at}" for at in range(10))
        query = query + Turn(picture=shown[3], text=f"5 {number}", shown=shown)
        here = query
        took = median(lambda: Belief(composer).rank([here], gallery, top=30))  # noqa: B023
        print(f"turn {number + 1} of a belief: {took:.1f} ms, {took / plain:.2f} × a plain search")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--pictures", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=100_000)
    asked = parser.parse_args()
    rounds(asked.sessions, asked.pictures)
    turn(asked.large)


if __name__ == "__main__":
    main()
