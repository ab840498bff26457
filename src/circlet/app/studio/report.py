"""The report's numbers in the order they are shown, for the page and for a file of its own."""

import math
import time
from typing import Any

from circlet.app.web.routes import templates
from circlet.evaluate.report.page import document
from circlet.studio.figures import PUBLISHED, Figures
from circlet.studio.texts import Texts


def report_view(found: Figures) -> dict[str, Any]:
    """What the report's template shows."""
    return {
        "found": found,
        "when": time.strftime("%Y-%m-%d %H:%M", time.localtime(found.at)),
        "values": [
            {
                "name": name,
                "ours": number(value),
                "paper": number(PUBLISHED[name][0]) if name in PUBLISHED else "",
                "where": PUBLISHED[name][1] if name in PUBLISHED else "",
            }
            for name, value in found.values.items()
        ],
        "beside": [
            {"name": one.what.replace("_", " "), "ours": number(one.ours), "paper": number(one.paper)}
            for one in found.beside
        ],
        "number": number,
    }


def report_file(found: Figures, texts: Texts) -> str:
    """The report as one HTML page that needs nothing else."""
    body = templates("circlet.app.studio").get_template("_report.html").render(report_view(found), t=texts)
    return document(f"{found.title}: report", body)


def number(value: float) -> str:
    """A number as the report shows it.

    >>> number(86.094), number(0.7953), number(float("nan"))
    ('86.1', '0.795', '–')
    """
    if math.isnan(value):
        return "–"
    return f"{value:.3f}" if 0 < abs(value) < 1 else f"{value:.1f}"
