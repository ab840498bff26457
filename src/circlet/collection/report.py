"""What came of an indexing run, as a value to print or to send."""

from dataclasses import dataclass, field


@dataclass
class IndexReport:
    """What one refresh did; `skipped` holds every picture that could not be read, with the reason.

    The moments of a video count as pictures, a video that is as it was as one; `notes` say of which
    videos not everything was seen.

    >>> print(IndexReport("/pictures", added=2, skipped=[("/pictures/a.jpg", "is cut short")]))
    /pictures: 2 added, 1 skipped
    """

    root: str
    added: int = 0
    updated: int = 0
    moved: int = 0
    forgotten: int = 0
    unchanged: int = 0
    films: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False

    def __str__(self) -> str:
        counts = {
            name: getattr(self, name) for name in ("added", "updated", "moved", "forgotten", "unchanged")
        }
        counts["videos read" if self.films > 1 else "video read"] = self.films
        counts["skipped"] = len(self.skipped)
        listed = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        if self.interrupted:
            return f"{self.root}: {listed or 'nothing read yet'}; interrupted"
        return f"{self.root}: {listed or 'no pictures'}"

    @property
    def encoded(self) -> int:
        """How many pictures went through the model."""
        return self.added + self.updated
