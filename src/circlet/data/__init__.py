"""Benchmark readers, the tableaux world, dataset builders."""

from circlet.data.jsonl import read_benchmark, write_benchmark
from circlet.data.load import load_benchmark

__all__ = ["load_benchmark", "read_benchmark", "write_benchmark"]
