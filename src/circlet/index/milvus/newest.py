"""The latest pictures of a space: Milvus sorts nothing, but counts fast."""

from circlet.index.milvus.expressions import both
from circlet.index.milvus.link import Link

# Every moment that a file or a camera says lies in between: seconds, some ten thousand years around 1970.
_FIRST, _LAST = -(2**39), 2**39
# Rows beyond those that are asked for that may be fetched to be sorted here.
_SLACK = 2_000


def latest(link: Link, table: str, said: str, start: int, top: int) -> list[str]:
    """The paths at these places of all that pass, the latest first; equal moments by their keys."""
    total = link.count(table, said)
    if total <= start or top <= 0:
        return []
    early, _ = _from(link, table, said, min(total, start + top), total, enough=True)
    late, before = _from(link, table, said, start, total, enough=False)
    # Few lie between the two; of the moment `early` itself there may be any number.
    wanted = both(f"moment > {early} and moment < {late}", said)
    rows = [row for page in link.pages(table, "key", wanted, ["path", "moment"]) for row in page]
    rows.sort(key=lambda row: (-row["moment"], row["key"]))
    paths = [row["path"] for row in rows[start - before : start - before + top]]
    if len(paths) < top:
        skipped = max(0, start - before - len(rows))
        paths += link.stretch(table, both(f"moment == {early}", said), "path", skipped, top - len(paths))
    return paths


def _from(link: Link, table: str, said: str, wanted: int, total: int, *, enough: bool) -> tuple[int, int]:
    """The moment from which on there are just enough, or just not too many; and how many there are."""
    low, high = _FIRST, _LAST
    many, few = total, 0
    while high - low > 1 and not (0 <= many - wanted <= _SLACK if enough else 0 <= wanted - few <= _SLACK):
        middle = (low + high) // 2
        count = link.count(table, both(f"moment >= {middle}", said))
        if count >= wanted if enough else count > wanted:
            low, many = middle, count
        else:
            high, few = middle, count
    return (low, many) if enough else (high, few)
