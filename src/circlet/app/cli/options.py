"""Options that several commands share: where to search, what to filter, which method."""

import os
from collections.abc import Callable, Mapping
from dataclasses import Field, fields
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from circlet.collection import Collection, SearchOptions
    from circlet.core import Progress
    from circlet.dialogue.rounds import Rules
    from circlet.experiments.bench import Bench
    from circlet.experiments.users import UserOptions

Command = TypeVar("Command", bound=Callable[..., Any])


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


def _device(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value:
        # Processes that a command starts run their models there, too.
        os.environ["CIRCLET_DEVICE"] = value


def _kept(ctx: click.Context, param: click.Parameter, value: int | None) -> None:
    ctx.meta["circlet.dim"] = value


def _encoder(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    dim = ctx.meta.get("circlet.dim")
    if dim is None:
        return value
    from circlet.models.encoders.load import shortened

    if value is None:
        raise click.UsageError("--dim needs --encoder st:NAME: it is part of which encoder is meant")
    return shortened(value, dim)


def encoder_options(*names: str, **about: Any) -> Callable[[Command], Command]:
    """`--encoder`, with how long its vectors are and where it runs; the command gets the name alone."""
    return _all(
        click.option(*(names or ("--encoder",)), callback=_encoder, metavar="NAME", **about),
        click.option(
            "--dim",
            type=click.IntRange(1),
            is_eager=True,
            expose_value=False,
            callback=_kept,
            help="Keep so many numbers of each vector (models st:NAME that learned it).",
        ),
        click.option(
            "--device",
            is_eager=True,
            expose_value=False,
            callback=_device,
            help="Where models of torch run: cpu, cuda, cuda:1, mps. Without: a GPU where there is one.",
        ),
    )


def _store(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value:
        # Processes that a command starts open the same one.
        os.environ["CIRCLET_STORE"] = value


store_option = click.option(
    "--store",
    is_eager=True,
    expose_value=False,
    callback=_store,
    metavar="PLACE",
    help="Where the index is: a folder, or milvus://host:19530/name. Also read from CIRCLET_STORE.",
)
collection_options = _all(
    click.option(
        "--in",
        "root",
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        help="Search this indexed folder only.",
    ),
    encoder_options(help="Another encoder than the one indexed with last."),
    store_option,
)


def search_options(*left_out: str, **defaults: Any) -> Callable[[Command], Command]:
    """An option for every field of `SearchOptions` but those left out; `options_of` reads them back."""
    from circlet.collection import SearchOptions

    chosen = [one for one in fields(SearchOptions) if one.name not in left_out]
    return _all(*(_option(one, defaults.get(one.name, one.default)) for one in chosen))


def _option(one: "Field[Any]", default: Any) -> Callable[[Command], Command]:
    """The option of one field, by its type."""
    about, dashed = one.metadata, f"--{one.name.replace('_', '-')}"
    if isinstance(default, bool):
        flag = f"--{about['off']}" if default else f"--{about['on']}"
        return click.option(
            flag, one.name, flag_value=not default, type=bool, default=default, help=_off(about, default)
        )
    if "least" in about:
        names = (dashed, "-k") if one.name == "top" else (dashed,)
        return click.option(
            *names,
            type=click.IntRange(about["least"]),
            default=default,
            show_default=True,
            help=about["line"],
        )
    kind: Any = _types().get(one.name, str)
    shown = {"after": "DATE", "before": "DATE", "min_size": "PIXELS", "max_size": "PIXELS"}.get(one.name)
    shown = {"method": "NAME", "rerank": "CKPT"}.get(one.name, shown)
    return click.option(dashed, type=kind, metavar=shown, default=None, help=about["line"])


def _off(about: "Mapping[str, Any]", default: bool) -> str:
    return "Show near-identical pictures one by one." if default else str(about["line"])


class _Histories(click.ParamType):  # type: ignore[type-arg]
    """One of the histories, whose table is loaded only when one is named."""

    name = "history"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if param is not None and value == param.default:
            return value
        from circlet.dialogue import HISTORIES

        if value not in HISTORIES:
            self.fail(f"{value!r} is not one of {', '.join(HISTORIES)}", param, ctx)
        return value


def _types() -> dict[str, Any]:
    """What the words of an option become, where not plain text; commands that do not search load none."""
    from circlet.collection.options import WIDEST
    from circlet.core.filters import ORIENTATIONS

    return {
        "after": day,
        "before": day,
        "min_size": click.IntRange(1, WIDEST),
        "max_size": click.IntRange(1, WIDEST),
        "orientation": click.Choice(ORIENTATIONS),
        "history": _Histories(),
        "folder": click.Path(path_type=Path),
    }


def options_of(given: dict[str, Any]) -> "SearchOptions":
    """The options that a command was given, taken out of its keywords."""
    from circlet.collection import SearchOptions

    known = {one.name for one in fields(SearchOptions)} & given.keys()
    values = {name: value for name in known if (value := given.pop(name)) is not None}
    if "folder" in values:
        values["folder"] = str(values["folder"].expanduser().resolve())
    return SearchOptions(**values)


def opened(where: dict[str, Any]) -> "Collection":
    """The collection that these options mean."""
    from circlet.collection import Collection

    return Collection.open(where.pop("root"), encoder=where.pop("encoder"))


def _form(ctx: click.Context, param: click.Parameter, value: str) -> str:
    return "markdown" if value == "md" else value


form_option = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "md", "markdown", "latex", "html"]),
    callback=_form,
    default="table",
    show_default=True,
)
relevance_option = click.option(
    "--relevance",
    default="",
    metavar="SCORER",
    help="Score the first results by this: clauses, or the folder of a trained scorer.",
)
bench_options = _all(
    click.option(
        "--bench", required=True, metavar="NAME", help="cirr:ROOT[:split], circo:ROOT, a .jsonl file, …"
    ),
    click.option(
        "--protocol", multiple=True, metavar="NAME=VALUE", help="A deviation from the default protocol."
    ),
    encoder_options(default="builtin", show_default=True),
    click.option("--allow-missing", is_flag=True, help="Measure what is left where pictures are missing."),
    click.option("--seed", type=int, default=0, show_default=True),
)
benchmark_options = _all(
    bench_options,
    click.option(
        "--history",
        type=_Histories(),
        default="latest",
        show_default=True,
        metavar="NAME",
        help="How the turns of a session join: latest, average, weighted, feedback, belief, …",
    ),
)


def opened_bench(asked: dict[str, Any], progress: "Progress | None" = None) -> "Bench":
    """The benchmark that these options mean."""
    from circlet.data import load_benchmark
    from circlet.experiments.bench import Bench, options

    protocol = {name: str(value) for name, value in options(asked["protocol"], "--protocol").items()}
    benchmark = load_benchmark(asked["bench"], protocol=protocol)
    return Bench(
        benchmark,
        asked["encoder"],
        asked["allow_missing"],
        progress,
        asked["seed"],
        asked.get("history", "latest"),
        asked.get("relevance", ""),
    )


def rounds_options(*left_out: str, **defaults: Any) -> Callable[[Command], Command]:
    """How a simulated user is played with, and who it is; `user_options` reads them back."""
    options: dict[str, dict[str, Any]] = {
        "rounds": {"type": click.IntRange(1), "help": "Play so many rounds against a simulated user."},
        "user": {"default": "truth", "help": "Who: truth, captions, instruct."},
        "picks": {"default": "best", "help": "How it picks: best, three, first, captions."},
        "shown": {"type": click.IntRange(1), "default": 10, "help": "How many results it looks at."},
        "seen": {"default": "picked", "help": "What does not come back: kept (all may), picked, shown."},
        "user_with": {
            "multiple": True,
            "metavar": "NAME=VALUE",
            "help": "patience, noise, needs, words, aspect, retries.",
        },
    }
    for name, default in defaults.items():
        options[name]["default"] = default
    return _all(
        *(
            click.option(f"--{name.replace('_', '-')}", show_default=True, **about)
            for name, about in options.items()
            if name not in left_out
        )
    )


def user_options(asked: dict[str, Any], **more: Any) -> "tuple[Rules, UserOptions]":
    """How rounds are played, and by whom."""
    from circlet.core import UsageError
    from circlet.dialogue.rounds import Rules
    from circlet.experiments.bench import options
    from circlet.experiments.users import UserOptions

    rules = Rules(rounds=asked["rounds"], shown=asked["shown"], seen=asked["seen"])
    given = options(asked["user_with"], "--user-with")
    own = {"name": asked["user"], "picks": asked["picks"], "seed": asked["seed"], **more}
    try:
        return rules, UserOptions(**own, **given)
    except TypeError:
        known = [one.name for one in fields(UserOptions) if one.name not in own]
        raise UsageError(f"--user-with {', '.join(given)}: a user has {', '.join(known)}") from None
