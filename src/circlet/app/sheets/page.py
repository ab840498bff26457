"""A contact sheet as one HTML file: pictures inside, no script, readable in the dark and on a phone."""

import base64
import io
from html import escape
from pathlib import Path

from circlet.app.sheets.sheet import Sheet
from circlet.collection import Hit, Results
from circlet.core import Turn
from circlet.images.files import shown

_SIDE, _SMALL = 480, 224

_STYLE = """
:root { color-scheme: light dark; --paper: #f6f3ee; --card: #fff; --ink: #26221d; --soft: #6f685e;
  --line: #e4ded4; --accent: #b4481f; --good: #2f6b3b; --bad: #a33a3a }
@media (prefers-color-scheme: dark) { :root { --paper: #191714; --card: #25221e; --ink: #f1ece4;
  --soft: #a79e91; --line: #3a352f; --accent: #f08a5d; --good: #86c894; --bad: #ef8f8f } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1280px; padding: 2rem; background: var(--paper); color: var(--ink);
  font: 16px/1.4 system-ui, sans-serif }
h1 { font-size: 1.7rem; margin: 0 0 1rem }
ol, ul { list-style: none; margin: 0; padding: 0 }
.turn { display: flex; flex-wrap: wrap; align-items: center; gap: 1rem; margin-bottom: 1rem;
  padding: 1rem 1.2rem; background: var(--card); border: 1px solid var(--line); border-radius: 16px }
.turn > b { width: 2.1rem; height: 2.1rem; border-radius: 50%; background: var(--accent);
  color: var(--card); display: grid; place-items: center }
.turn img { width: 112px; height: 112px; object-fit: contain; border-radius: 10px }
.turn .liked { outline: 4px solid var(--good) } .turn .disliked { outline: 4px solid var(--bad) }
.turn p { margin: 0; font-size: 1.5rem; font-weight: 650; overflow-wrap: anywhere }
.turn span { border: 1px solid; border-radius: 1rem; padding: .2rem .8rem; color: var(--good) }
.turn .no { color: var(--bad) }
.strip { display: grid; grid-template-columns: repeat(8, 1fr); gap: 12px; margin-bottom: 1.5rem }
.strip img { width: 100%; aspect-ratio: 1; object-fit: contain; border-radius: 10px }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 18px }
figure { margin: 0; padding: 8px 8px 12px; background: var(--card); border: 1px solid var(--line);
  border-radius: 14px }
figure img { width: 100%; aspect-ratio: 1; object-fit: contain; border-radius: 10px; display: block }
figcaption { padding: 8px 6px 0; font-size: .85rem; color: var(--soft); overflow-wrap: anywhere }
figcaption b { color: var(--accent); font-size: 1.1rem }
figcaption em { color: var(--good); font-style: normal }
.below img { filter: grayscale(1); opacity: .45 } .below b { color: var(--soft) }
h2 { font-size: 1rem; font-weight: 500; color: var(--soft); margin: 1.5rem 0 .8rem }
footer { margin-top: 2rem; color: var(--soft); font-size: .85rem }
"""


def page(sheet: Sheet) -> str:
    """The sheet as the text of one HTML file that needs nothing else."""
    last = sheet.steps[-1]
    turns = []
    for number, turn, results in sheet.stages:
        turns.append(_turn(sheet, number, turn))
        if results is not None and results is not last:
            small = "".join(f"<li>{_image(sheet, hit.path, _SMALL)}</li>" for hit in results.hits[:8])
            turns.append(f'<li><ul class="strip">{small}</ul></li>')
    title = escape(sheet.title)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body><main><h1>{title}</h1>"
        f"<ol>{''.join(turns)}</ol>{_found(sheet, last)}</main>"
        f"<footer>{escape(sheet.note)}</footer></body></html>\n"
    )


def _turn(sheet: Sheet, number: int, turn: Turn) -> str:
    shows = [_image(sheet, turn.picture, _SMALL)] if turn.picture else []
    shows += [_image(sheet, id, _SMALL, "liked") for id in turn.liked]
    shows += [_image(sheet, id, _SMALL, "disliked") for id in turn.disliked]
    parts = [f"<p>{escape(turn.text)}</p>"] if turn.text else []
    parts += [f'<span class="no">not {escape(thing)}</span>' for thing in turn.without]
    parts += [f"<span>{weight:g} × {escape(phrase)}</span>" for phrase, weight in turn.emphasis]
    parts += ["<span>more like this</span>"] if turn.liked else []
    parts += ['<span class="no">less like this</span>'] if turn.disliked else []
    return f'<li class="turn"><b>{number}</b>{"".join(shows)}{"".join(parts)}</li>'


def _found(sheet: Sheet, results: Results) -> str:
    rest = [hit for hit in results if hit.below]
    parts = [f'<div class="grid">{"".join(_card(sheet, hit) for hit in results.above)}</div>']
    if rest or not results.hits:
        text = "below the cut-off" if results.above else "nothing matches; the nearest pictures"
        parts.append(f"<h2>{text}</h2>")
        parts.append(f'<div class="grid">{"".join(_card(sheet, hit) for hit in rest)}</div>')
    return "".join(parts)


def _card(sheet: Sheet, hit: Hit) -> str:
    alike = f" <em>+{len(hit.folded)} alike</em>" if hit.folded else ""
    name = escape(shown(Path(hit.path).name))
    rank = f"<b>{hit.rank}</b> {hit.scored}{alike}<br>" if sheet.ranked else ""
    return (
        f"<figure{' class=below' if hit.below else ''}>{_image(sheet, hit.path, _SIDE)}"
        f'<figcaption title="{escape(shown(sheet.place(hit.path)))}">{rank}{name}</figcaption></figure>'
    )


def _image(sheet: Sheet, id: str, side: int, kind: str = "") -> str:
    name = escape(shown(Path(id).name))
    opened = sheet.picture(id, side)
    if opened is None:
        return f"<p>{name} cannot be opened</p>"
    out = io.BytesIO()
    opened.convert("RGB").save(out, "JPEG", quality=85)
    data = base64.b64encode(out.getvalue()).decode()
    label = f' class="{kind}"' if kind else ""
    return f'<img{label} alt="{name}" src="data:image/jpeg;base64,{data}">'
