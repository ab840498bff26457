"""Work for people: what they are asked, the queue, their answers, what is odd in them, what comes of them."""

from circlet.studio.desk import Desk
from circlet.studio.exports import Exported, export
from circlet.studio.figures import Figures, figures
from circlet.studio.guidelines import breaches, description_breaches
from circlet.studio.items import Answer, Item
from circlet.studio.project import Project, project_text, read_project
from circlet.studio.quality import Flag, flags, to_review
from circlet.studio.tasks import TASKS, Unfinished
from circlet.studio.texts import read_texts

__all__ = [
    "TASKS",
    "Answer",
    "Desk",
    "Exported",
    "Figures",
    "Flag",
    "Item",
    "Project",
    "Unfinished",
    "breaches",
    "description_breaches",
    "export",
    "figures",
    "flags",
    "project_text",
    "read_project",
    "read_texts",
    "to_review",
]
