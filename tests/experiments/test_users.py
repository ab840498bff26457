"""What a simulated user may cost who writes by a server: counted by hand."""

import pytest

from circlet.build.sessions import SessionFilter
from circlet.dialogue.rounds import Rules
from circlet.experiments.sessions import SessionOrder
from circlet.experiments.users import Cost, UserOptions, cost_of

SIX = Rules(rounds=6, shown=10)


@pytest.mark.parametrize(
    ("options", "calls"),
    [
        # A hundred pictures are described; five turns of ten sessions are written, each tried three times.
        (UserOptions(name="captions"), 100 + 10 * 5 * 3),
        (UserOptions(name="instruct"), 100 + 10 * 5),
        # Who knows the scenes asks nobody, unless he compares captions.
        (UserOptions(name="truth"), 0),
        (UserOptions(name="truth", picks="captions"), 100),
        # The target, the first reference and the first result of each round.
        (UserOptions(name="instruct", picks="first"), 10 * (2 + 6) + 10 * 5),
    ],
)
def test_calls_are_those_that_could_be_made(options: UserOptions, calls: int) -> None:
    cost = cost_of(10, 100, options, SIX)
    assert cost.calls == calls
    assert (cost.tokens > 0) == (calls > 0)


def test_a_base_that_asks_and_first_turns_that_are_written_count_too() -> None:
    order = SessionOrder(user=UserOptions(name="captions"), how=SessionFilter())
    assert order.cost(10, 100).calls == 100 + 10 * 5 * 3 + 10 * 6
    assert order.cost(10, 100, begun=False).calls == 100 + 10 * 6 * 3 + 10 * 6
    assert str(Cost(1200, 5)) == "at most 1,200 calls and about 5 tokens to be sent"
