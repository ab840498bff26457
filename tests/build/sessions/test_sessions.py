"""Built sessions: ranks and cosines recomputed by hand, filters that add up, and kills that lose nothing."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from circlet.build.sessions import (
    MadeSession,
    SessionFilter,
    SessionPlan,
    filtered,
    make_sessions,
    session_benchmark,
    starts,
    sweep,
    write_circled,
)
from circlet.build.sessions.filters import closest_texts
from circlet.core import Benchmark, Case, Gallery, Query, Turn, UsageError, unit
from circlet.data import load_benchmark, read_benchmark, write_benchmark
from circlet.dialogue import Feedback
from circlet.dialogue.simulate import SimulatedUser
from circlet.models import load_method

COUNT, DIM = 200, 12
PLAN = SessionPlan(base="text+feedback", user="toy")


class Vague:
    """Words that mean a picture more or less: "like 45 as 3" is near picture 45, the third way."""

    fingerprint = "toy:vague"
    dim = DIM

    def __init__(self) -> None:
        self.vectors = unit(np.random.default_rng(1).normal(size=(COUNT, DIM)))

    def texts(self, words: "list[str]") -> "np.ndarray":
        rows = []
        for text in words:
            _, which, _, way = text.split()
            noise = np.random.default_rng([int(which), int(way)]).normal(size=DIM)
            rows.append(self.vectors[int(which)] + 0.3 * noise)
        return unit(np.array(rows, np.float32).reshape(-1, DIM))


@pytest.fixture(scope="module")
def encoder() -> Vague:
    return Vague()


@pytest.fixture(scope="module")
def gallery(encoder: Vague) -> Gallery:
    return Gallery([f"p{row}" for row in range(COUNT)], encoder.vectors, encoder.fingerprint)


def first(row: int) -> int:
    """One in three says at once what is wanted; the others begin with something else."""
    return row if row % 3 else row + 90


@pytest.fixture(scope="module")
def bench(gallery: Gallery) -> Benchmark:
    cases = tuple(
        Case(
            # One in three says at once what is wanted; the others begin with something else.
            query=Query(
                f"q{row}", (Turn(picture=f"p{row}", text=f"like {row if row % 3 else row + 90} as 0"),)
            ),
            truths=(f"p{row + 90}",),
            exclude=(f"p{row}",),
        )
        for row in range(90)
    )
    return Benchmark(name="toy", split="val", cases=cases, galleries={"": gallery.ids})


def user(gallery: Gallery) -> SimulatedUser:
    def near(wanted: str, shown: "list[str]") -> "np.ndarray":
        return gallery.vectors_of(shown) @ gallery.vectors_of([wanted])[0]

    def said(wanted: int, turn: int) -> str:
        if wanted % 7 == 0:
            return f"like {(wanted + 20 * turn) % 80} as {turn}"  # leads astray
        return f"like {wanted} as {turn if wanted % 2 else 7}"  # half of them say the same again and again

    def tell(contrasts: "list") -> list[str]:
        return [said(int(one.wanted[1:]), len(one.said)) for one in contrasts]

    return SimulatedUser(likeness=near, tell=tell, speaks=True, name="toy")  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def built(
    bench: Benchmark, gallery: Gallery, encoder: Vague, tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[MadeSession], Path]:
    book = tmp_path_factory.mktemp("sessions") / "sessions.made.jsonl"
    base = Feedback(load_method("text", encoder))  # type: ignore[arg-type]
    return make_sessions(bench, base, user(gallery), gallery, book, PLAN), book


def test_ranks_and_cosines_recomputed_by_hand_are_consistent_and_diverse(
    built: tuple[list[MadeSession], Path], bench: Benchmark, encoder: Vague, tmp_path: Path
) -> None:
    """Nothing of circlet's ranking is used: equations 3, 4 and 9 in numpy, from the file that was written."""
    made, _ = built
    closest = closest_texts(made, encoder.texts)  # type: ignore[arg-type]
    result = filtered(made, closest, SessionFilter())
    assert len(result.kept) > 5
    path = write_benchmark(session_benchmark(bench, result.kept, PLAN, closest), tmp_path / "sessions.jsonl")
    vectors = {f"p{row}": encoder.vectors[row].astype(np.float64) for row in range(COUNT)}
    for line in map(json.loads, path.read_text().splitlines()):
        if "query" not in line:
            continue
        target, turns = line["truths"][0], line["turns"]
        said = [row.astype(np.float64) for row in encoder.texts([turn["text"] for turn in turns])]
        assert 2 <= len(turns) <= 6
        assert all(float(a @ b) < 0.8 for at, a in enumerate(said) for b in said[:at])
        query, ranks, gone = said[0], [], {turns[0]["picture"]}
        for number, turn in enumerate(turns):
            if number:
                gone.add(turn["picture"])
                others = [vectors[id] for id in turn["shown"] if id != turn["picture"]]
                query = query + 0.08 * vectors[turn["picture"]] - 0.29 * np.mean(others, axis=0)
                query = query + 0.44 * said[number]
                query /= np.linalg.norm(query)
            left = sorted(
                (id for id in vectors if id not in gone), key=lambda id: -float(vectors[id] @ query)
            )
            ranks.append(left.index(target) + 1)
            if number + 1 < len(turns):
                assert turns[number + 1]["shown"] == left[:10], "the next turn picks from what was shown"
                best = max(left[:10], key=lambda id: float(vectors[id] @ vectors[target]))
                assert turns[number + 1]["picture"] == best
        assert ranks == line["notes"]["ranks"]
        assert ranks[0] > 10 >= ranks[-1]
        assert all(after <= before + 30 for before, after in pairwise(ranks))


def test_what_the_filters_took_adds_up(built: tuple[list[MadeSession], Path], encoder: Vague) -> None:
    made, _ = built
    closest = closest_texts(made, encoder.texts)  # type: ignore[arg-type]
    result = filtered(made, closest, SessionFilter())
    report = result.report
    lost = report.success + report.multi_turn + report.rank + report.text + report.other
    assert report.init == len(made) == 90
    assert report.init - lost == report.final == len(result.kept)
    assert min(report.success, report.multi_turn, report.text) > 0
    assert len(result.unfit) == report.rank + report.text
    assert not {one.id for one in result.unfit} & {one.id for one in result.kept}
    left = sweep(made, closest, SessionFilter())
    assert left["epsilon"][30] == left["tau"][0.8] == report.final
    for kept in left.values():
        assert list(kept.values()) == sorted(kept.values()), "a wider margin keeps more"


def test_the_released_codes_own_filters(built: tuple[list[MadeSession], Path], encoder: Vague) -> None:
    made, _ = built
    closest = closest_texts(made, encoder.texts)  # type: ignore[arg-type]
    some = filtered(made, closest, SessionFilter()).kept[0]
    first = replace(some.query.turns[0], text="")
    bare = replace(some, query=Query(some.id, (first, *some.query.turns[1:])))
    assert filtered([bare], closest, SessionFilter()).report.final == 1
    assert filtered([bare], closest, SessionFilter(first_texts=True)).report.other == 1
    twice = replace(
        some, query=Query(some.id, (*some.query.turns, some.query.turns[-1])), ranks=(*some.ranks, 1)
    )
    assert filtered([twice], {twice.id: 0.1}, SessionFilter(equal_pictures=True)).report.other == 1


@pytest.mark.parametrize("cut", [0.0, 0.2, 0.5, 0.77, 0.999])
def test_a_kill_at_any_byte_ends_with_the_same_bytes(
    built: tuple[list[MadeSession], Path],
    bench: Benchmark,
    gallery: Gallery,
    encoder: Vague,
    cut: float,
    tmp_path: Path,
) -> None:
    whole = built[1].read_bytes()
    book = tmp_path / "sessions.made.jsonl"
    book.write_bytes(whole[: int(cut * len(whole))])
    base = Feedback(load_method("text", encoder))  # type: ignore[arg-type]
    again = make_sessions(bench, base, user(gallery), gallery, book, PLAN)
    assert book.read_bytes() == whole
    assert again == built[0]


def test_another_plan_is_not_mixed_in(
    built: tuple[list[MadeSession], Path], bench: Benchmark, gallery: Gallery, encoder: Vague
) -> None:
    base = Feedback(load_method("text", encoder))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="begun otherwise"):
        make_sessions(bench, base, user(gallery), gallery, built[1], replace(PLAN, seed=1))


def test_deviations_are_known_and_printed() -> None:
    plan = SessionPlan(base="b", user="u", deviations=("seventh-turn", "kept-references"))
    assert (plan.rules.rounds, plan.rules.seen) == (7, "kept")
    assert plan.protocol["deviations"] == "seventh-turn,kept-references"
    with pytest.raises(UsageError, match="no deviation 'eighth-turn': pick of similar-texts, first-texts"):
        SessionPlan(base="b", user="u", deviations=("eighth-turn",))


def test_circleds_form_is_read_back(
    built: tuple[list[MadeSession], Path], bench: Benchmark, encoder: Vague, tmp_path: Path
) -> None:
    closest = closest_texts(built[0], encoder.texts)  # type: ignore[arg-type]
    kept = filtered(built[0], closest, SessionFilter()).kept
    made = session_benchmark(bench, kept, PLAN, closest)
    read = load_benchmark(f"circled:{write_circled(tmp_path / 'sessions.json', made)}")
    assert [case.truths for case in read.cases] == [case.truths for case in made.cases]
    assert [[(turn.picture, turn.text) for turn in query.turns] for query in read.queries] == [
        [(turn.picture, turn.text) for turn in query.turns] for query in made.queries
    ]
    # circlet's own file has all of it.
    assert read_benchmark(write_benchmark(made, tmp_path / "sessions.jsonl")).cases == made.cases


def test_first_turns_of_a_folder(gallery: Gallery) -> None:
    files = {id: Path(f"{id}.jpg") for id in gallery.ids}

    def tell(contrasts: "list") -> list[str]:
        return ["" if one.wanted == "p3" else f"like {one.wanted[1:]} as 0" for one in contrasts]

    made = starts(files, gallery, tell, name="mine", count=COUNT)  # type: ignore[arg-type]
    assert len(made.cases) == COUNT - 1, "what nobody has words for is passed over"
    for case in made.cases:
        near = gallery.vectors @ gallery.vectors_of(case.truths)[0]
        order = [gallery.ids[row] for row in np.argsort(-near)]
        assert order.index(str(case.query.last.picture)) in range(1, 21)
    again = starts(files, gallery, tell, name="mine", count=COUNT)  # type: ignore[arg-type]
    assert again.cases == made.cases
    with pytest.raises(UsageError, match="put into words"):
        starts(files, gallery, lambda contrasts: [""] * len(contrasts), name="mine", count=5)
