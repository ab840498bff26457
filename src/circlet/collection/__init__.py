"""A collection of pictures: index it, search it, talk about it. Nothing here prints."""
