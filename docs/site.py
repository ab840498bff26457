"""What the site's pages are filled with: the commands' own help, the rooms' own docstrings.

mkdocs calls `on_page_markdown`; griffe, which reads the source for the reference, calls `Doctests`.
"""

import inspect
import re
from importlib import import_module
from typing import Any

import click
import griffe

_DOOR = re.compile(r"^\{\{ door (\S+) \}\}$", re.MULTILINE)


def on_page_markdown(markdown: str, **given: Any) -> str:
    """Put in place of `{{ commands }}` every command's help, of `{{ door ROOM }}` what the room shows."""
    if "{{ commands }}" in markdown:
        markdown = markdown.replace("{{ commands }}", "\n".join(_commands()))
    return _DOOR.sub(lambda found: "\n".join(_shown(found[1])), markdown)


def _shown(room: str) -> list[str]:
    """A line of mkdocstrings for each class and function of a door; constants stand in its text."""
    door = import_module(room)
    named = ((name, getattr(door, name)) for name in door.__all__)
    return [
        f"\n::: {thing.__module__}.{thing.__qualname__}\n"
        for _, thing in named
        if inspect.isclass(thing) or inspect.isfunction(thing)
    ]


def _commands() -> list[str]:
    from circlet.app.cli.main import cli

    return [line for name, command in _walk("circlet", cli) for line in _help(name, command)]


def _walk(name: str, command: click.Command) -> "list[tuple[str, click.Command]]":
    found = [(name, command)]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for child in command.list_commands(context):
            below = command.get_command(context, child)
            assert below is not None, f"{name} {child}"
            found += _walk(f"{name} {child}", below)
    return found


def _help(name: str, command: click.Command) -> list[str]:
    context = click.Context(command, info_name=name, max_content_width=100, terminal_width=100)
    return ["", f"## {name}", "```text", command.get_help(context), "```"]


class Doctests(griffe.Extension):
    """Examples in docstrings become blocks of Python; without it Markdown takes `>>>` for a quotation."""

    def on_instance(self, *, obj: griffe.Object, **given: Any) -> None:
        """Called for every module, class, function and attribute that is read."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with each run of lines from `>>>` to the next empty one inside a fence.

    >>> fenced("One.\\n\\n>>> 1 + 1  # doctest: +SKIP\\n2").splitlines()
    ['One.', '', '```pycon', '>>> 1 + 1', '2', '```']
    """
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith(">>>") and not inside:
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(re.sub(r"\s*# doctest: \+\w+$", "", line) if inside else line)
    return "\n".join([*lines, "```"] if inside else lines)
