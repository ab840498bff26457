"""The truthful user: likeness is the grade, and what is said is true, new and in the words of the split."""

from dataclasses import replace

from circlet.core import Query, Turn
from circlet.data.tableaux import Scene, Thing
from circlet.data.tableaux.tasks.grades import likeness
from circlet.data.tableaux.tasks.telling import GraphLikeness, GraphTeller
from circlet.dialogue.simulate import Contrast

BEACH = Scene(setting="beach", things=(Thing(kind="crab", count=2, column="left"),))
NIGHT = replace(BEACH.changed("crab", count=4, column="right"), time="night")
SCENES = {"beach": BEACH, "night": NIGHT, "same": replace(BEACH, jitter=3)}


def test_likeness_is_that_of_the_graphs() -> None:
    near = GraphLikeness(SCENES)("night", ["beach", "night", "same"])
    assert [round(one, 3) for one in near] == [
        likeness(NIGHT, SCENES[id]) for id in ("beach", "night", "same")
    ]


def test_every_need_is_said_once_before_one_is_said_again() -> None:
    teller = GraphTeller(SCENES, "val")
    query = Query("q", (Turn(picture="beach"),))
    said = []
    for number in range(4):
        needs = teller.needs_of(query, "beach", "night", f"draw {number}")
        (text,) = teller([Contrast(query, "beach", "night", f"draw {number}")])
        assert all(need.holds(BEACH, NIGHT) and not need.holds(BEACH, BEACH) for need in needs)
        said += needs
        query = query + Turn(picture="beach", text=text)
    assert {need.about for need in said[:3]} == {"time", "count", "column"}
    assert said[3] in said[:3]


def test_the_same_draw_says_the_same_and_nothing_where_nothing_differs() -> None:
    query = Query("q", (Turn(picture="beach"),))
    contrasts = [Contrast(query, "beach", "night", "1"), Contrast(query, "same", "beach", "1")]
    first, second = (
        GraphTeller(SCENES, "val", needs=3)(contrasts),
        GraphTeller(SCENES, "val", needs=3)(contrasts),
    )
    assert first == second
    assert first[0]
    assert first[1] == ""


def test_what_the_first_turn_said_is_known() -> None:
    teller = GraphTeller(SCENES, "val")
    query = Query("q", (Turn(picture="beach", text="at night"),))
    teller.heard(query, [{"about": "time", "value": "night"}])
    for draw in "abcdef":
        assert teller.needs_of(query, "beach", "night", draw)[0].about != "time"
