"""Everything that the trainings on one benchmark share, and one call to train a model in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch

from circlet.core import Benchmark, DataError, Encoder, Method, PictureEncoder, Progress, UsageError, Vectors
from circlet.evaluate import Mean, RankMeasure, Recall, SubsetRecall, judge
from circlet.evaluate.result import default_measures
from circlet.models.features import Features, FeatureStore
from circlet.models.learned import spec_of
from circlet.models.learned.composer import Learned
from circlet.models.learned.folder import CONFIG, save
from circlet.models.learned.network import Network, build
from circlet.models.learned.words import Language
from circlet.train.batches import TripletBatches
from circlet.train.fit import RESUME, Fitted, StepReport, fit
from circlet.train.recipe import Recipe
from circlet.train.tasks.composing import PictureTask, TripletTask
from circlet.train.tasks.triplets import Triplets

WIDTH = 512


def headline(benchmark: Benchmark) -> RankMeasure:
    """The measure that the benchmark itself sums up by: the last mean it names, else Recall @ 10.

    A benchmark with subsets that names no mean is summed up as CIRR is.

    >>> toy = Benchmark(name="toy", split="val", cases=(), galleries={},
    ...                 measures=("Recall @ 1", "Mean(Recall @ 5, SubsetRecall @ 1)"))
    >>> headline(toy)
    Mean(Recall @ 5, SubsetRecall @ 1)
    """
    means = [measure for measure in default_measures(benchmark) if isinstance(measure, Mean)]
    if means:
        return means[-1]
    whole = bool(benchmark.cases) and all(case.subset for case in benchmark.cases)
    return Mean(Recall @ 5, SubsetRecall @ 1) if whole else Recall @ 10


class Remembering:
    """An encoder that encodes each text once: validation asks for the same ones again and again."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.fingerprint = encoder.fingerprint
        self.dim = encoder.dim
        self._known: dict[str, Vectors] = {}

    def __repr__(self) -> str:
        return repr(self.encoder)

    def images(self, pictures: Sequence[Any]) -> Vectors:
        """One row per picture."""
        return self.encoder.images(pictures)

    def texts(self, words: Sequence[str]) -> Vectors:
        """One row per text."""
        new = [text for text in dict.fromkeys(words) if text not in self._known]
        if new:
            self._known.update(zip(new, self.encoder.texts(new), strict=True))
        return np.stack([self._known[text] for text in words]) if len(words) else self.encoder.texts([])


@dataclass(frozen=True)
class Trained:
    """A trained network with what it needs to be a method."""

    name: str
    network: Network
    language: Language
    fitted: Fitted


class TrainingSetup:
    """A training and a validation benchmark, with features and words ready for any model."""

    def __init__(
        self,
        train: Benchmark,
        validation: Benchmark,
        features: Features,
        encoder: Encoder,
        language: Path,
        *,
        layers: int = 0,
    ) -> None:
        self.train_benchmark, self.validation = train, validation
        self.features = features
        self.encoder = Remembering(encoder)
        self.language_folder, self.layers = language, layers
        self.triplets = Triplets.of(train, features.ids)
        self.measure = headline(validation)

    @cached_property
    def _language(self) -> Language:
        return Language.load(self.language_folder, layers=self.layers).learning(self.triplets.words())

    @cached_property
    def supply(self) -> TripletBatches:
        """Batches of the training benchmark, the same for every model."""
        return TripletBatches(self.triplets, self.features, self._language, encoder=self.encoder)

    def method(self, trained: Trained) -> Learned:
        """The trained network as a method over these features."""
        return Learned(trained.network, trained.language, self.encoder, name=trained.name)

    def score(self, method: Method) -> float:
        """The method's headline on the validation benchmark, in percent."""
        return self.measure.value(judge(method, self.validation, self.features))

    def start(self, model: str, *, seed: int, pretrained: bool = True, width: int = WIDTH) -> Trained:
        """A network as it is before its first step; the same seed gives the same weights."""
        language = self._language if pretrained else replace(self._language, weights=None)
        torch.manual_seed(seed)
        network = build(model, self.supply.shape(width), language)
        return Trained(model, network.eval(), language, Fitted(0.0, 0, ()))

    def train(
        self,
        model: str,
        recipe: Recipe,
        *,
        pretrained: bool = True,
        width: int = WIDTH,
        out: Path | None = None,
        device: str = "cpu",
        progress: Callable[[StepReport], None] | None = None,
    ) -> Trained:
        """Train one model; with `out` its best weights and its unfinished state are kept there."""
        begun = self.start(model, seed=recipe.seed, pretrained=pretrained, width=width)
        kind = PictureTask if spec_of(model).pairs else TripletTask
        task = kind(begun.network, self.supply, recipe, device=device)
        about = {"pretrained": pretrained, "width": width}
        return self.fit(begun, task, recipe, about=about, out=out, progress=progress)

    def fit(
        self,
        begun: Trained,
        task: TripletTask,
        recipe: Recipe,
        *,
        about: Mapping[str, Any],
        out: Path | None = None,
        progress: Callable[[StepReport], None] | None = None,
    ) -> Trained:
        """Train a network that has begun, by this task; `about` says what else its folder must agree on."""
        if out is not None and (out / CONFIG).exists() and not (out / RESUME).exists():
            raise UsageError(f"{out} already holds a finished checkpoint: name another folder, or delete it")
        model, language = begun.name, begun.language
        about = {
            "model": model,
            **about,
            "layers": self.layers,
            "encoder": self.features.fingerprint,
            "data": self.train_benchmark.header(),
            "revision": self.train_benchmark.revision,
            "queries": len(self.triplets),
            "validation": self.validation.header(),
            "measure": repr(self.measure),
        }

        def validate(network: Network) -> float:
            return self.score(Learned(network, language, self.encoder, name=model))

        def keep(network: Network, fitted: Fitted) -> None:
            assert out is not None
            training = {**about, **asdict(recipe), "score": fitted.best, "epoch": fitted.epoch}
            training["history"] = [epoch._asdict() for epoch in fitted.history]
            save(
                out,
                network,
                language,
                name=model,
                options={},
                fingerprint=self.features.fingerprint,
                training=training,
            )

        fitted = fit(
            task,
            recipe,
            validate=validate,
            keep=keep if out else None,
            folder=out,
            about=about,
            progress=progress,
        )
        if out is not None:
            keep(begun.network, fitted)
            (out / RESUME).unlink()
        return replace(begun, fitted=fitted)


def open_setup(
    train: Benchmark,
    validation: Benchmark,
    *,
    encoder: PictureEncoder,
    language: Path | None = None,
    layers: int = 0,
    tokens: bool = False,
    also: tuple[Benchmark, ...] = (),
    progress: Progress | None = None,
) -> TrainingSetup:
    """Everything ready to train on these benchmarks; `also` are further ones whose features it has."""
    from circlet.models.learned.words import minilm

    files = pictures_of(train, validation, *also)
    features, lost = FeatureStore().features(files, encoder, tokens=tokens, progress=progress)
    if lost:
        id, reason = next(iter(lost.items()))
        raise DataError(f"picture {id} cannot be read ({reason}): check the benchmark's root")
    ready = features.in_half_precision()
    return TrainingSetup(train, validation, ready, encoder, language or minilm(), layers=layers)


def pictures_of(*benchmarks: Benchmark) -> dict[str, Path]:
    """Where the pictures of these benchmarks are, each once; one without a file is an error."""
    images: dict[str, Path] = {}
    for benchmark in benchmarks:
        lacking = [id for id in benchmark.pictures if id not in benchmark.images]
        if lacking:
            raise DataError(
                f"{benchmark.name} {benchmark.split}: no file is known for {len(lacking)} pictures, "
                f"the first {lacking[0]}; point the name at the folder that holds them"
            )
        images |= {id: benchmark.images[id] for id in benchmark.pictures}
    return images
