"""Words into typed edits: what to add, remove, replace, count, move."""

from circlet.language.aspects import Aspect, aspects
from circlet.language.edits import KINDS, Edit
from circlet.language.intent import Intent, understand
from circlet.language.merge import merge
from circlet.language.parse import parse_edit
from circlet.language.phrases import phrases

__all__ = ["KINDS", "Aspect", "Edit", "Intent", "aspects", "merge", "parse_edit", "phrases", "understand"]
