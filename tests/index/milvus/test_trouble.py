"""What a server says when something is wrong becomes one sentence with the remedy."""

import pytest

from circlet.core import BusyError, StoreError, UsageError
from circlet.index.milvus.trouble import comes_back, told


@pytest.mark.parametrize(
    ("said", "kind", "line"),
    [
        ("auth check failure, please check username", UsageError, "set CIRCLET_STORE_TOKEN"),
        ("write /var/lib: no space left on device", StoreError, "has no room left: give it more disk"),
        ("[deny to write] disk quota exceeded", StoreError, "what was finished before is kept"),
        ("collection not loaded[collection=7]", BusyError, "is still getting ready: try again in a minute"),
        ("<_MultiThreadedRendezvous: Deadline Exceeded>", StoreError, "takes too long to answer"),
        ("failed to connect to all addresses", StoreError, "cannot be reached: see that it runs"),
        ("cannot parse expression", StoreError, "could not do it: cannot parse expression"),
    ],
)
def test_each_trouble_has_its_sentence(said: str, kind: type[Exception], line: str) -> None:
    error = told(Exception(said), "milvus://host:1/name")
    assert type(error) is kind
    assert line in str(error)
    assert "\n" not in str(error)


def test_only_what_may_pass_is_tried_again() -> None:
    assert comes_back(Exception("StatusCode.UNAVAILABLE: connection refused"))
    assert not comes_back(Exception("disk quota exceeded"))
    assert not comes_back(Exception("unauthenticated: service unavailable to you"))
