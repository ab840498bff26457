"""The Model Context Protocol over standard input and output: nothing listens on any network."""

from collections.abc import Callable
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ToolError

from circlet import __version__
from circlet.app.mcp.guide import Guide, Said
from circlet.core import CircletError

INSTRUCTIONS = (
    "Finds pictures in a folder of the user's own by words, by one of its pictures, or by both: 'like this, "
    "but at night'. Begin with search; refine goes on with its results by their numbers; show gives one of "
    "them larger; explain says which parts of the wish hold in it."
)


def create_server(guide: Guide) -> Any:
    """A server with the four tools of a guide: `create_server(Guide(collection)).run("stdio")`."""
    server = MCPServer("circlet", instructions=INSTRUCTIONS, version=__version__)

    def search(
        words: str = "", picture: str = "", without: list[str] | None = None, top: int = 8
    ) -> list[Any]:
        """Find pictures.

        words: what to look for, or how the picture should be different ("at night, two of them").
        picture: the path of an indexed picture to begin from, as results name it.
        without: things that must not be seen. top: how many results, 20 at most.
        """
        return told(guide.search, words, picture, without or (), top)

    def refine(
        words: str = "",
        like: list[int] | None = None,
        dislike: list[int] | None = None,
        pick: int = 0,
        without: list[str] | None = None,
        undo: bool = False,
    ) -> list[Any]:
        """Go on with the last results, which are named by their numbers.

        words: what should be different. like, dislike: more or less like these. pick: go on from this one.
        without: things that must not be seen. undo: take the last turn back first.
        """
        return told(guide.refine, words, like or (), dislike or (), pick, without or (), undo)

    def show(number: int) -> list[Any]:
        """Show one of the last results larger, by its number."""
        return told(guide.show, number)

    def explain(number: int) -> list[Any]:
        """Say why one of the last results was found: which parts of what was asked hold in it."""
        return told(guide.explain, number)

    for tool in (search, refine, show, explain):
        server.add_tool(tool, structured_output=False)
    return server


def told(ask: Callable[..., Said], *given: Any) -> list[Any]:
    """A tool's answer as the protocol has it; what cannot be done is said in one sentence."""
    try:
        said = ask(*given)
    except CircletError as error:
        raise ToolError(str(error)) from None
    return [said.text, *(Image(data=one, format="jpeg") for one in said.pictures)]
