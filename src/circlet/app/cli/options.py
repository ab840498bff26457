"""Options that several commands share: where to search, what to filter, which method."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from circlet.collection.collection import Collection
    from circlet.experiments.bench import Bench
    from circlet.index import Filters
    from circlet.models.encoding import Progress

Command = TypeVar("Command", bound=Callable[..., Any])
_FILTERS = ("folder", "after", "before", "min_size", "max_size", "orientation")


def day(value: str) -> datetime:
    """A date, or a date and a time.

    >>> day("2024"), day("2024-07-31").day
    (datetime.datetime(2024, 1, 1, 0, 0), 31)
    """
    for form in ("%Y", "%Y-%m"):
        try:
            return datetime.strptime(value, form)
        except ValueError:
            continue
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is no date; write it as 2024-07-31") from None


def weight(value: str) -> tuple[str, float]:
    """A phrase with its weight.

    >>> weight("2:night")
    ('night', 2.0)
    """
    number, _, phrase = value.partition(":")
    try:
        counts = float(number)
    except ValueError:
        counts = -1
    if not phrase.strip() or not 0 <= counts < 1000:
        raise click.BadParameter(f"{value!r} is no weight; write it as 2:night")
    return phrase.strip(), counts


def sheet_file(value: str) -> Path:
    """Where a contact sheet goes; a name that says no known form is refused before any work."""
    from circlet.app.sheets import FORMS

    path = Path(value).expanduser()
    if path.suffix.lower() not in FORMS:
        raise click.BadParameter(f"{value}: a contact sheet is a .png or a .html file; name it so")
    return path


def _all(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several option decorators as one, listed by --help in the order they are given."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


filter_options = _all(
    click.option(
        "--folder", type=click.Path(path_type=Path), help="Only pictures in this folder or under it."
    ),
    click.option(
        "--after",
        type=day,
        metavar="DATE",
        help="Only pictures taken at this date or later: 2024, 2024-07-31.",
    ),
    click.option("--before", type=day, metavar="DATE", help="Only pictures taken before this date."),
    click.option("--min-size", type=click.IntRange(1), metavar="PIXELS", help="Longer edge at least this."),
    click.option("--max-size", type=click.IntRange(1), metavar="PIXELS", help="Longer edge at most this."),
    click.option("--orientation", type=click.Choice(["landscape", "portrait", "square"])),
)

collection_options = _all(
    click.option(
        "--in",
        "root",
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="Search this indexed folder only.",
    ),
    click.option(
        "--method", metavar="NAME", help="How picture and words join: default, sum, slerp, text, image, …"
    ),
    click.option("--encoder", metavar="NAME", help="Another encoder than the one indexed with last."),
)

benchmark_options = _all(
    click.option(
        "--bench", required=True, metavar="NAME", help="cirr:ROOT[:split], circo:ROOT, a .jsonl file, …"
    ),
    click.option(
        "--protocol", multiple=True, metavar="NAME=VALUE", help="A deviation from the default protocol."
    ),
    click.option("--encoder", default="builtin", show_default=True, metavar="NAME"),
    click.option("--allow-missing", is_flag=True, help="Measure what is left where pictures are missing."),
    click.option("--seed", type=int, default=0, show_default=True),
    click.option(
        "--history",
        type=click.Choice(["latest", "average", "weighted"]),
        default="latest",
        show_default=True,
        help="How a composer joins the turns of a session.",
    ),
)


def opened_bench(asked: dict[str, Any], progress: "Progress | None" = None) -> "Bench":
    """The benchmark that these options mean."""
    from circlet.data import load_benchmark
    from circlet.experiments.bench import Bench, options

    protocol = {name: str(value) for name, value in options(asked["protocol"], "--protocol").items()}
    benchmark = load_benchmark(asked["bench"], protocol=protocol)
    return Bench(
        benchmark, asked["encoder"], asked["allow_missing"], progress, asked["seed"], asked["history"]
    )


def opened(where: dict[str, Any]) -> "tuple[Collection, Filters]":
    """The collection and the filters that these options mean."""
    from circlet.collection.collection import Collection
    from circlet.index import Filters

    asked = {name: where.pop(name) for name in _FILTERS}
    if asked["folder"] is not None:
        asked["folder"] = str(asked["folder"].expanduser().resolve())
    root, encoder, method = where.pop("root"), where.pop("encoder"), where.pop("method")
    return Collection.open(root, encoder=encoder, method=method), Filters(**asked)
