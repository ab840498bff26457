"""What goes wrong between circlet and a Milvus server, as one sentence with the remedy."""

from circlet.core import BusyError, CircletError, StoreError, UsageError

# What a server says that is up and not ready: it was just started, or has not taken up a collection yet.
_NOT_READY = (
    "not ready", "channel not available", "no available shard", "not loaded", "not fully loaded",
    "initializing", "node not found", "service unavailable", "not healthy", "shard delegator",
    "node offline", "on recovering", "channel checkpoint", "out of date",
    # One that its maker is not done with yet.
    "index not found", "no vector index", "index not exist",
)  # fmt: skip
_LOST = ("unavailable", "failed to connect", "connection refused", "fail connecting", "reset", "socket")
_SLOW = ("deadline exceeded", "timeout", "timed out")
_FULL = ("no space left", "disk quota", "diskquota", "quota exceeded", "memory quota", "deny to write")
_SHUT = ("unauthenticated", "auth check failure", "permission", "credential", "privilege")


def comes_back(error: Exception) -> bool:
    """Whether the same request may well succeed a little later.

    >>> comes_back(Exception("channel not available")), comes_back(Exception("cannot parse expression"))
    (True, False)
    """
    said = str(error).lower()
    return any(words in said for words in (*_NOT_READY, *_LOST)) and not any(words in said for words in _SHUT)


def told(error: Exception, place: str) -> CircletError:
    """The error for a person.

    >>> print(told(Exception("<MilvusException: failed to connect to all addresses>"), "milvus://host:1/x"))
    the Milvus server of milvus://host:1/x cannot be reached: see that it runs and that the address is right
    """
    said = " ".join(str(error).lower().split())
    if any(words in said for words in _SHUT):
        return UsageError(
            f"{place}: the server does not let you in: set CIRCLET_STORE_TOKEN to a token or user:password"
        )
    if any(words in said for words in _FULL):
        return StoreError(
            f"the Milvus server of {place} has no room left: give it more disk or memory and run the command "
            "again (what was finished before is kept)"
        )
    if any(words in said for words in _NOT_READY):
        return BusyError(f"the Milvus server of {place} is still getting ready: try again in a minute")
    if any(words in said for words in _SLOW):
        return StoreError(
            f"the Milvus server of {place} takes too long to answer: try again, or give it more processors"
        )
    if any(words in said for words in _LOST):
        return StoreError(
            f"the Milvus server of {place} cannot be reached: see that it runs and that the address is right"
        )
    return StoreError(f"the Milvus server of {place} could not do it: {said[:300]}")
