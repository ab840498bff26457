"""A contact sheet as a PNG, drawn with Pillow."""

import io
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from circlet.app.sheets.fonts import fit, width, write
from circlet.app.sheets.sheet import Sheet
from circlet.collection import Hit, Results
from circlet.core import Turn
from circlet.images.files import shown

PAPER, CARD, INK, SOFT, LINE = "#f6f3ee", "#ffffff", "#26221d", "#877f74", "#e4ded4"
ACCENT, GOOD, BAD = "#c2542d", "#3d7d4a", "#a33a3a"
WIDE, MARGIN, GAP = 1280, 40, 18
COLUMNS, STRIP = 5, 8
REFERENCE = 112


@dataclass(frozen=True)
class _Cell:
    """The size of one picture's card: the picture's side, and the room below it for words."""

    side: int
    caption: int

    @property
    def height(self) -> int:
        return self.side + self.caption


def _cell(columns: int, caption: int) -> _Cell:
    return _Cell((WIDE - 2 * MARGIN - (columns - 1) * GAP) // columns, caption)


def draw(sheet: Sheet) -> bytes:
    """The sheet as the bytes of a PNG file; the same sheet gives the same bytes."""
    canvas = _Canvas(sheet)
    canvas.heading()
    for number, turn, results in sheet.stages:
        canvas.turn(number, turn)
        if results is not None and results is not sheet.steps[-1]:
            canvas.strip(results)
    canvas.grid(sheet.steps[-1])
    canvas.footing()
    return canvas.png()


class _Canvas:
    """A sheet of fixed width that grows downwards as things are put on it."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.image = Image.new("RGB", (WIDE, 4096), PAPER)
        self.pen = ImageDraw.Draw(self.image)
        self.y = MARGIN

    def room(self, height: int) -> None:
        """Make sure that this much more fits."""
        if self.y + height + MARGIN > self.image.height:
            taller = Image.new("RGB", (WIDE, self.image.height * 2 + height), PAPER)
            taller.paste(self.image)
            self.image, self.pen = taller, ImageDraw.Draw(taller)

    def png(self) -> bytes:
        out = io.BytesIO()
        self.image.crop((0, 0, WIDE, self.y + MARGIN)).save(out, "PNG", optimize=False)
        return out.getvalue()

    def heading(self) -> None:
        write(self.pen, (MARGIN, self.y + 14), self.sheet.title, 30, INK, bold=True)
        self.y += 60

    def footing(self) -> None:
        if self.sheet.note:
            self.room(30)
            room = WIDE - 2 * MARGIN
            write(self.pen, (MARGIN, self.y + 10), fit(self.sheet.note, 14, room), 14, SOFT)
            self.y += 24

    def turn(self, number: int, turn: Turn) -> None:
        """One turn: its number, its picture, its words, and what was liked or ruled out."""
        tall = REFERENCE + 32 if turn.picture or turn.liked or turn.disliked else 76
        self.room(tall + GAP)
        box = (MARGIN, self.y, WIDE - MARGIN, self.y + tall)
        self.pen.rounded_rectangle(box, 16, fill=CARD, outline=LINE)
        middle = self.y + tall // 2
        x = MARGIN + 20
        self.pen.ellipse((x, middle - 17, x + 34, middle + 17), fill=ACCENT)
        label = str(number)
        write(self.pen, (x + 17 - width(label, 18, bold=True) // 2, middle), label, 18, CARD, bold=True)
        x += 54
        if turn.picture:
            x = self.framed(turn.picture, x, middle, LINE)
        for id in turn.liked:
            x = self.framed(id, x, middle, GOOD)
        for id in turn.disliked:
            x = self.framed(id, x, middle, BAD)
        self._words(turn, x, middle, number)
        self.y += tall + GAP

    def _words(self, turn: Turn, x: int, middle: int, number: int) -> None:
        pills = [f"not {thing}" for thing in turn.without]
        pills += [f"{weight:g} × {phrase}" for phrase, weight in turn.emphasis]
        pills += ["more like this"] if turn.liked else []
        pills += ["less like this"] if turn.disliked else []
        name = shown(Path(turn.picture).name) if turn.picture else ""
        lead = turn.text or (f"like {name}" if name else "")
        if not turn.text and number > 1 and name:
            lead = f"picked {name}"
        room = WIDE - MARGIN - 20 - x
        line = middle - 18 if pills and lead else middle
        if lead:
            write(self.pen, (x, line), fit(lead, 26, room, bold=True), 26, INK, bold=True)
            line = middle + 22
        for pill in pills:
            text = fit(pill, 16, max(40, WIDE - MARGIN - 60 - x))
            wide = width(text, 16)
            colour = BAD if pill.startswith(("not ", "less ")) else GOOD
            self.pen.rounded_rectangle((x, line - 15, x + wide + 24, line + 15), 15, outline=colour)
            write(self.pen, (x + 12, line), text, 16, colour)
            x += wide + 34

    def framed(self, id: str, x: int, middle: int, frame: str) -> int:
        """A reference picture with a frame; gives where the next thing may begin."""
        box = (x, middle - REFERENCE // 2, x + REFERENCE, middle + REFERENCE // 2)
        self.picture(id, box)
        self.pen.rounded_rectangle(box, 10, outline=frame, width=1 if frame == LINE else 4)
        return x + REFERENCE + 20

    def picture(self, id: str, box: tuple[int, int, int, int], *, faded: bool = False) -> None:
        """A picture, whole, in the middle of a box with rounded corners."""
        wide, tall = box[2] - box[0], box[3] - box[1]
        opened = self.sheet.picture(id, max(wide, tall))
        if opened is None:
            self.pen.rounded_rectangle(box, 10, fill=PAPER)
            text = "cannot be opened"
            place = (box[0] + (wide - width(text, 13)) // 2, box[1] + tall // 2)
            write(self.pen, place, text, 13, SOFT)
            return
        opened.thumbnail((wide, tall), Image.Resampling.LANCZOS)
        inset = Image.new("RGB", (wide, tall), CARD)
        inset.paste(opened, ((wide - opened.width) // 2, (tall - opened.height) // 2))
        if faded:
            inset = Image.blend(inset.convert("L").convert("RGB"), Image.new("RGB", inset.size, PAPER), 0.6)
        self.image.paste(inset, box[:2], _rounded(inset.size, 10))

    def strip(self, results: Results) -> None:
        """The best few of an earlier turn, small."""
        cell = _cell(STRIP, 0)
        self.room(cell.height + GAP)
        for column, hit in enumerate(results.hits[:STRIP]):
            x = MARGIN + column * (cell.side + GAP)
            self.picture(hit.path, (x, self.y, x + cell.side, self.y + cell.side), faded=hit.below)
        self.y += cell.side + GAP + 8

    def grid(self, results: Results) -> None:
        """Every hit of the last turn; what is below the cut-off stands apart and is greyed."""
        self._cards(results.above)
        rest = tuple(hit for hit in results if hit.below)
        if rest or not results.hits:
            text = "below the cut-off" if results.above else "nothing matches; the nearest pictures"
            self.room(40)
            write(self.pen, (MARGIN, self.y + 12), text, 16, SOFT)
            start = MARGIN + width(text, 16) + 14
            self.pen.line((start, self.y + 13, WIDE - MARGIN, self.y + 13), fill=LINE, width=2)
            self.y += 36
        self._cards(rest)

    def _cards(self, hits: tuple[Hit, ...]) -> None:
        cell = _cell(COLUMNS, 58)
        for number, hit in enumerate(hits):
            column = number % COLUMNS
            if column == 0:
                self.room(cell.height + GAP)
            self._card(hit, MARGIN + column * (cell.side + GAP), cell)
            if column == COLUMNS - 1 or number == len(hits) - 1:
                self.y += cell.height + GAP

    def _card(self, hit: Hit, x: int, cell: _Cell) -> None:
        y = self.y
        self.pen.rounded_rectangle((x, y, x + cell.side, y + cell.height), 14, fill=CARD, outline=LINE)
        self.picture(hit.path, (x + 8, y + 8, x + cell.side - 8, y + cell.side - 8), faded=hit.below)
        words, mark = (SOFT, SOFT) if hit.below else (INK, ACCENT)
        line = y + cell.side + 8
        end = write(self.pen, (x + 12, line), str(hit.rank), 18, mark, bold=True)
        end = write(self.pen, (end + 10, line), hit.scored, 14, SOFT)
        if hit.folded:
            write(self.pen, (end + 10, line), f"+{len(hit.folded)} alike", 14, GOOD)
        name = fit(shown(Path(hit.path).name), 14, cell.side - 24)
        write(self.pen, (x + 12, line + 27), name, 14, words)


def _rounded(size: tuple[int, int], radius: int) -> Image.Image:
    """A mask with rounded corners, smooth because it is drawn large and made small."""
    large = Image.new("L", (size[0] * 3, size[1] * 3), 0)
    box = (0, 0, large.width - 1, large.height - 1)
    ImageDraw.Draw(large).rounded_rectangle(box, radius * 3, fill=255)
    return large.resize(size, Image.Resampling.BOX)
