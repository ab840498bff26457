"""What a collection's index holds, as a value to print or to send."""

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from circlet.collection.counting import under
from circlet.images.addresses import EVERYWHERE
from circlet.images.duplicates import SPACE as TINY_COPIES
from circlet.index import Marking, public_address
from circlet.models.seeing.watchers import ways

if TYPE_CHECKING:
    from circlet.collection.collection import Collection


@dataclass(frozen=True, kw_only=True)
class Info:
    """Where the index is, which folders it holds, which encoders made vectors, what is broken."""

    home: str
    store: str
    encoder: str
    pictures: int
    bytes: int
    folders: dict[str, int]
    encoders: dict[str, int]
    broken: dict[str, str]
    looked: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, collection: "Collection") -> "Info":
        """The state of this collection's index; an index that is not there yet is empty."""
        home, encoder = str(collection.home), collection.encoder_name
        roots = collection.roots()
        place = public_address(collection.location)
        if not collection.there:
            return cls(
                home=home,
                store=place,
                encoder=encoder,
                pictures=0,
                bytes=0,
                folders={},
                encoders={},
                broken={},
            )
        store = collection.store
        counts = store.counts()
        return cls(
            home=home,
            store=place,
            encoder=encoder,
            pictures=counts.pictures,
            bytes=counts.bytes,
            folders={root: under(collection, root) for root in roots},
            encoders={name: space.pictures for name, space in counts.spaces.items() if name != TINY_COPIES},
            broken={path: why.reason for place in EVERYWHERE for path, why in store.broken(place).items()},
            looked={way.doing: store.marked(way.kind) for way in ways()}
            if isinstance(store, Marking)
            else {},
        )

    def to_dict(self) -> dict[str, Any]:
        """The same as plain JSON values."""
        return asdict(self)

    def lines(self) -> list[str]:
        """The same for a person."""
        size = f"{self.bytes / 1e6:,.1f} MB"
        lines = [f"home      {self.home}", f"store     {self.store}", f"pictures  {self.pictures:,} ({size})"]
        lines += [f"folder    {folder}  {count:,}" for folder, count in self.folders.items()]
        lines += [f"vectors   {name}  {count:,}" for name, count in self.encoders.items()]
        lines += [f"looked    {doing}  {count:,}" for doing, count in self.looked.items()]
        if self.broken:
            lines.append(f"broken    {len(self.broken):,}; circlet info --broken lists them")
        if not self.folders:
            lines.append("nothing is indexed yet: circlet index FOLDER")
        return lines
