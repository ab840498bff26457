"""Looking at pictures once and keeping what was seen: people counted, writing read. All of it optional."""
