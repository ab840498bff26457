"""Runs on disk: circlet JSONL, TREC, and what the test servers take."""
