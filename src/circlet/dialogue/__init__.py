"""Sessions over turns: feedback, history, simulated users."""

from circlet.dialogue.feedback import Feedback
from circlet.dialogue.history import Average, Latest, Weighted
from circlet.dialogue.session import Session, sentence

__all__ = ["Average", "Feedback", "Latest", "Session", "Weighted", "sentence"]
