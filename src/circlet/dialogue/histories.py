"""Every way in which the turns of a history join, by name: the same for searching and for measuring."""

from collections.abc import Callable

from circlet.core import Composer, Method, UsageError
from circlet.dialogue.belief import Belief
from circlet.dialogue.conversation import Conversation
from circlet.dialogue.feedback import Feedback
from circlet.dialogue.history import Average, History, Latest, Weighted

# What a search over several turns uses unless told otherwise.
DEFAULT_HISTORY = "belief"

# name: (what joins, one line for lists and help)
HISTORIES: dict[str, tuple[Callable[[Composer], Method], str]] = {
    "latest": (Latest, "the last turn speaks alone"),
    "average": (Average, "every turn weighs the same"),
    "weighted": (Weighted, "later turns weigh more"),
    "feedback": (Feedback, "what was chosen, turned down and said moves the query: paper 003, equation 9"),
    "conversation": (Conversation, "feedback for pictures, the method's own joining for words"),
    "belief": (Belief, "what was picked and said is evidence about every candidate"),
}


def with_history(method: Method, name: str = DEFAULT_HISTORY) -> Method:
    """The method over whole histories: every composer in it joins turns in the way of this name.

    A composer that is a history already stays as it is, and so does a method that is made of no
    composer: it hears all turns by itself.

    >>> from circlet.testing import ToyEncoder
    >>> from circlet.models import Sum
    >>> with_history(Sum(ToyEncoder()) % 100, "average")
    Average(Sum(ToyEncoder(), balance=0.3, push=0.5)) % 100
    """
    if name not in HISTORIES:
        raise UsageError(f"no history {name!r}: pick one of {', '.join(HISTORIES)}")
    make, _ = HISTORIES[name]
    if make is Latest:
        # A composer by itself hears the last turn.
        return method

    def wrap(composer: Composer) -> Method:
        return composer if isinstance(composer, History) else make(composer)

    return method.over(wrap)
