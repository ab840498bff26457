"""How a Milvus store's address is written, and that what opens it is never told."""

import pytest

from circlet.core import UsageError
from circlet.index.milvus.address import Address


def test_a_token_comes_from_the_address_or_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIRCLET_STORE_TOKEN", "from outside")
    assert Address.of("milvus://host/name").token == "from outside"
    assert Address.of("milvus://my%3Aword@host/name").token == "my:word"
    where = Address.of("milvus+tls://me:secret@host:1234/name?ca=/etc/ca.pem")
    assert (where.token, where.uri, where.certificates) == ("me:secret", "https://host:1234", "/etc/ca.pem")
    assert "secret" not in f"{where} {where!r}"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("milvus://host:99999/name", "the port is no number"),
        ("milvus://me:secret@host/", "says no store"),
        ("milvus:///name", "says no server"),
        ("milvus://me:secret@host/a-b", "a store's name is letters"),
        ("milvus://host/name?tls=1", "unknown option 'tls': there is ca"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_an_example(written: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as error:
        Address.of(written)
    assert "secret" not in str(error.value)
