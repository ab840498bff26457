"""Words into typed edits: what to add, remove, replace, count, move."""
