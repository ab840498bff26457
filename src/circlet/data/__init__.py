"""Benchmark readers, the tableaux world, dataset builders."""
