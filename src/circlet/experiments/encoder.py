"""The tableaux world's own encoder: trained or taken from the cache, and everything it is measured by."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from circlet.core import Benchmark, PictureEncoder, UsageError
from circlet.core.home import home, room
from circlet.data.captions import Captions, Saying
from circlet.data.jsonl import read_benchmark, write_benchmark
from circlet.data.tableaux.draw.render import SIDE
from circlet.data.tableaux.files import Stages, draw, scenes_recipe
from circlet.data.tableaux.tasks.facts import fact_pairs, facts_benchmark
from circlet.data.tableaux.tasks.kin import KIN, draw_kin
from circlet.data.tableaux.tasks.sayings import TableauxCaptions
from circlet.data.tableaux.tasks.trials import aspects_benchmark, draw_trials, trial_scenes
from circlet.data.tableaux.world.kinds import CROWD
from circlet.data.tableaux.world.scene import Scene
from circlet.evaluate import judge, measure, parse_measures
from circlet.evaluate.result import default_measures
from circlet.models import load_encoder, load_method
from circlet.models.artefacts import combined
from circlet.models.features import Features, FeatureStore
from circlet.models.joint.encoder import CONFIG
from circlet.train.encoder import CaptionScore, CaptionSet, open_set, recipe_for, train_encoder
from circlet.train.fit import RESUME

BASE = "finest"
VERSION = "4"  # part of the cached encoder's name: change it when a training would come out otherwise
# Pairs of each fact, and queries of each aspect: the size of paper 001's set.
EACH = 200


@dataclass(frozen=True)
class Shuffled:
    """Captions that went to other pictures: whatever is learned from them is no seeing."""

    captions: TableauxCaptions

    @property
    def name(self) -> str:
        """What they are."""
        return f"{self.captions.name}, captions shuffled"

    @property
    def files(self) -> Mapping[str, Path]:
        """The pictures by id."""
        return self.captions.files

    @property
    def families(self) -> Sequence[Sequence[str]]:
        """Which pictures belong together; what is said of them does not."""
        return self.captions.families

    @cached_property
    def _other(self) -> dict[str, str]:
        ids = list(self.captions.files)
        shuffled = random.Random(0).sample(ids, len(ids))
        return dict(zip(ids, shuffled, strict=True))

    def facts(self, id: str) -> frozenset[str]:
        """What is true of another picture."""
        return self.captions.facts(self._other[id])

    def whole(self, id: str) -> Saying:
        """Another picture's caption."""
        return self.captions.whole(self._other[id])

    def say(self, id: str, chance: random.Random) -> Saying:
        """Something about another picture."""
        return self.captions.say(self._other[id], chance)


def tableaux_encoder(
    world: Path, *, seed: int = 0, shuffled: bool = False, stages: Stages | None = None
) -> PictureEncoder:
    """The encoder of a tableaux set, trained on its train and val splits or read back from the cache."""
    return load_encoder(str(tableaux_checkpoint(world, seed=seed, shuffled=shuffled, stages=stages)))


def tableaux_checkpoint(
    world: Path, *, seed: int = 0, shuffled: bool = False, stages: Stages | None = None
) -> Path:
    """Where the encoder of a tableaux set is, which is trained if it is not there yet."""
    made = scenes_recipe(world)
    base = load_encoder(BASE)
    tell = stages or (lambda stage, done, of: None)
    plain = TableauxCaptions(world, "train", kin=draw_kin(home() / "tableaux", KIN, tell))
    recipe = recipe_for(len(plain.files), seed=seed)
    key = combined(made, repr(recipe), str(shuffled), base.fingerprint, VERSION)
    out = room("encoders") / f"tableaux-{key}"
    if not (out / CONFIG).exists() or (out / RESUME).exists():
        train: Captions = Shuffled(plain) if shuffled else plain

        def encoded(done: int, total: int | None) -> None:
            tell("encoding", done, total or done)

        taught, _ = open_set(train, base, progress=encoded)
        checked, _ = open_set(TableauxCaptions(world, "val"), base, progress=encoded)
        name = f"training{' on shuffled captions' * shuffled}, seed {seed}"
        train_encoder(
            taught, checked, base, out, recipe, progress=lambda told: tell(name, told.step, told.steps)
        )
    return out


def probe(kind: str, split: str, *, each: int = EACH, stages: Stages | None = None) -> Benchmark:
    """`facts` or `aspects` of a split at the paper's size, drawn on first use and kept.

    Numbers go to ten in the aspects, as in a set's own for test; val's are smaller.
    """
    root = room("tableaux") / f"{kind}-{each}{'-to-ten' * (kind == 'aspects')}"
    place = root / f"{kind}.{split}.jsonl"
    if not place.exists():
        if kind == "facts":
            benchmark, scenes = facts_benchmark(split, fact_pairs(split, each))
        elif kind == "aspects":
            benchmark, scenes = _aspects(split, each)
        else:
            raise UsageError(f"no probe {kind!r}: pick facts or aspects")
        files = draw(root, scenes, SIDE, 2, stages or (lambda stage, done, of: None))
        write_benchmark(replace(benchmark, images=files, revision=f"{each} of each"), place)
    return read_benchmark(place)


def _aspects(split: str, each: int) -> tuple[Benchmark, dict[str, Scene]]:
    rng = random.Random(f"probe {split}")
    trials, ids = draw_trials(split, each, rng, set(), name="probe", most=CROWD)
    return aspects_benchmark(split, trials, ids), trial_scenes(trials, ids)


def caption_scores(encoder: PictureEncoder, world: Path, split: str) -> CaptionScore:
    """How well the whole captions of a split find their pictures among all of it."""
    captions = TableauxCaptions(world, split)
    features, _ = FeatureStore().features(captions.files, encoder)
    here = CaptionSet(captions, features.vectors_of(list(captions.files)))
    return here.score(encoder.texts([one.text for one in here.sayings]), here.vectors)


def measured(
    encoder: PictureEncoder, benchmark: Benchmark, method: str, measures: Sequence[str] = ()
) -> dict[str, float]:
    """A method's measures on a benchmark, by name."""
    chosen = parse_measures(measures) if measures else default_measures(benchmark)
    judged = judge(load_method(method, encoder), benchmark, _features(encoder, benchmark))
    return dict(measure(judged, benchmark, chosen).measures)


def by_share(
    encoder: PictureEncoder, benchmark: Benchmark, aspect: str, shares: Sequence[float]
) -> dict[float, float]:
    """How often the plain sum tells target and hard negative of an aspect, by the picture's share of it."""
    some = replace(benchmark, cases=tuple(case for case in benchmark.cases if aspect in case.aspects))
    features = _features(encoder, some)
    chosen = parse_measures(("SubsetRecall @ 1",))
    found = {}
    for share in shares:
        judged = judge(load_method("sum", encoder, balance=share), some, features)
        (found[share],) = measure(judged, some, chosen).measures.values()
    return found


def _features(encoder: PictureEncoder, benchmark: Benchmark) -> Features:
    files = {id: benchmark.images[id] for id in benchmark.pictures}
    return FeatureStore().features(files, encoder)[0]
