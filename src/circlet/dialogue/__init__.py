"""Sessions over turns: the moves, how turns join, and why a picture was found."""

from circlet.dialogue.belief import Belief
from circlet.dialogue.conversation import Conversation
from circlet.dialogue.explain import Contribution, Explanation, explain
from circlet.dialogue.feedback import Feedback
from circlet.dialogue.heard import Heard, heard
from circlet.dialogue.histories import DEFAULT_HISTORY, HISTORIES, with_history
from circlet.dialogue.history import Average, History, Latest, Weighted
from circlet.dialogue.moves import MOVE_NAMES, Move, play
from circlet.dialogue.session import Session

__all__ = [
    "DEFAULT_HISTORY",
    "HISTORIES",
    "MOVE_NAMES",
    "Average",
    "Belief",
    "Contribution",
    "Conversation",
    "Explanation",
    "Feedback",
    "Heard",
    "History",
    "Latest",
    "Move",
    "Session",
    "Weighted",
    "explain",
    "heard",
    "play",
    "with_history",
]
