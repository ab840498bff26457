"""`circlet data convert`: a benchmark as a circlet file or a Hugging Face dataset, judgements as a survey."""

from pathlib import Path

import click


@click.command(
    epilog="""\b
Examples:
  circlet data convert cirr:data/cirr:val cirr-val.jsonl
  circlet data convert 'fashioniq:data/fashioniq?captions=joined' joined.jsonl
  circlet data convert circo:data/circo:val circo-hf --form parquet    then --bench hf:circo-hf:val
  circlet data convert tableaux:judges:data/tableaux survey.csv --form survey    then --bench human:survey.csv
"""
)
@click.argument("name")
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--protocol", multiple=True, metavar="NAME=VALUE", help="A deviation from the default protocol."
)
@click.option(
    "--form",
    type=click.Choice(["jsonl", "parquet", "disk", "survey"]),
    default="jsonl",
    show_default=True,
    help="One circlet file; a folder for Hugging Face datasets: parquet files, or as save_to_disk writes; "
    "judgements as a survey's rows (.csv, .tsv or .jsonl).",
)
def convert(name: str, out: Path, protocol: tuple[str, ...], form: str) -> None:
    """Write any benchmark as one circlet JSONL file, or as a folder for Hugging Face datasets.

    Picture paths in a circlet file are relative to it; a dataset has the pictures in it.
    """
    from circlet.core import UsageError
    from circlet.core.extras import needed
    from circlet.data import load_benchmark, write_benchmark
    from circlet.experiments.bench import options

    if form in ("parquet", "disk"):
        needed("datasets")
    elif form == "survey" and out.suffix not in (".csv", ".tsv", ".jsonl"):
        raise UsageError(f"{out}: a survey is named .csv, .tsv or .jsonl")
    elif form == "jsonl" and out.suffix != ".jsonl":
        raise UsageError(f"{out}: a circlet benchmark file is named .jsonl")
    asked = {option: str(value) for option, value in options(protocol, "--protocol").items()}
    benchmark = load_benchmark(name, protocol=asked)
    if form == "jsonl":
        write_benchmark(benchmark, out)
    elif form == "survey":
        from circlet.data.readers.survey import write_survey

        write_survey(benchmark, out)
    else:
        from circlet.data.hf import write_datasets

        write_datasets(benchmark, out, on_disk=form == "disk")
    click.echo(f"{out}: {len(benchmark):,} queries, {benchmark.header()}")
