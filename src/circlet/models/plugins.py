"""Methods, scorers and encoders of somebody's own: `package.module:Object`, or an installed entry point."""

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from circlet.core.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

METHODS, ENCODERS = "circlet.methods", "circlet.encoders"
_ADDRESS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


def plugins(group: str) -> list[str]:
    """The names that installed packages have announced in this group."""
    return sorted(_entry_points(group).names)


def _entry_points(group: str) -> "EntryPoints":
    # A search for a built-in method would start 15 ms later for this import.
    from importlib.metadata import entry_points

    return entry_points(group=group)


def is_plugin(name: str, group: str) -> bool:
    """Whether this names an object in a package, or an installed plug-in.

    >>> is_plugin("mine.methods:Mine", METHODS), is_plugin("sum", METHODS)
    (True, False)
    """
    return bool(_ADDRESS.fullmatch(name)) or name in plugins(group)


def load_plugin(name: str, group: str, *arguments: Any, **options: Any) -> Any:
    """What this names: a class or function is called with the arguments, anything else is taken as it is."""
    thing = _imported(name) if ":" in name else _announced(name, group)
    if not callable(thing) or (hasattr(thing, "fingerprint") and not isinstance(thing, type)):
        return thing
    try:
        return thing(*arguments, **options)
    except TypeError as error:
        given = ", ".join([*(type(one).__name__ for one in arguments), *options]) or "nothing"
        raise UsageError(f"{name} cannot be made from {given}: {error}") from error


def _imported(name: str) -> Any:
    module, _, path = name.partition(":")
    # As `python -m` does: a file beside which the command is called counts as a module.
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        thing: Any = import_module(module)
        for part in path.split("."):
            thing = getattr(thing, part)
    except ImportError as error:
        raise UsageError(f"{name}: {error}; install that package, or run where its file lies") from error
    except AttributeError as error:
        raise UsageError(f"{name}: {error}; check the name behind the colon") from error
    return thing


def _announced(name: str, group: str) -> Any:
    try:
        (entry,) = _entry_points(group).select(name=name)
        return entry.load()
    except (ImportError, AttributeError) as error:
        raise UsageError(f"the plug-in {name} cannot be loaded ({error}): install it again") from error
