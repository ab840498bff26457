"""Looking through a collection before searching it: by date, by folder, or anywhere."""

from datetime import datetime
from typing import Any

from circlet.app.http.library import Library
from circlet.app.web.telling import address, none
from circlet.app.web.tiles import card, shape_of
from circlet.collection import SearchOptions
from circlet.dialogue import Session
from circlet.index import Entry


def begin(
    library: Library, options: SearchOptions, start: int, top: int, *, by_date: bool = False
) -> dict[str, Any]:
    """Pictures to start from: by date where that was asked for or something is filtered."""
    by_date = by_date or bool(options.narrowed)
    ids, count = library.browse(options, start, top, by_date=by_date)
    shelves = {"years": years(library, options), "places": places(library, options), "by_date": by_date}
    if not count:
        return none(library, options) | shelves
    known = library.entries(ids)
    months = [month_of(known.get(id)) if by_date else "" for id in ids]
    return shelves | {
        "cards": [
            card(
                library,
                id,
                Session(),
                shape=shape_of(known.get(id)),
                heading=month if month != (months[at - 1] if at else "") else "",
            )
            for at, (id, month) in enumerate(zip(ids, months, strict=True))
        ],
        "summary": f"{count:,} pictures" if by_date else f"Or start from one of your {count:,} pictures",
        "more": start + top < count,
    }


def month_of(entry: Entry | None) -> str:
    """The month that a picture was taken in, in words.

    >>> month_of(Entry("/p/a.jpg", 1, 0, "", taken=datetime(2024, 7, 31)))
    'July 2024'
    """
    if entry is None:
        return ""
    return f"{entry.taken or datetime.fromtimestamp(entry.mtime_ns / 1e9):%B %Y}"


def years(library: Library, options: SearchOptions) -> list[dict[str, Any]]:
    """The timeline: each year with how many pictures are of it, the latest first."""
    counts: dict[str, int] = {}
    for month, count in library.tally(options.but(after=None, before=None)).months.items():
        counts[month[:4]] = counts.get(month[:4], 0) + count
    only = _only_year(options)
    return [
        {
            "name": year,
            "count": count,
            "here": year == only,
            "link": address(
                "/", "", options.but(after=None, before=None) if year == only else _in(options, year)
            ),
        }
        for year, count in sorted(counts.items(), reverse=True)
        if year.isdigit() and int(year) > 1
    ]


def places(library: Library, options: SearchOptions) -> list[dict[str, Any]]:
    """The folders, each with how many pictures are in it under the other filters."""
    return [
        {
            "name": name,
            "count": count,
            "here": name == options.folder,
            "link": address("/", "", options.but(folder="" if name == options.folder else name)),
        }
        for name, count in library.folders(options).items()
    ]


def _in(options: SearchOptions, year: str) -> SearchOptions:
    return options.but(after=datetime(int(year), 1, 1), before=datetime(int(year) + 1, 1, 1))


def _only_year(options: SearchOptions) -> str:
    year = f"{options.after.year:04}" if options.after else ""
    return year if year and options == _in(options, year) else ""
