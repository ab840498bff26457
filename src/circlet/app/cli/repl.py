"""A search over several turns in the terminal: one line in, results out."""

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.hits import line as hit_line
from circlet.app.cli.hits import (
    moved_by,
    none,
    nothing,
    reasons,
    show_pictures,
    tell_notes,
    write_results,
)
from circlet.app.cli.terminal import harmless, say
from circlet.collection import Hit, Results
from circlet.collection.question import is_picture
from circlet.core import UsageError
from circlet.dialogue import Move, heard, play
from circlet.dialogue.moves import MoveName

if TYPE_CHECKING:
    from circlet.collection import Collection, SearchOptions
    from circlet.dialogue import Session

HELP = """\
  a beach at night      say what you look for, or how it should be different (also: say TEXT)
  beach.jpg at night    begin from a picture of your own
  not people            what must not be seen
  strike at night       leave out something that was said; turn at night asks for the opposite
  also                  keep what was said before the last words, where they were taken instead of it
  instead               forget what was said before the last words, where they were taken beside it
  edit 2 TEXT           word turn 2 anew; drop 2 leaves it out
  like 3                more like result 3 (several numbers may follow; again: taken back)
  dislike 5             less like result 5, and never that one again
  pick 2 [TEXT]         go on from result 2, with or without new words
  why 2                 which parts of what was said hold in result 2
  more                  the next results
  undo                  take the last turn back
  back to 1             go back to how it was after turn 1; the later turns stay on their branch
  branch NAME           try something else from here; switch NAME goes back (main is the first)
  history               the turns so far
  save FILE, load FILE  keep the session as readable JSON, and take it up again
  sheet FILE            draw a contact sheet of what is shown, as .png or .html
  quit"""


class Repl:
    """The state of one conversation: the session, and what is on the screen with its numbers."""

    def __init__(
        self, collection: "Collection", session: "Session", options: "SearchOptions", *, pictures: bool
    ) -> None:
        self.collection = collection
        self.session = session
        self.options = options
        self.pictures = pictures
        self.shown: dict[int, Hit] = {}
        self.pages: list[Results] = []
        self.over = False

    def hear(self, line: str) -> None:
        """Do what one line says; what cannot be done is a UsageError that says why."""
        line = line.strip()
        if usage := _USAGES.get(line.lower()):
            raise UsageError(f"{line} what? Write {usage}; to search for the word itself, say {line}")
        for pattern, do in _COMMANDS:
            if match := re.fullmatch(pattern, line, re.IGNORECASE | re.DOTALL):
                do(self, *(group or "" for group in match.groups()))
                return
        if line:
            self.say(line)

    def look(self) -> None:
        """Show the results of where the session stands, from the first."""
        self.shown, self.pages = {}, []
        if self.session.turns:
            self._page(self.session.results)
        else:
            click.echo("nothing asked yet")

    def _page(self, results: Results) -> None:
        self.pages.append(results)
        self.shown |= {hit.rank: hit for hit in results}
        tell_notes(results)
        if not results.hits:
            click.echo(none(results))
        elif not results.matched:
            click.echo(f"{nothing(results)}; these are the nearest")
        for hit in results:
            click.echo(hit_line(hit))
        if self.pictures:
            show_pictures(self.collection, results)
        if len(self.pages) == 1 and results.hits:
            self._suggest()

    def _suggest(self) -> None:
        """What the last turn changed, and what could be said next, a line each where there is something."""
        if moved := moved_by(self.collection, self.session, self.options):
            click.echo(moved)
        for one in self.collection.suggestions(self.session.query, self.options):
            lead = (
                "what you chose shows, and the rest lacks"
                if one.kind == "shared"
                else "to tell these apart, say"
            )
            click.echo(f"{lead}: {one.words}")

    def _play(self, name: MoveName, **needs: Any) -> None:
        """Make a move and show where it leads; one that cannot be searched is not made."""
        session = play(self.session, Move(name=name, **needs))
        if session.turns:
            _ = session.results
        self.session = session
        self.look()

    def _ids(self, numbers: str) -> tuple[str, ...]:
        chosen = [int(number) for number in re.findall(r"\d+", numbers)]
        for number in chosen:
            if number not in self.shown:
                there = f"1 to {len(self.shown)}" if self.shown else "none yet: say something first"
                raise UsageError(f"there is no result {number}; there are {there}")
        return tuple(self.shown[number].path for number in chosen)

    def say(self, text: str) -> None:
        words: list[str] = []
        pictures: list[str] = []
        try:
            parts = shlex.split(text)
        except ValueError:
            parts = text.split()
        for part in parts:
            (pictures if is_picture(part) else words).append(part)
        brought = tuple(self.collection.bring(Path(picture)) for picture in pictures)
        self._play("say", text=" ".join(words) if pictures else text, pictures=brought)
        if self.session.turns[-1].instead:
            click.echo("taken instead of what was said before; also keeps both")

    def without(self, thing: str) -> None:
        self._play("say", without=(thing.strip(),))

    def strike(self, words: str) -> None:
        self._play("strike", text=words)

    def turn(self, words: str) -> None:
        """Turns round what was heard; other words, as in "turn it blue", are said."""
        if any(one.named(words) for one in heard(self.session.turns)):
            self._play("turn", text=words)
        else:
            self.say(f"turn {words}")

    def edit(self, turn: str, text: str) -> None:
        self._play("edit", turn=int(turn), text=text)

    def drop(self, turn: str) -> None:
        self._play("drop", turn=int(turn))

    def also(self) -> None:
        self._play("also")

    def instead(self) -> None:
        self._play("instead")

    def like(self, numbers: str) -> None:
        self._play("like", pictures=self._ids(numbers))

    def dislike(self, numbers: str) -> None:
        self._play("dislike", pictures=self._ids(numbers))

    def pick(self, number: str, text: str) -> None:
        self._play("pick", pictures=self._ids(number), text=text)

    def more(self) -> None:
        if not self.pages:
            raise UsageError("there is nothing to see more of: say something first")
        if not self.pages[-1].more:
            raise UsageError("these were all the results")
        self._page(self.collection.find(self.session.query, self.options, start=len(self.shown)))

    def why(self, number: str) -> None:
        (id,) = self._ids(number)
        (checks,) = self.collection.checks(self.session.query, [id], self.options)
        click.echo(hit_line(self.shown[int(number)]))
        click.echo(
            reasons(checks) if checks else "     only pictures were liked or turned down: no words to check"
        )
        if checks and (untrained := self.collection.untrained(self.options)):
            say(click.style(untrained, dim=True))

    def undo(self) -> None:
        self._play("undo")

    def back(self, turn: str) -> None:
        before = self.session.current
        self._play("back", turn=int(turn))
        if self.session.current != before:
            now = f"on branch {self.session.current}; switch {before} goes back to the later turns"
            click.echo(harmless(now))

    def branch(self, name: str) -> None:
        self.session = play(self.session, Move(name="branch", path=name))
        click.echo(f"on branch {name}")

    def switch(self, name: str) -> None:
        self._play("switch", path=name)

    def history(self) -> None:
        for number, turn in enumerate(self.session.history, start=1):
            click.echo(harmless(f"{number:>3}  {turn}"))
        branches = (f"[{name}]" if name == self.session.current else name for name in self.session.branches)
        click.echo(harmless(f"branches: {' '.join(branches)}"))

    def save(self, file: str) -> None:
        self.session.save(Path(_unquoted(file)).expanduser())
        click.echo(f"saved {_unquoted(file)}")

    def load(self, file: str) -> None:
        session = self.collection.session(Path(_unquoted(file)).expanduser(), self.options)
        if session.turns:
            _ = session.results
        self.session = session
        self.look()

    def sheet(self, file: str) -> None:
        if not self.pages:
            raise UsageError("there is nothing to draw: say something first")
        seen = replace(self.pages[0], hits=tuple(self.shown.values()))
        write_results(self.collection, (seen,), Path(_unquoted(file)).expanduser())

    def help(self) -> None:
        click.echo(HELP)

    def quit(self) -> None:
        self.over = True


def _unquoted(file: str) -> str:
    try:
        parts = shlex.split(file)
    except ValueError:
        parts = [file]  # an apostrophe in the name
    if len(parts) != 1:
        raise UsageError(f'one file, please; put quotes around a name with spaces: "{file}"')
    return parts[0]


# Words that mean nothing alone; taken for a search they would bury what the person was doing.
_USAGES = {
    "say": "say at night",
    "not": "not people",
    "strike": "strike at night",
    "turn": "turn at night",
    "edit": "edit 2 at night",
    "drop": "drop 2",
    "like": "like 3",
    "dislike": "dislike 5",
    "pick": "pick 2",
    "why": "why 2",
    "back": "back to 1",
    "back to": "back to 1",
    "branch": "branch NAME",
    "switch": "switch NAME",
    "save": "save FILE",
    "load": "load FILE",
    "sheet": "sheet FILE",
}
_COMMANDS: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"say\s+(.+)", Repl.say),
    (r"not\s+(.+)", Repl.without),
    (r"strike\s+(.+)", Repl.strike),
    (r"turn\s+(.+)", Repl.turn),
    (r"edit\s+(\d+)\s+(.+)", Repl.edit),
    (r"drop\s+(\d+)", Repl.drop),
    (r"also", Repl.also),
    (r"instead", Repl.instead),
    (r"like\s+(\d[\d\s,]*)", Repl.like),
    (r"dislike\s+(\d[\d\s,]*)", Repl.dislike),
    (r"pick\s+(\d+)(?:\s+(.+))?", Repl.pick),
    (r"why\s+(\d+)", Repl.why),
    (r"more", Repl.more),
    (r"undo", Repl.undo),
    (r"back(?:\s+to)?\s+(\d+)", Repl.back),
    (r"branch\s+(\S+)", Repl.branch),
    (r"switch\s+(\S+)", Repl.switch),
    (r"history", Repl.history),
    (r"save\s+(.+)", Repl.save),
    (r"load\s+(.+)", Repl.load),
    (r"sheet\s+(.+)", Repl.sheet),
    (r"help|\?", Repl.help),
    (r"quit|exit", Repl.quit),
)
