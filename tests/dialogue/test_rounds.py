"""Rounds: the first is the plain evaluation, ranks are counted, what was seen returns or does not."""

import numpy as np
import pytest

from circlet.core import Benchmark, Case, DataError, Gallery, Key, Query, Turn, UsageError, unit
from circlet.dialogue import Belief, Feedback, Weighted
from circlet.dialogue.rounds import Rules, play
from circlet.dialogue.simulate import SimulatedUser
from circlet.evaluate import Recall, judge, measure
from circlet.models import load_method


class Numbers:
    """Words that name a picture by its number, in the space of the pictures."""

    fingerprint = "toy:numbers"
    dim = 8

    def __init__(self, vectors: "np.ndarray") -> None:
        self.vectors = vectors

    def texts(self, words: "list[str]") -> "np.ndarray":
        return np.stack([self.vectors[int(text.split()[-1])] for text in words])


@pytest.fixture
def world() -> "tuple[Benchmark, Gallery, Numbers]":
    rng = np.random.default_rng(0)
    vectors = unit(rng.normal(size=(60, 8)))
    gallery = Gallery([f"p{row}" for row in range(60)], vectors, "toy:numbers")
    cases = []
    for row in range(20):
        # The first words name another picture than the target.
        turn = Turn(picture=f"p{row}", text=f"like {row + 20}")
        cases.append(Case(query=Query(f"q{row}", (turn,)), truths=(f"p{row + 40}",), exclude=(f"p{row}",)))
    bench = Benchmark(name="toy", split="val", cases=tuple(cases), galleries={"": gallery.ids})
    return bench, gallery, Numbers(vectors)


def teller(gallery: Gallery) -> SimulatedUser:
    def near(wanted: str, shown: "tuple[str, ...]") -> "np.ndarray":
        return gallery.vectors_of(shown) @ gallery.vectors_of([wanted])[0]

    return SimulatedUser(
        likeness=near,  # type: ignore[arg-type]
        tell=lambda contrasts: [f"like {int(one.wanted[1:])}" for one in contrasts],
        name="toy",
    )


def test_the_first_round_is_plain_evaluation_and_two_plays_are_the_same(
    world: "tuple[Benchmark, Gallery, Numbers]",
) -> None:
    bench, gallery, encoder = world
    method = Weighted(load_method("sum", encoder))  # type: ignore[arg-type]
    played = play(method, teller(gallery), bench, gallery)
    again = play(method, teller(gallery), bench, gallery)
    assert (played.ranks, played.benchmark.cases) == (again.ranks, again.benchmark.cases)
    plain = judge(method, bench, gallery)
    assert [ranks[0] for ranks in played.ranks.values()] == plain.rank.tolist()
    assert "rounds=5 shown=10 seen=picked user=toy" in played.benchmark.header()


def test_ranks_and_what_was_shown_can_be_recomputed(world: "tuple[Benchmark, Gallery, Numbers]") -> None:
    bench, gallery, encoder = world
    method = Feedback(load_method("sum", encoder))  # type: ignore[arg-type]
    played = play(method, teller(gallery), bench, gallery, rules=Rules(rounds=4, shown=3))
    assert {len(ranks) for ranks in played.ranks.values()} >= {1, 2}
    for case in played.benchmark.cases:
        ranks = played.ranks[case.id]
        assert len(ranks) == len(case.query.turns)
        for number in range(1, len(ranks) + 1):
            gone = {*case.exclude, *(turn.picture for turn in case.query.turns[1:number])}
            scores = dict(
                zip(gallery.ids, method.scores([case.query.until(number)], gallery)[0].tolist(), strict=True)
            )
            order = sorted((id for id in gallery.ids if id not in gone), key=lambda id: -scores[id])
            assert ranks[number - 1] == order.index(case.truths[0]) + 1
            if number < len(ranks):
                assert ranks[number - 1] > 3, "a session ends when the target is shown"
                assert case.query.turns[number].shown == tuple(order[:3])
                assert played.rankings[Key(case.id, number)].ids[:3] == tuple(order[:3])


@pytest.mark.parametrize(("seen", "returning"), [("kept", True), ("picked", False), ("shown", False)])
def test_what_was_seen_returns_or_does_not(
    world: "tuple[Benchmark, Gallery, Numbers]", seen: str, returning: bool
) -> None:
    bench, gallery, encoder = world
    method = Weighted(load_method("image", encoder))  # type: ignore[arg-type]
    rules = Rules(rounds=3, shown=3, seen=seen)  # type: ignore[arg-type]
    played = play(method, teller(gallery), bench, gallery, rules=rules)
    later = [(case.query.turns, played.rankings[Key(case.id, 2)].ids) for case in played.benchmark.cases
             if len(case.query.turns) > 1]  # fmt: skip
    assert later
    assert any(turns[1].picture in ids for turns, ids in later) is returning
    others = [set(turns[1].shown) - {turns[1].picture} for turns, _ in later]
    came = any(shown & set(ids) for shown, (_, ids) in zip(others, later, strict=True))
    assert came is (seen != "shown")


def test_measures_read_the_run_like_any_other(world: "tuple[Benchmark, Gallery, Numbers]") -> None:
    bench, gallery, encoder = world
    played = play(Belief(load_method("sum", encoder)), teller(gallery), bench, gallery)  # type: ignore[arg-type]
    last = measure(played.run, played.benchmark, [Recall @ 10]).measures["Recall @ 10"]
    assert last == pytest.approx(100 * float(np.mean(played.at(5) <= 10)))
    assert (played.at(5, cumulative=True) <= played.at(5)).all()


def test_what_cannot_be_played(world: "tuple[Benchmark, Gallery, Numbers]") -> None:
    _, gallery, encoder = world
    with pytest.raises(UsageError, match="kept, picked, shown"):
        Rules(seen="hidden")  # type: ignore[arg-type]
    lost = Benchmark(name="toy", split="val", galleries={"": gallery.ids}, cases=(
        Case(query=Query("q", (Turn(picture="p1"),)), truths=("p1",), exclude=("p1",)),))  # fmt: skip
    with pytest.raises(DataError, match="no truth in its gallery"):
        play(load_method("image", encoder), teller(gallery), lost, gallery)  # type: ignore[arg-type]
