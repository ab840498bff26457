"""Things that are let go of: `with` closes what is open."""

from typing import Self


class Closing:
    """Something with a `close`, which leaving a `with` calls.

    >>> class Door(Closing):
    ...     def close(self) -> None:
    ...         print("closed")
    >>> with Door():
    ...     pass
    closed
    """

    def close(self) -> None:
        """Let go of what is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
