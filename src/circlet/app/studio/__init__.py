"""The studio's pages; everything here is loaded by `circlet studio` alone."""
