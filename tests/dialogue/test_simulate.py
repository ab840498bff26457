"""Simulated users: how they pick, when they stop, and that they are the same every time."""

from collections import Counter

import pytest

from circlet.core import Query, Turn, UsageError
from circlet.dialogue.simulate import SimulatedUser

SHOWN = tuple("abcdefghij")


def near(wanted: str, shown: "tuple[str, ...]") -> list[float]:
    return [-abs(ord(wanted) - ord(one)) for one in shown]


def user(**options: object) -> SimulatedUser:
    return SimulatedUser(
        likeness=near,  # type: ignore[arg-type]
        tell=lambda contrasts: [f"{one.picked} to {one.wanted}" for one in contrasts],
        **options,  # type: ignore[arg-type]
    )


def asked(number: int = 0, turns: int = 1) -> Query:
    return Query(f"q{number}", tuple(Turn(picture="x", text=f"t{at}") for at in range(turns)))


def test_the_best_is_picked_and_the_difference_said() -> None:
    turn = user().reply(asked(), SHOWN, ("e",))
    assert turn == Turn(picture="e", text="e to e", shown=SHOWN)


def test_of_several_truths_the_nearest_is_meant() -> None:
    turn = user().reply(asked(), ("d", "x"), ("z", "e"))
    assert turn is not None
    assert turn.text == "d to e"


def test_nobody_picks_the_same_picture_twice() -> None:
    before = Query("q", (Turn(picture="e"),))
    turn = user().reply(before, ("a", "e"), ("e",))
    assert turn is not None
    assert turn.picture == "a"


def test_one_of_the_best_three_is_one_of_three_and_the_same_every_time() -> None:
    three = user(picks="three", seed=1)
    picked = [three.reply(asked(number), SHOWN, ("a",)).picture for number in range(60)]  # type: ignore[union-attr]
    assert set(picked) == {"a", "b", "c"}
    assert picked == [three.reply(asked(number), SHOWN, ("a",)).picture for number in range(60)]  # type: ignore[union-attr]
    other = user(picks="three", seed=2)
    assert picked != [other.reply(asked(number), SHOWN, ("a",)).picture for number in range(60)]  # type: ignore[union-attr]


def test_noise_is_so_often_careless() -> None:
    careless = user(noise=0.5)
    picked = Counter(careless.reply(asked(n), SHOWN, ("a",)).picture for n in range(400))  # type: ignore[union-attr]
    # Half of the time the best, and a tenth of the other half: 55 in 100.
    assert 0.45 < picked["a"] / 400 < 0.65


def test_the_first_is_what_paper_001_looks_at() -> None:
    turn = user(picks="first").reply(asked(), SHOWN, ("j",))
    assert turn is not None
    assert turn.picture == "a"


def test_patience_ends() -> None:
    assert user(patience=3).reply(asked(turns=2), SHOWN, ("a",)) is not None
    assert user(patience=3).reply(asked(turns=3), SHOWN, ("a",)) is None


def test_what_a_user_cannot_be() -> None:
    with pytest.raises(UsageError, match="best, three, first"):
        user(picks="worst")
    with pytest.raises(UsageError, match="from 0 to 1, not 2"):
        user(noise=2)
