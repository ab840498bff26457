"""Losses, samplers, one fit function, checkpoints."""
