"""The tasks by name."""

from circlet.studio.tasks.compare import Compare
from circlet.studio.tasks.describe import Describe
from circlet.studio.tasks.extend import Extend
from circlet.studio.tasks.find import Find
from circlet.studio.tasks.modify import Modify
from circlet.studio.tasks.retrieve import Retrieve
from circlet.studio.tasks.study import Study
from circlet.studio.tasks.task import Task, Unfinished
from circlet.studio.tasks.verify import Verify

TASKS: dict[str, Task] = {
    task.name: task
    for task in (Modify(), Extend(), Retrieve(), Describe(), Find(), Compare(), Verify(), Study())
}

__all__ = ["TASKS", "Task", "Unfinished"]
