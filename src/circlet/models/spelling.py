"""Options inside a name, as an address has them: `st:NAME?dim=256`, `joint?instruction=Find this dress`."""

from collections.abc import Iterable
from urllib.parse import parse_qsl, quote

from circlet.core.errors import UsageError


def options_in(name: str, known: Iterable[str]) -> tuple[str, dict[str, str]]:
    """A name and the options that stand behind its question mark; one that is not known is an error.

    >>> options_in("st:owner/model?dim=256", ["dim"])
    ('st:owner/model', {'dim': '256'})
    """
    plain, mark, tail = name.partition("?")
    # A plus stays a plus: whoever writes an instruction does not think of addresses.
    given = dict(parse_qsl(tail.replace("+", "%2B"), keep_blank_values=True))
    if mark and not given:
        raise UsageError(f"{name!r}: options are written as in {plain}?{next(iter(known))}=VALUE")
    if strange := sorted(set(given) - set(known)):
        raise UsageError(f"{plain} has no option {strange[0]}; it has {', '.join(known)}")
    return plain, given


def with_options(name: str, **options: object) -> str:
    """The name with these options behind it; those that it has already are replaced.

    >>> with_options("st:owner/model", dim=256)
    'st:owner/model?dim=256'
    """
    plain, _, tail = name.partition("?")
    given = {**dict(parse_qsl(tail)), **options}
    return f"{plain}?{'&'.join(f'{key}={quote(str(value))}' for key, value in given.items())}"


def whole(text: str, name: str, *, least: int = 1) -> int:
    """The number that an option says.

    >>> whole("256", "dim")
    256
    """
    if text.isascii() and text.isdigit() and int(text) >= least:
        return int(text)
    raise UsageError(f"{name} is a whole number of at least {least}, not {text!r}")
