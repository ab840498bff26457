"""Scenes as graphs: what there is, where it may stand, what a text asks of it and how it says so."""
