"""The embedded store: one folder with a SQLite catalogue and append-only vector files."""
