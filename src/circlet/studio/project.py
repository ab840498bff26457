"""The project file: what is asked of how many people about which pictures."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from circlet.core import UsageError
from circlet.core.files import read_text

# The kinds of project, each with its tasks in the order in which they follow from each other.
KINDS: dict[str, tuple[str, ...]] = {
    "cirr": ("modify", "extend", "retrieve"),
    "tens": ("describe", "find"),
    "compare": ("compare",),
    "verify": ("verify",),
    "study": ("study",),
}
# How many people answer each item, where the project does not say.
PEOPLE = {
    "modify": 1,
    "extend": 1,
    "retrieve": 3,
    "describe": 1,
    "find": 3,
    "compare": 1,
    "verify": 1,
    "study": 1,
}
_HINT = "`circlet studio new` writes such a file"


@dataclass(frozen=True, kw_only=True)
class Project:
    """A project as its file says it; paths are told from the file's own folder.

    `people` are the answers wanted of each item by task; 0 leaves a task out. Descriptions of a
    training set are found by one person, whatever `people` says, as in ImageCoDe. An item that
    was given out and not answered within `minutes` goes to somebody else. `review` is the share of
    answers that are looked at without cause. Whoever gets less than `need` of the `known` items right
    is given no more. `order` of ten pictures: time, shuffled, or auto for what the set's name says.

    >>> Project(path=Path("p/project.toml"), title="Mine", kind="cirr", source="mine").answers.as_posix()
    'p/answers.sqlite'
    """

    path: Path
    title: str
    kind: str
    source: str
    pictures: str = ""
    store: str = "answers.sqlite"
    people: Mapping[str, int] = field(default_factory=dict)
    runs: tuple[str, ...] = ()
    top: int = 5
    most: int = 0
    rounds: int = 5
    results: bool = False
    attention: bool = True
    order: str = "auto"
    seed: int = 0
    review: float = 0.3
    minutes: float = 30.0
    known: str = ""
    need: float = 0.8
    texts: str = ""
    encoder: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"{self.path}: kind = {self.kind!r} is none of {', '.join(KINDS)}")
        if unknown := sorted(set(self.people) - set(KINDS[self.kind])):
            raise UsageError(
                f"{self.path}: [people] has {', '.join(unknown)}, and {self.kind} has the tasks "
                f"{', '.join(KINDS[self.kind])}"
            )
        if any(count < 0 for count in self.people.values()) or self.minutes <= 0:
            raise UsageError(f"{self.path}: people and minutes are counted from above zero")
        if not 0 <= self.review <= 1 or not 0 <= self.need <= 1:
            raise UsageError(f"{self.path}: review and need are shares from 0 to 1")
        if self.order not in ("auto", "time", "shuffled"):
            raise UsageError(f"{self.path}: order = {self.order!r} is none of auto, time, shuffled")

    @property
    def folder(self) -> Path:
        """Where the project's file lies."""
        return self.path.parent

    @property
    def answers(self) -> Path:
        """The file of answers."""
        return self.folder / self.store

    @property
    def root(self) -> Path:
        """What the items are made of: a folder or a file."""
        return self.folder / Path(self.source).expanduser()

    @property
    def gallery(self) -> Path:
        """The folder of pictures; the source's own where none is named."""
        if self.pictures:
            return self.folder / Path(self.pictures).expanduser()
        return self.root if self.root.is_dir() else self.root.parent

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that are asked, in order."""
        return tuple(task for task in KINDS[self.kind] if self.wanted(task))

    def wanted(self, task: str, split: str = "") -> int:
        """How many people answer an item of this task.

        >>> tens = Project(path=Path("p.toml"), title="", kind="tens", source=".")
        >>> tens.wanted("find", "train"), tens.wanted("find", "val")
        (1, 3)
        """
        count = self.people.get(task, PEOPLE[task])
        return min(count, 1) if task == "find" and split == "train" else count


def read_project(path: Path | str) -> Project:
    """The project of a file; what is wrong in it is named."""
    path = Path(path).expanduser()
    try:
        said = tomllib.loads(read_text(path, _HINT))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not TOML ({error}); correct it, or {_HINT}") from None
    if gone := [name for name in ("title", "kind", "source") if name not in said]:
        raise UsageError(f"{path}: no {', '.join(gone)}; {_HINT}")
    fields = Project.__dataclass_fields__
    for name, value in said.items():
        if name not in fields or name == "path":
            known = ", ".join(sorted(set(fields) - {"path"}))
            raise UsageError(f"{path}: a project has no {name!r}; it has {known}")
        if not _fits(value, fields[name].type):
            raise UsageError(f"{path}: {name} = {value!r} is not what it should be; {_HINT}")
    if isinstance(said.get("runs"), list):
        said["runs"] = tuple(said["runs"])
    return Project(path=path, **said)


def _fits(value: Any, wanted: Any) -> bool:
    """Whether a value of the file is of the type that the field has."""
    if wanted == Mapping[str, int]:
        return isinstance(value, dict) and all(type(count) is int for count in value.values())
    if wanted == tuple[str, ...]:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    return type(value) in (int, float) if wanted is float else type(value) is wanted


def project_text(**said: Any) -> str:
    """A project file's text: `project_text(title="Mine", kind="cirr", source="mine")`.

    >>> print(project_text(title="Mine", kind="cirr", source=".", people={"modify": 1}), end="")
    title = "Mine"
    kind = "cirr"
    source = "."
    <BLANKLINE>
    [people]
    modify = 1
    """
    people = said.pop("people", {})
    lines = [f"{name} = {_value(value)}" for name, value in said.items() if value not in ("", None, ())]
    if people:
        lines += ["", "[people]", *(f"{task} = {count}" for task, count in people.items())]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        kept = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{kept}"'
    return str(value)
