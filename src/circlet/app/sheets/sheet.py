"""What a contact sheet shows, and writing it in the form its name asks for."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from circlet.collection import Results
from circlet.core import CircletError, StoreError, Turn, UsageError
from circlet.core.files import replacing

if TYPE_CHECKING:
    from PIL.Image import Image

FORMS = (".png", ".html", ".htm")


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The turns with what each found (the last one in full), and how to get a picture by id.

    A search has one step; a session may show every turn with its own results. `place` says where a
    picture is, for whoever may see the sheet; what was chosen by hand is not `ranked`.
    """

    steps: tuple[Results, ...]
    thumbnail: "Callable[[str, int], Image]"
    title: str = "circlet"
    note: str = ""
    place: Callable[[str], str] = str
    ranked: bool = True

    def picture(self, id: str, side: int) -> "Image | None":
        """A picture no larger than `side`, or None where it cannot be opened any more."""
        try:
            return self.thumbnail(id, side)
        except CircletError:
            return None

    @property
    def stages(self) -> list[tuple[int, Turn, Results | None]]:
        """Every turn of the last query with its number, and its results where a step has them."""
        by_turn = {len(step.query.turns): step for step in self.steps}
        turns = self.steps[-1].query.turns
        return [(number, turn, by_turn.get(number)) for number, turn in enumerate(turns, start=1)]


def write_sheet(sheet: Sheet, path: Path) -> None:
    """Draw the sheet as a `.png`, or write it as a `.html` page that needs no other file."""
    if path.suffix.lower() not in FORMS:
        raise UsageError(f"{path}: a contact sheet is a .png or a .html file; name it so")
    if path.suffix.lower() != ".png":
        from circlet.app.sheets.page import page

        content = page(sheet).encode("utf-8", "replace")
    else:
        from circlet.app.sheets.drawing import draw

        content = draw(sheet)
    try:
        with replacing(path) as half:
            half.write_bytes(content)
    except OSError as error:
        raise StoreError(
            f"{path}: the sheet cannot be written there ({error.strerror}); name another place"
        ) from None
