"""`circlet train MODEL`: learn an encoder from captions, or to compose from triplets."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from circlet.app.cli.main import Lazy
from circlet.app.cli.terminal import Bar, say
from circlet.models.learned.table import MODELS, spec_of

if TYPE_CHECKING:
    from circlet.core import Benchmark
    from circlet.train.fit import StepReport
    from circlet.train.setup import TrainingSetup

# Named here, because the module that has them loads torch.
_LOSSES = ["batch-classification", "soft-triplet", "infonce"]
_ENCODER = ("train_encoder", "encoder", "One space for pictures and words, from captions.")
_CLAUSES = ("train_clauses", "clauses", "Which clauses of a query hold in a picture, from drawn scenes.")
_RELEVANCE = ("train_relevance", "relevance", "How well a picture answers a query, by preference.")
_CONTEXT = ("train_context", "context", "Which of a few pictures a description means, given all of them.")
_SCENES = ("train_scenes", "scenes", "What single pictures show, by which clauses are checked.")
_FRAMES = ("train_frames", "frames", "What descriptions of one of a few pictures speak of, from drawn films.")
_TABLE = {
    "encoder": _ENCODER,
    "clauses": _CLAUSES,
    "relevance": _RELEVANCE,
    "context": _CONTEXT,
    "frames": _FRAMES,
    "scenes": _SCENES,
} | {name: ("train", "composer", spec.line) for name, spec in MODELS.items()}


@click.group(
    cls=Lazy,
    table=_TABLE,
    epilog="""\b
Examples:
  circlet train encoder --data my-pictures --out enc   pictures with captions: their own encoder
  circlet train cirplant --data tableaux:cir:world --out ckpt
""",
)
def train() -> None:
    """Learn from your own pictures: an encoder from captions, or a composer from triplets."""


@click.command(
    epilog="""\b
Examples:
  circlet train cirplant --data tableaux:cir:world --out ckpt
  circlet train tirg --data my-pictures --out ckpt     pictures and triplets.csv in one folder
  circlet train cirplant --data my-pictures --check    say what is wrong with the file, line by line
  circlet search beach.jpg "at night" --method ckpt
"""
)
@click.option("--data", required=True, help="A benchmark's name, a folder, or a file of your own triplets.")
@click.option("--out", type=click.Path(path_type=Path), help="The checkpoint's folder.")
@click.option("--pictures", type=click.Path(path_type=Path), help="Where your own triplets' pictures are.")
@click.option("--split", default="train", show_default=True, help="What to train on.")
@click.option("--validate", "validation", default="val", show_default=True, help="What to stop by.")
@click.option("--encoder", default="builtin", show_default=True, metavar="NAME")
@click.option("--language", type=click.Path(path_type=Path), help="The folder of a BERT; else MiniLM.")
@click.option("--no-init", is_flag=True, help="Random weights in place of the language model's.")
@click.option("--device", default="cpu", show_default=True, help="cpu, cuda or mps.")
@click.option("--layers", type=click.IntRange(0), default=0, help="Of the language model; 0: all.")
@click.option("--loss", type=click.Choice(_LOSSES), default=_LOSSES[0], show_default=True)
@click.option("--optimizer", type=click.Choice(["adamw", "muon", "sgd"]), default="adamw", show_default=True)
@click.option("--rate", type=float, help="The highest learning rate; from there it falls in a line.")
@click.option(
    "--warm",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.1,
    show_default=True,
    help="Share of the steps in which the rate rises first.",
)
@click.option("--epochs", type=click.IntRange(1), default=20, show_default=True)
@click.option("--batch", type=click.IntRange(2), default=32, show_default=True)
@click.option(
    "--negatives", type=click.IntRange(0), default=5, show_default=True, help="Of each query's own subset."
)
@click.option(
    "--others", type=click.IntRange(0), default=500, show_default=True, help="Negatives from anywhere."
)
@click.option(
    "--hidden",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.0,
    help="Share of a picture's numbers that each step hides, against learning pictures by heart.",
)
@click.option("--patience", type=click.IntRange(0), default=5, show_default=True, help="0: never stop early.")
@click.option("--width", type=click.IntRange(1), default=512, show_default=True, help="Of the learned space.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--check", is_flag=True, help="Only look whether the data can be trained on.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
def composer(
    data: str,
    out: Path | None,
    pictures: Path | None,
    split: str,
    validation: str,
    encoder: str,
    language: Path | None,
    layers: int,
    check: bool,
    quiet: bool,
    **how: Any,
) -> None:
    """Train a composer on triplets of reference picture, words and target picture.

    Pictures are encoded once and kept. The training may be killed at any time: the same command
    goes on from there. OUT then works wherever a method is named: `circlet search --method OUT`,
    `circlet eval --method OUT`. Its curves are in OUT/training.svg.
    """
    from circlet.core import UsageError
    from circlet.data.load import load_split
    from circlet.data.readers.triplets import own_file

    model = str(click.get_current_context().info_name)
    if check and (own := own_file(data)):
        _check(own, pictures)
        return
    benchmarks = load_split(data, split, pictures), load_split(data, validation, pictures)
    if check:
        _describe(*benchmarks)
        return
    if out is None:
        raise UsageError("name the checkpoint's folder: --out ckpt")
    how["device"] = _device(how["device"])
    from circlet.models import load_encoder
    from circlet.train.setup import open_setup

    with Bar("encoding", "pictures", quiet=quiet) as bar:
        setup = open_setup(
            *benchmarks,
            encoder=load_encoder(encoder),
            language=language,
            layers=layers,
            tokens=spec_of(model).spatial,
            progress=bar,
        )
    _train(setup, model, out, quiet, **how)


def _train(
    setup: "TrainingSetup",
    model: str,
    out: Path,
    quiet: bool,
    *,
    no_init: bool,
    device: str,
    width: int,
    optimizer: str,
    rate: float | None,
    **rest: Any,
) -> None:
    from circlet.core.files import write_text
    from circlet.train.curves import curves
    from circlet.train.recipe import Recipe

    recipe = Recipe(optimizer=optimizer, rate=rate or spec_of(model).rate(optimizer), **rest)
    with Bar("training", "steps", quiet=quiet) as bar:

        def told(report: "StepReport") -> None:
            bar(report.step, report.steps)
            if report.score is not None and not quiet:
                say(f"epoch {report.epoch}: loss {report.loss:.4f}, {setup.measure!r} {report.score:.2f}")

        trained = setup.train(
            model,
            recipe,
            pretrained=not no_init,
            width=width,
            out=out,
            device=device,
            progress=told,
        )
    fitted = trained.fitted
    title = f"{model} on {setup.train_benchmark.header()}"
    write_text(out / "training.svg", curves(fitted.history, title=title, measure=repr(setup.measure)))
    score = f"{setup.measure!r} {fitted.best:.2f} in epoch {fitted.epoch}"
    click.echo(f"{out}: {score}, on {setup.validation.header()}")


def _device(name: str) -> str:
    """The device, if torch has it here."""
    import torch

    from circlet.core import UsageError

    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not there.get(name.partition(":")[0], False):
        raise UsageError(
            f"no device {name!r} here: pick {', '.join(name for name, has in there.items() if has)}"
        )
    return name


def _check(path: Path, pictures: Path | None) -> None:
    from circlet.data.readers.triplets import check_triplets

    good, problems = check_triplets(path, pictures)
    for problem in problems:
        click.echo(f"{path}: {problem}")
    counts = {split: sum(one.split == split for one in good) for split in ("train", "val", "test")}
    splits = ", ".join(f"{count} {split}" for split, count in counts.items())
    click.echo(f"{path}: {len(good)} good triplets ({splits}), {len(problems)} problem(s)")
    if problems:
        raise click.exceptions.Exit(1)


def _describe(*benchmarks: "Benchmark") -> None:
    for benchmark in benchmarks:
        click.echo(f"{benchmark.header()}: {len(benchmark)} queries, {len(benchmark.pictures)} pictures")
