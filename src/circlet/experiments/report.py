"""Pages with pictures: the report of an evaluation, and examples of a benchmark."""

import base64
import io
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path

import numpy as np

from circlet.core import Benchmark, DataError, PictureError, Query
from circlet.core.files import written_whole
from circlet.evaluate.report.page import PictureAddress, ReportRow, document, report, shot
from circlet.evaluate.result import Result
from circlet.images import thumbnail

SIDE = 192


def pictures_of(benchmark: Benchmark) -> PictureAddress:
    """Addresses that hold the picture itself, so that a page can be sent as one file."""

    @cache
    def address(id: str) -> str:
        path = benchmark.images.get(id)
        if path is None:
            return ""
        file = io.BytesIO()
        try:
            thumbnail(path, SIDE).save(file, "WEBP", quality=78)
        except PictureError:
            return ""
        return "data:image/webp;base64," + base64.b64encode(file.getvalue()).decode()

    return address


def write_report(
    path: Path, benchmark: Benchmark, entries: Sequence[ReportRow], baselines: Sequence[Result]
) -> Path:
    """Write the report of these rows as one page."""
    page = report(benchmark, entries, baselines, pictures_of(benchmark))
    with written_whole(path) as file:
        file.write(page)
    return path


def write_examples(path: Path, benchmark: Benchmark, *, amount: int = 20, seed: int = 0) -> Path:
    """Write random queries of a benchmark as a page: reference, text, target, subset."""
    if not benchmark.queries:
        raise DataError(f"{benchmark.name} {benchmark.split} has nothing to show: there is no query in it")
    order = np.random.default_rng(seed).permutation(len(benchmark.queries))[:amount]
    picture = pictures_of(benchmark)
    cases = "".join(_example(benchmark, benchmark.queries[place], picture) for place in sorted(order))
    head = f"<p><code>{escape(benchmark.header())}; {escape(benchmark.revision)}; seed {seed}</code></p>"
    title = f"{len(order)} of {len(benchmark.queries):,} queries of {benchmark.name} {benchmark.split}"
    with written_whole(path) as file:
        file.write(document(title, head + cases))
    return path


def _example(benchmark: Benchmark, query: Query, picture: PictureAddress) -> str:
    truths = benchmark.case(query.id).truths
    parts = []
    for number, turn in enumerate(query.turns, start=1):
        label = f"{number}. " if len(query.turns) > 1 else ""
        parts.append(f"<p>{label}{escape(turn.text)}</p>")
        if turn.picture:
            parts.append(shot(picture, turn.picture, f"reference {turn.picture}", "reference"))
    texts = "".join(part for part in parts if part.startswith("<p>"))
    shots = [part for part in parts if not part.startswith("<p>")]
    shots += [shot(picture, id, f"truth {id}", "truth") for id in truths[:8]]
    others = [id for id in benchmark.case(query.id).subset if id not in (*truths, *query.pictures)]
    shots += [shot(picture, id, f"subset {id}") for id in others[:10]]
    about = [query.id, *benchmark.case(query.id).aspects, benchmark.case(query.id).group]
    more = "".join(f"<p class=weak>{escape(text)}</p>" for text in benchmark.case(query.id).wordings[1:])
    tags = f"<code>{escape(', '.join(part for part in about if part))}</code>"
    return f'<div class="case">{texts}{more}{tags}<div class="row">{"".join(shots)}</div></div>'
