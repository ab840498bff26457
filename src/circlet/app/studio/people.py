"""Who is asking: the guard of the page, with a link of their own for each person."""

from starlette.requests import Request
from starlette.responses import Response

from circlet.app.http.security import VISITOR, Guard, cookie_of, give_cookie, same, signed
from circlet.studio.store import Store


class PeopleGuard(Guard):
    """The same guard for several people: a person's token lets in that person, the owner's the owner.

    >>> from circlet.app.http.config import ServerConfig
    >>> guard = PeopleGuard(None, ServerConfig(token="a word of sixteen"), b"secret")
    >>> guard.recognise(token_of(b"secret", "3f9a0c11")), guard.recognise("3f9a0c11-wrong")
    ('3f9a0c11', None)
    """

    kind = "studio"

    def recognise(self, token: str) -> str | None:
        """Whose token this is, the owner being ""."""
        person = token.partition("-")[0]
        known = super().recognise(token)
        return person if known is None and same(token, token_of(self.secret, person)) else known

    def visitor_of(self, cookie: str) -> str | None:
        """Whom this server gave a cookie."""
        person = cookie.partition("-")[0]
        known = super().visitor_of(cookie)
        return person if known is None and same(cookie, self.pass_of(person)) else known

    def pass_of(self, visitor: str) -> str:
        """What the cookie of a visitor holds."""
        proof = super().pass_of(visitor)
        return f"{visitor}-{proof}" if visitor else proof


def token_of(secret: bytes, person: str) -> str:
    """The token in a person's link; it can be told again, and is kept nowhere.

    >>> token_of(b"secret", "3f9a0c11").startswith("3f9a0c11-")
    True
    """
    return f"{person}-{signed(secret, f'studio person {person}')[:32]}"


class Visitors:
    """Persons behind requests: by their own link, or by a cookie for who came in as the owner."""

    def __init__(self, store: Store, secret: bytes, port: int) -> None:
        self.store = store
        self.secret = secret
        self.cookie = f"circlet-studio-{port}"

    def owner(self, request: Request) -> bool:
        """Whether this is the owner: with the owner's token, or at a machine that asks for none."""
        return request.scope.get(VISITOR, "") == ""

    def person(self, request: Request) -> str:
        """The person who asks, or nothing for who has not begun yet."""
        by_link = str(request.scope.get(VISITOR, ""))
        if by_link:
            return self.store.person(by_link) if not self.store.knows(by_link) else by_link
        kept = cookie_of(request.headers, self.cookie)
        person = kept.partition("-")[0]
        known = bool(person) and same(kept, token_of(self.secret, person)) and self.store.knows(person)
        return person if known else ""

    def begin(self, answer: Response) -> str:
        """A new person, known by a cookie from now on."""
        person = self.store.person()
        give_cookie(answer, self.cookie, token_of(self.secret, person))
        return person
