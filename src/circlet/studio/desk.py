"""The desk: a project with its queue, its pictures and its rules; what pages and scripts work with."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from circlet.core import UsageError
from circlet.studio.items import Answer, Item
from circlet.studio.project import Project, read_project
from circlet.studio.sources import Source, read_source
from circlet.studio.store import Progress, Store
from circlet.studio.tasks import TASKS
from circlet.studio.texts import Texts, read_texts


class Desk:
    """A project that people work on: `Desk.open("project.toml")`.

    Pictures go by keys, which say nothing of a file's name: that may tell which is the target.
    """

    def __init__(self, project: Project, *, store: Store | None = None) -> None:
        self.project = project
        self.texts: Texts = read_texts(project.folder / project.texts if project.texts else None)
        self.source: Source = read_source(project)
        self.store = store or Store(project.answers, minutes=project.minutes)
        self.store.add(self.source.items)
        self.keys = {self.key(id): id for id in self.source.pictures}

    @classmethod
    def open(cls, path: Path | str) -> "Desk":
        """The desk of a project's file."""
        return cls(read_project(path))

    def key(self, id: str) -> str:
        """The name under which pages show a picture."""
        made_from = f"{self.project.seed} {id}".encode("utf-8", "surrogateescape")
        return hashlib.blake2b(made_from, digest_size=8).hexdigest()

    def file(self, key: str) -> Path | None:
        """The file of the picture with this key."""
        id = self.keys.get(key)
        return None if id is None else self.source.pictures[id]

    def next(self, person: str, task: str) -> Item | None:
        """What this person is to do now in a task; nothing for whoever failed what is known."""
        if task not in self.project.tasks:
            raise UsageError(f"this project has no task {task[:20]!r}: go back to the start")
        if self.failed(person, task):
            return None
        return self.store.next(person, task)

    def answer(self, person: str, item: Item, form: Mapping[str, str], *, revision: int = 0) -> Answer:
        """Keep what a form says; raises `Unfinished` where something is missing in it."""
        task = TASKS[item.task]
        way = task.watched(self.store.steps(person, item.number))
        return self.keep(person, item, task.read(form, item, person) | way, revision=revision)

    def keep(self, person: str, item: Item, answer: Mapping[str, Any], *, revision: int = 0) -> Answer:
        """Keep an answer as it is, and ask what follows from it."""
        return self.store.answer(person, item.number, answer, revision=revision, following=self.following)

    def following(self, answer: Answer) -> list[Item]:
        """What is asked of others because of an answer."""
        return [] if answer.item.known else TASKS[answer.item.task].follow(answer, self.project)

    def review(self, number: int, verdict: str, reason: str = "") -> None:
        """Accept or reject an answer."""
        self.store.review(number, verdict, reason, following=self.following)

    def failed(self, person: str, task: str) -> bool:
        """Whether this person has answered all that is known of a task, and too much of it wrong."""
        known = [item for item in self.store.items(task) if item.known] if self.project.known else []
        if not known:
            return False
        answered = [one for one in self.store.answers(task=task, person=person) if one.item.known]
        right = sum(TASKS[task].right(one.item, one.answer) is True for one in answered)
        return len(answered) >= len(known) and right < self.project.need * len(known)

    def progress(self, person: str = "") -> list[Progress]:
        """Every task of the project, also those that nothing has come to yet."""
        there = {one.task: one for one in self.store.progress(person)}
        return [there.get(task, Progress(task, 0, 0, 0)) for task in self.project.tasks]

    def close(self) -> None:
        """Let go of the answers' file."""
        self.store.close()
