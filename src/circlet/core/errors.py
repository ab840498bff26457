"""The one tree of exceptions: every message names the thing, the cause and the remedy."""


class CircletError(Exception):
    """The root of everything circlet raises on purpose; `str(error)` is one line for a person.

    >>> try:
    ...     raise UsageError("unknown method 'sun': pick one of sum, slerp, text")
    ... except CircletError as error:
    ...     print(error.exit_code, error)
    2 unknown method 'sun': pick one of sum, slerp, text
    """

    exit_code = 1


class UsageError(CircletError):
    """An option, an argument or a query that cannot be meant: the caller has to change it."""

    exit_code = 2


class PictureError(CircletError):
    """A picture that cannot be opened: which file, and why."""


class UnreadableError(PictureError):
    """A file that the system would not read this time; there may be nothing wrong with it."""


class StoreError(CircletError):
    """An index that cannot be read or written: damaged, from another version, on a full disk."""


class BusyError(StoreError):
    """Another process is writing to this index."""


class MismatchError(CircletError):
    """Vectors of one encoder met those of another; mixing them would give wrong answers."""


class DataError(CircletError):
    """A benchmark, run or annotation file that does not say what it should."""


class WeightsError(CircletError):
    """Model weights that are missing, damaged or unsafe to load."""


class ServiceError(CircletError):
    """A server that circlet was told to use did not answer as it should."""
