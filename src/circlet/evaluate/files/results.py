"""Results that `circlet eval --json` printed, read back."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from circlet.core import DataError
from circlet.core.files import parse_json, read_text
from circlet.evaluate.result import Result

_TEXTS = ("method", "protocol", "made", "fingerprint", "revision")


def is_result(document: object) -> bool:
    """Whether a JSON value is what `circlet eval --json` prints.

    >>> is_result({"method": "m", "protocol": "toy val", "measures": {}}), is_result({"7": [1, 2]})
    (True, False)
    """
    if not isinstance(document, dict):
        return False
    return isinstance(document.get("rows"), list) or {"method", "protocol", "measures"} <= document.keys()


def read_results(path: Path | str) -> tuple[list[Result], list[Result]]:
    """The rows and the baselines of a file; what is not as circlet writes it is told in one sentence."""
    path = Path(path)
    try:
        document = parse_json(read_text(path, "name a file that circlet eval --json wrote"))
    except json.JSONDecodeError as error:
        raise DataError(f"{path}: not JSON ({error}); write it again") from None
    if not is_result(document):
        raise DataError(f"{path}: not a result: a result is what circlet eval --json prints")
    rows, weak = document.get("rows", [document]), document.get("baselines", [])
    if not isinstance(weak, list):
        raise DataError(f"{path}: baselines are a list, not {weak!r:.40}")
    return [_result(path, row) for row in rows], [_result(path, row) for row in weak]


def _result(path: Path, row: Any) -> Result:
    if not is_result(row) or "rows" in row:
        raise DataError(f"{path}: a row has method, protocol and measures, not {row!r:.40}")
    for name in _TEXTS:
        if not isinstance(row.get(name, ""), str):
            raise DataError(f"{path}: {name} is a text, not {row[name]!r:.40}")
    if not row["protocol"]:
        raise DataError(f"{path}: {row['method']} does not say its protocol, so its numbers say nothing")
    seed, remarks = row.get("seed"), row.get("remarks", [])
    if seed is not None and type(seed) is not int:
        raise DataError(f"{path}: seed is a whole number, not {seed!r:.40}")
    if not isinstance(remarks, list) or not all(isinstance(one, str) for one in remarks):
        raise DataError(f"{path}: remarks are a list of texts, not {remarks!r:.40}")
    sizes = _numbers(path, {name: row[name] for name in ("queries", "coverage") if row.get(name) is not None})
    return Result(
        **{name: row.get(name, "") for name in _TEXTS},
        measures=_numbers(path, row["measures"]),
        queries=int(sizes.get("queries", 0)),
        coverage=sizes.get("coverage", 1.0),
        remarks=tuple(remarks),
        seed=seed,
        spread=_numbers(path, row.get("spread", {})),
    )


def _numbers(path: Path, values: Any) -> dict[str, float]:
    """Numbers by name; null is what was not ranked."""
    if not isinstance(values, Mapping):
        raise DataError(f"{path}: measures are numbers by name, not {values!r:.40}")
    for name, value in values.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise DataError(f"{path}: {name} is a number, not {value!r:.40}")
        if value is not None and not abs(value) < 1e12:
            raise DataError(f"{path}: {name} is no number that a measure gives: {value!r:.40}")
    return {name: math.nan if value is None else float(value) for name, value in values.items()}
