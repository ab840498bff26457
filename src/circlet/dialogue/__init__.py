"""Sessions over turns: feedback, history, simulated users."""

from circlet.dialogue.conversation import Conversation
from circlet.dialogue.explain import Contribution, explain
from circlet.dialogue.feedback import Feedback
from circlet.dialogue.history import Average, Latest, Weighted
from circlet.dialogue.session import Session, sentence

__all__ = [
    "Average",
    "Contribution",
    "Conversation",
    "Feedback",
    "Latest",
    "Session",
    "Weighted",
    "explain",
    "sentence",
]
