"""The judge: what a rule tells of a session is checked by hand, and a model is held to five scores."""

from dataclasses import replace

import numpy as np
import pytest

from circlet.build.sessions.judging import SCORES, by_model, by_rule, concatenated, read_scores, table
from circlet.core import Benchmark, Case, Query, ServiceError, Turn
from circlet.data.tableaux import Scene, Thing
from circlet.data.tableaux.tasks.grades import likeness
from circlet.testing import ToyEncoder

CRABS = Scene(setting="beach", things=(Thing(kind="crab", count=3, column="left"),), time="night")
SCENES = {
    "target": CRABS,
    "far": replace(CRABS.changed("crab", count=1, column="right"), time="day"),
    "near": CRABS.changed("crab", count=2),
}
TIME, COUNT = {"about": "time", "value": "night"}, {"about": "count", "kind": "crab", "count": 3}


def session(*turns: Turn, asked: "list | None" = None) -> Case:
    return Case(query=Query("s", turns), truths=("target",), notes={"asked": asked} if asked else {})


def scored(case: Case) -> dict[str, float]:
    return dict(by_rule(SCENES, ToyEncoder().texts)([case])[0].scores)


def test_progress_is_the_share_of_the_way_that_was_come() -> None:
    case = session(Turn(picture="far", text="night"), Turn(picture="near", text="red"))
    far, near = (likeness(CRABS, SCENES[id]) for id in ("far", "near"))
    assert scored(case)["progress"] == pytest.approx(1 + 4 * (near - far) / (1 - far))
    back = session(Turn(picture="near", text="night"), Turn(picture="far", text="red"))
    assert scored(back)["progress"] == 1


def test_what_is_said_twice_is_redundant() -> None:
    apart = session(Turn(picture="far", text="night"), Turn(picture="near", text="red"))
    twice = session(Turn(picture="far", text="night"), Turn(picture="near", text="at night"))
    half = session(Turn(picture="far", text="night"), Turn(picture="near", text="night red"))
    told = [scored(case)["redundancy"] for case in (apart, half, twice)]
    # Cosines of 0, 1/√2 and 1: nothing, partly, and wholly the same.
    assert told == pytest.approx([5, 5 - 8 * (2**-0.5 - 0.5), 1])


def test_what_is_untrue_of_the_target_does_not_hang_together() -> None:
    wrong = {"about": "count", "kind": "crab", "count": 5}
    turns = (Turn(picture="far", text="night"), Turn(picture="near", text="red"))
    assert scored(session(*turns, asked=[[TIME], [COUNT]]))["coherence"] == 5
    assert scored(session(*turns, asked=[[TIME], [wrong]]))["coherence"] == 3
    told = scored(session(*turns))
    assert np.isnan(told["coherence"])
    assert np.isnan(told["natural"])
    assert told["overall"] == pytest.approx((told["progress"] + told["redundancy"]) / 2)


GOOD = '{"natural": 4, "coherence": 5, "progress": 3, "redundancy": 5, "overall": 4}'


def test_a_model_sees_the_whole_session_and_is_asked_again_for_nonsense() -> None:
    asked = []
    answers = ["I like it", '{"natural": 9}', f"```json\n{GOOD}\n```"]

    def ask(prompt: str, *pictures: object) -> str:
        asked.append((prompt, pictures))
        return answers.pop(0)

    judge = by_model(ask, lambda id: f"<{id}>")
    case = session(Turn(picture="far", text="at night"), Turn(picture="near", text="three"))
    (told,) = judge([case])
    assert (told.scores["progress"], told.turns) == (3, 2)
    assert {pictures for _, pictures in asked} == {("<far>", "<near>", "<target>")}
    assert len({prompt for prompt, _ in asked}) == 3, "an answer that is kept is not given again"
    assert 'Turn 2: "three"' in asked[0][0]
    answers[:] = ["no"] * 9
    with pytest.raises(ServiceError, match="session s: 3 answers without five scores"):
        judge([case])
    assert len(answers) == 6


@pytest.mark.parametrize("answer", ["", "[1, 2]", "{", '{"natural": "4"}', GOOD.replace("5", "6")])
def test_nonsense_is_no_score(answer: str) -> None:
    assert read_scores(answer) is None


def test_single_queries_are_put_together_where_one_leads_on() -> None:
    def single(id: str, reference: str, target: str) -> Case:
        turn = Turn(picture=reference, text=f"to {target}")
        return Case(query=Query(id, (turn,)), truths=(target,), notes={"needs": [TIME]})

    cases = (single("1", "a", "b"), single("2", "b", "c"), single("3", "c", "a"), single("4", "x", "y"))
    bench = Benchmark(name="toy", split="val", galleries={}, cases=cases)
    made = concatenated(bench, 10)
    assert [turn.text for turn in made.cases[0].query.turns] == ["to b", "to c"]
    assert made.cases[0].truths == ("c",)
    assert made.cases[0].notes["asked"] == [[TIME], [TIME]]
    assert {case.id for case in made.cases} == {"concat-1", "concat-2", "concat-3"}


def test_the_table_has_a_row_for_each_source() -> None:
    case = session(Turn(picture="far", text="night"), Turn(picture="near", text="red"))
    rows = table({"mine": by_rule(SCENES, ToyEncoder().texts)([case]), "none": []})
    assert rows[0] == ["source", "N", "turns", *SCORES]
    assert rows[1][:4] == ["mine", "1", "2.00", "–"]
    assert rows[2][1:] == ["0", "–", *["–"] * 5]
