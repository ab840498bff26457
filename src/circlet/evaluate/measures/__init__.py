"""Measures as values: a repr that is the constructor, one small file for each family."""
