"""Composers that learn: one small file for each, and a table that names them without loading torch."""

from circlet.models.learned.table import MODELS, Spec, spec_of

__all__ = ["MODELS", "Spec", "spec_of"]
