"""Measures, runs, comparison, reports."""
