"""Paper 004 in the tableaux world: scorers of relevance, trained by preference, held against judges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from circlet.core import Benchmark, Encoder, Gallery, Key, Progress
from circlet.data import load_benchmark
from circlet.data.tableaux.tasks.judges import judges_benchmark
from circlet.evaluate import rank
from circlet.experiments import composers
from circlet.experiments.aspects import clause_method
from circlet.experiments.composers import sample
from circlet.experiments.lab import PAINTERS, Job, TrainingLab
from circlet.experiments.workers import Table
from circlet.experiments.zero_shot import zero_shot
from circlet.models import load_encoder
from circlet.models.features import FeatureStore
from circlet.models.scenes.scene_clauses import SceneClauses
from circlet.models.scenes.scene_folder import load_scenes
from circlet.models.scorers.checked import clause_scorer
from circlet.models.scorers.clauses import ClauseScorer
from circlet.train.recipe import Recipe
from circlet.train.relevance import BEGINNING, MODEL, RECIPE, begun_from, prefer
from circlet.train.scenes import DRAWN, LOOKING, open_scenes, train_scenes
from circlet.train.setup import TrainingSetup, open_setup, pictures_of
from circlet.train.tasks.preference import NEGATIVES

START, SCRATCH, LONG, SCENES = "start", "untrained", "cirplant-long", "scenes"
# What sees half of the input, trained as the start is.
BLIND = ("image-only", "text-only")
# The methods whose sets are judged: by name, and the encoder they see with.
METHODS: tuple[tuple[str, str], ...] = (
    ("text", "tableaux"),
    ("image", "tableaux"),
    ("sum", "tableaux"),
    ("caption", "tableaux"),
    ("balanced", "tableaux"),
    ("default", "tableaux"),
    ("sum", "builtin"),
    ("default", "builtin"),
)
# The methods whose order is told: all that need no training, over two encoders.
_UNTRAINED = ("text", "image", "sum", "slerp", "edits", "caption", "balanced", "default")
ORDERED = tuple((name, over) for over in ("tableaux", "builtin") for name in _UNTRAINED)
WIDTH = 256


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How much is spent: the size of the world, the seeds, and both steps of the training.

    The scene reader learns from so many scenes (0: all) and families drawn beside them, in so many passes.
    """

    size: str
    seeds: int
    beginning: Recipe
    preferring: Recipe
    validation: int
    drawn: int
    scenes: int
    families: int
    looking: int


FULL = Effort(
    size="standard",
    seeds=3,
    beginning=BEGINNING,
    preferring=replace(RECIPE, queries=4000),
    validation=600,
    drawn=400,
    scenes=0,
    families=DRAWN,
    looking=LOOKING.epochs,
)
QUICK = Effort(
    size="small",
    seeds=1,
    beginning=replace(BEGINNING, epochs=1, batch=32),
    preferring=replace(RECIPE, epochs=3, batch=32),
    validation=240,
    drawn=40,
    scenes=120,
    families=10,
    looking=1,
)
# From nothing the same network needs larger steps.
_FRESH = 1e-3


class Lab(TrainingLab[Effort]):
    """Scorers of relevance over one tableaux set."""

    def bench(self, task: str, split: str) -> Benchmark:
        """One of the set's benchmarks."""
        return load_benchmark(f"tableaux:{task}:{self.world}:{split}")

    @cached_property
    def relevance(self) -> dict[str, Benchmark]:
        """The graded queries of val and test."""
        return {split: self.bench("relevance", split) for split in ("val", "test")}

    @cached_property
    def everything(self) -> tuple[Benchmark, ...]:
        """All that is measured on."""
        held_out = (self.bench("cir", "test"), self.bench("aspects", "test"))
        return (
            *self.relevance.values(),
            *(self.bench("judges", split) for split in self.relevance),
            *held_out,
        )

    def setup(self, progress: Progress | None = None) -> TrainingSetup:
        """Everything ready to train."""
        train, val = self.bench("cir", "train"), sample(self.bench("cir", "val"), self.effort.validation)
        return open_setup(train, val, encoder=self.encoder, also=self.everything, progress=progress)

    def features(self, encoder: str, progress: Progress | None = None) -> tuple[Encoder, Gallery]:
        """Another encoder, with its vectors of the graded pictures."""
        chosen = load_encoder(encoder)
        held, _ = FeatureStore().features(pictures_of(*self.relevance.values()), chosen, progress=progress)
        return chosen, held

    @cached_property
    def _setup(self) -> TrainingSetup:
        return self.setup()

    def jobs(self) -> list[list[Job]]:
        """What is trained: what all begin from, then each way of choosing negatives."""
        seeds = range(self.effort.seeds)
        later = [(way, seed) for seed in seeds for way in NEGATIVES]
        fresh = [(f"{SCRATCH}-{way}", 0) for way in NEGATIVES]
        begun = [(START, seed) for seed in seeds]
        return [[*begun, *((blind, 0) for blind in BLIND)], [*later, *fresh]]

    def long_jobs(self) -> list[Job]:
        """What reads scenes, and CIRPLANT, trained long."""
        return [(SCENES, 0), (LONG, 0)]

    @property
    def budget(self) -> composers.Budget:
        """What the composers' table spends in a world of this size."""
        return composers.FULL if self.effort.size == "standard" else composers.QUICK

    def long_setup(self, progress: Progress | None = None) -> TrainingSetup:
        """What CIRPLANT is trained in, as the composers' table does."""
        return Table(self.world, self.out, self.budget, only=(LONG,)).setup(progress)

    def train_long(self) -> None:
        """CIRPLANT, trained long, whose first fifty are put into another order."""
        row = next(row for row in composers.ROWS if row.key == LONG)
        recipe = composers.recipe_of(row, self.budget, 0)
        self.long_setup().train(row.model, recipe, width=self.budget.width, out=self.place(LONG, 0))

    def train_scenes(self) -> None:
        """What reads scenes, trained on those of train."""
        train = open_scenes(
            self.world, "train", most=self.effort.scenes, drawn=self.effort.families, workers=PAINTERS
        )
        validation = open_scenes(self.world, "val", most=self.effort.scenes, workers=PAINTERS)
        looking = replace(LOOKING, epochs=self.effort.looking)
        data = f"tableaux:{self.world.name}"
        train_scenes(train, validation, self.place(SCENES, 0), looking, data=data)

    def train_one(self, way: str, seed: int) -> None:
        """Train one of those that score relevance, or what finds the pictures that they order."""
        if way == LONG:
            self.train_long()
            return
        if way == SCENES:
            self.train_scenes()
            return
        setup, out = self._setup, self.place(way, seed)
        if way in (START, *BLIND):
            model = MODEL if way == START else way
            setup.train(model, replace(self.effort.beginning, seed=seed), width=WIDTH, out=out)
            return
        recipe = replace(self.effort.preferring, seed=seed)
        fresh, negatives = way.startswith(SCRATCH), way.removeprefix(f"{SCRATCH}-")
        begun = (
            setup.start(MODEL, seed=seed, width=WIDTH)
            if fresh
            else begun_from(self.place(START, seed), setup)
        )
        recipe = replace(recipe, rate=_FRESH) if fresh else recipe
        prefer(setup, begun, recipe, negatives=negatives, about={"start": way}, out=out)  # type: ignore[arg-type]

    @cached_property
    def clauses(self) -> ClauseScorer:
        """Learned clauses over the world's own encoder."""
        scorer = clause_scorer(clause_method(self.world, 0, self.effort.drawn))
        assert scorer is not None
        return scorer

    @cached_property
    def scenes(self) -> SceneClauses:
        """Clauses checked by what is seen in pictures."""
        return load_scenes(self.place(SCENES, 0), self.encoder)

    def retrieved(self, split: str, features: Gallery, top: int) -> dict[str, dict[str, list[str]]]:
        """What each of `ORDERED` finds for each graded query."""
        relevance, found = self.relevance[split], {}
        for name, over in ORDERED:
            encoder, held = (self.encoder, features) if over == "tableaux" else self.features(over)
            run = rank(zero_shot(name, encoder), relevance, held, top=top)
            found[title(name, over)] = {
                case.id: list(run.rankings[Key(case.id)].ids) for case in relevance.cases
            }
        return found

    def judged(self, split: str, found: Mapping[str, Mapping[str, Sequence[str]]]) -> Benchmark:
        """Judges of what `METHODS` found, two of them a query."""
        return judges_benchmark(self.relevance[split], of_judged(found), 0)


def title(name: str, over: str) -> str:
    """What a method over an encoder is called."""
    return f"{name}, {over}"


def of_judged(found: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, Mapping[str, Sequence[str]]]:
    """What those methods found whose sets are judged."""
    return {name: found[name] for name in (title(*one) for one in METHODS)}
