"""Train models of which picture of a set is meant (paper 002): features and texts read once, one variant."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from circlet.core import Benchmark, DataError, PictureEncoder, Progress, UsageError
from circlet.models.context.kept import build, read_context, save_context
from circlet.models.context.networks import BiEncoder, Comparing, ContextModule, InContext
from circlet.models.context.variants import MODULES, VARIANTS
from circlet.models.encoders.load import anywhere
from circlet.models.features import FeatureStore
from circlet.models.joint.encoder import Joint
from circlet.models.joint.heads import Heads, Sizes
from circlet.models.joint.reading import read
from circlet.models.joint.restored import restored
from circlet.models.learned.folder import CONFIG
from circlet.train.fit import RESUME, Fitted, StepReport, fit
from circlet.train.recipe import Recipe
from circlet.train.setup import pictures_of
from circlet.train.tasks.sets import AnywhereTask, ModuleTask, Sets, SetTask

# What a module stands on.
BATCH = "context-batch"
# How each variant is trained, as chosen on val of the tableaux frames (docs/context.md says by how many
# trials); a batch counts sets where sets are learned from, and texts elsewhere. What is hidden of pictures is
# hidden of texts as well, piece by piece.
_USUAL = Recipe(rate=1e-4, batch=36, epochs=4, hidden=0.1, patience=2)
RECIPES: Mapping[str, Recipe] = {
    "bi-encoder": _USUAL,
    BATCH: replace(_USUAL, rate=5e-4, batch=12),
    "context-module": replace(_USUAL, epochs=6),
    "differences": replace(_USUAL, rate=5e-4, batch=12),
    "temporal": replace(_USUAL, epochs=6),
    "single-stream": replace(_USUAL, rate=3e-4, epochs=6),
    "single-stream-batch": replace(_USUAL, rate=3e-4, batch=12),
    "blind": replace(_USUAL, rate=3e-4, batch=12, epochs=6),
    "wordless": replace(_USUAL, batch=12),
}


class Accuracy(NamedTuple):
    """How often the right picture is first, in 100: of all texts, of those about films, and of the rest."""

    all: float
    video: float
    static: float

    def __str__(self) -> str:
        return f"{self.all:.1f} of 100 found, video {self.video:.1f}, static {self.static:.1f}"


@dataclass(frozen=True)
class TrainedContext:
    """What came of a training: how it went, and what is found on val, by what it began with and by itself."""

    fitted: Fitted
    before: Accuracy
    accuracy: Accuracy


def base_of(encoder: PictureEncoder) -> PictureEncoder:
    """The encoder whose vectors a context model over this one looks at: that below a trained one."""
    return encoder.base if isinstance(encoder, Joint) else encoder


def open_sets(benchmark: Benchmark, encoder: PictureEncoder, *, progress: Progress | None = None) -> Sets:
    """A benchmark's sets ready to learn from: `open_sets(benchmark, load_encoder("tableaux-encoder"))`.

    Texts are read as the encoder's own head reads them, pictures are the vectors of its base.
    """
    cases = [case for case in benchmark.cases if case.members and case.target in case.members]
    sizes = {len(case.members) for case in cases}
    if len(sizes) != 1 or sizes == {1}:
        raise DataError(
            f"{benchmark.name} {benchmark.split}: a context model learns from sets of equal size with a "
            "target in each; name a benchmark like tableaux:frames:FOLDER or imagecode:ROOT"
        )
    files = pictures_of(benchmark)
    features, lost = FeatureStore().features(files, base_of(encoder), progress=progress)
    if lost:
        raise DataError(f"{benchmark.name}: {next(iter(lost.values()))}; put the picture there")
    listed = dict.fromkeys((case.members, case.in_time) for case in cases)
    sets = {key: number for number, key in enumerate(listed)}
    texts = tuple(case.query.together.last.text for case in cases)
    heard = read(texts, meanings=isinstance(encoder, Joint) and encoder.config["meanings"])
    return Sets(
        name=benchmark.header(),
        vectors=torch.from_numpy(np.asarray(features.vectors).astype(np.float16)),
        members=np.array([features.rows_of(ids) for ids, _ in sets], np.int64),
        in_time=np.array([in_time for _, in_time in sets]),
        texts=texts,
        heard=tuple(part.astype(np.float16) for part in heard),
        of=np.array([sets[case.members, case.in_time] for case in cases], np.int64),
        place=np.array([case.members.index(str(case.target)) for case in cases], np.int64),
    )


def found(network: Comparing, sets: Sets) -> NDArray[np.bool_]:
    """For each text whether the network finds its picture."""
    right = np.zeros(len(sets.texts), bool)
    with torch.inference_mode():
        for some in sets.blocks():
            asked, texts = sets.asked(some)
            right[texts] = sets.right(network(asked), texts)
    return right


def accuracy(right: NDArray[np.bool_], sets: Sets) -> Accuracy:
    """The shares of what was found, in 100."""
    films = sets.in_time[sets.of]
    parts = (right, right[films], right[~films])
    return Accuracy(*(100 * float(part.mean()) if len(part) else 0.0 for part in parts))


def train_context(
    variant: str,
    train: Sets,
    validation: Sets,
    encoder: PictureEncoder,
    out: Path,
    recipe: Recipe | None = None,
    *,
    start: Path | None = None,
    progress: Callable[[StepReport], None] | None = None,
) -> TrainedContext:
    """Train one variant on one split, stop by another; `out` is then a method (`load_context`).

    The heads begin as those of a trained `encoder`, and from nothing over any other. A module stands on a
    folder that was trained as `context-batch`, its `start`, and leaves that as it is. A training that was
    killed goes on with the same call.

        trained = train_context("context-batch", train, val, encoder, Path("out/batch.0"), Recipe(seed=0))
        train_context("temporal", train, val, encoder, Path("out/time.0"), start=Path("out/batch.0"))
    """
    if variant not in VARIANTS:
        raise UsageError(f"no variant {variant!r}: pick one of {', '.join(VARIANTS)}")
    if (out / CONFIG).exists() and not (out / RESUME).exists():
        raise UsageError(f"{out} already holds a finished context model: name another folder, or delete it")
    if (start is None) == (variant in MODULES):
        raise UsageError(
            f"{variant} stands on a context-batch: name its folder as the start"
            if start is None
            else f"{variant} begins from the encoder: leave the start out"
        )
    recipe = recipe or RECIPES[variant]
    base = base_of(encoder)
    about = {
        "encoder": base.fingerprint,
        "base": anywhere(getattr(base, "name", repr(base))),
        "begun": encoder.fingerprint,
        "data": train.name,
        "validation": validation.name,
    }
    about |= {"variant": variant, "start": start.name} if start else {"variant": variant}
    torch.manual_seed(recipe.seed)
    heads = _heads_at(start, base) if start else begun(encoder)
    # Of a trained encoder this is the zero-shot row: its learned half alone, without the base.
    before = accuracy(found(BiEncoder(heads).eval(), validation), validation)
    network = build(variant, heads)

    def validate(network: Comparing) -> float:
        return accuracy(found(network, validation), validation).all

    options: dict[str, Any] = {"folder": out, "about": about, "progress": progress}
    if isinstance(network, InContext):
        fitted = _fit_module(network, train, validation, recipe, options)
    else:
        fitted = fit(_task(variant, network, train, recipe, encoder), recipe, validate=validate, **options)
    reached = accuracy(found(network.eval(), validation), validation)
    told = {
        **about,
        "training": asdict(recipe),
        "before": before._asdict(),
        "val": reached._asdict(),
        "history": [epoch._asdict() for epoch in fitted.history],
    }
    save_context(out, variant, network, told)
    (out / RESUME).unlink()
    return TrainedContext(fitted, before, reached)


def train_chain(
    variant: str,
    train: Sets,
    validation: Sets,
    encoder: PictureEncoder,
    out: Path,
    recipe: Recipe,
    *,
    start: Path | None = None,
    progress: Callable[[str, StepReport], None] | None = None,
) -> TrainedContext:
    """Train one variant and, where it stands on a context-batch and none is named, that first."""

    def told(step: str) -> Callable[[StepReport], None] | None:
        return (lambda report: progress(step, report)) if progress else None

    if variant in MODULES and start is None:
        start = out / "start"
        if not (start / CONFIG).exists() or (start / RESUME).exists():
            before = recipe_for(BATCH, seed=recipe.seed)
            train_context(BATCH, train, validation, encoder, start, before, progress=told(BATCH))
    return train_context(
        variant, train, validation, encoder, out, recipe, start=start, progress=told(variant)
    )


def begun(encoder: PictureEncoder) -> Heads:
    """The heads that a training begins with: those of a trained encoder, fresh ones over any other."""
    if isinstance(encoder, Joint):
        return restored(encoder.folder)
    places, channels = getattr(encoder, "places", (0, 0))
    return Heads(Sizes(vector=encoder.dim, places=places, channels=channels, meanings=False))


def _heads_at(start: Path, base: PictureEncoder) -> Heads:
    """The heads of a folder that was trained as `context-batch`."""
    network, config = read_context(start)
    if config["variant"] != BATCH or config["encoder"] != base.fingerprint:
        raise UsageError(
            f"{start} holds {config['variant']} over {config['encoder']}: a module stands on a context-batch "
            f"over {base.fingerprint}"
        )
    return network.heads


def _task(variant: str, network: Comparing, train: Sets, recipe: Recipe, encoder: PictureEncoder) -> SetTask:
    fresh = not isinstance(encoder, Joint)
    if variant in ("bi-encoder", "single-stream"):
        return AnywhereTask(network, train, recipe, fresh=fresh, binary=variant == "single-stream")
    return SetTask(network, train, recipe, fresh=fresh)


def _fit_module(
    network: InContext, train: Sets, validation: Sets, recipe: Recipe, options: Mapping[str, Any]
) -> Fitted:
    """Train nothing but the module."""
    module = network.module
    module.begin(float(network.heads.sharpness.detach()))
    task = ModuleTask(module, train, recipe, network)
    checked = ModuleTask(module, validation, replace(recipe, hidden=0), network)
    every = np.arange(len(validation.texts))

    def validate(_: ContextModule) -> float:
        with torch.inference_mode():
            return accuracy(validation.right(checked.scores(every), every), validation).all

    return fit(task, recipe, validate=validate, **options)


def recipe_for(variant: str, **given: Any) -> Recipe:
    """How a variant is trained; what is given counts instead.

    >>> recipe_for("temporal", seed=2).seed
    2
    """
    return replace(RECIPES[variant], **given)
