"""Which of a few is meant: models that hold a description against all pictures of a set (paper 002)."""
