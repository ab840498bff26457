"""Galleries at rest: the catalogue, the vectors and the search over them."""
