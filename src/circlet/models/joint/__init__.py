"""Encoders that learned from pictures with captions: a base, two heads over it, and both mixed."""
