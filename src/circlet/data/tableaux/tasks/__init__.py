"""Benchmarks drawn from the graphs, one file for each task."""
