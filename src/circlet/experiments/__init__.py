"""The tables and claims of the papers, and the bench that measures methods on a benchmark."""
