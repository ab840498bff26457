"""What the JSON API takes and gives; every limit stands here and in the OpenAPI document."""

from dataclasses import Field as DataField
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from circlet.app.http.config import Limits
from circlet.app.http.keys import KEY
from circlet.collection import SearchOptions
from circlet.collection.options import WIDEST
from circlet.core import Orientation
from circlet.dialogue.moves import MoveName

_MOST = Limits()
PictureKey = Annotated[
    str, Field(pattern=f"^({KEY})$", description="A picture, as results and uploads name it.", max_length=25)
]
Text = Annotated[str, Field(max_length=_MOST.text)]
Word = Annotated[str, Field(max_length=_MOST.session, pattern="^[A-Za-z0-9_-]*$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TurnIn(_Strict):
    """One turn: a picture, words or both, and what was liked and disliked."""

    picture: PictureKey | None = None
    text: Text = ""
    without: list[Text] = Field(default=[], max_length=_MOST.phrases)
    emphasis: list[tuple[Text, Annotated[float, Field(ge=0, le=10)]]] = Field(
        default=[], max_length=_MOST.phrases
    )
    balance: float | None = Field(
        default=None, ge=0, le=1, description="The picture's share: 0 words, 1 picture."
    )
    liked: list[PictureKey] = Field(default=[], max_length=_MOST.marked)
    disliked: list[PictureKey] = Field(default=[], max_length=_MOST.marked)
    shown: list[PictureKey] = Field(default=[], max_length=_MOST.marked)
    instead: bool = Field(default=False, description="Whether it takes the place of all turns before it.")


def _option(one: "DataField[Any]") -> tuple[Any, Any]:
    """A search option's type in JSON, with its limits and the line about it."""
    about: dict[str, Any] = {"description": one.metadata["line"]}
    if one.name in ("after", "before"):
        about["description"] += " As a day, which is included."
        return str, Field(default="", pattern=r"^(\d{4}-\d{2}-\d{2})?$", **about)
    if one.name in ("min_size", "max_size"):
        return int | None, Field(default=None, ge=1, le=WIDEST, **about)
    if one.name == "orientation":
        return Orientation | Literal[""], Field(default="", **about)
    if isinstance(one.default, bool):
        return bool, Field(default=one.default, **about)
    longest = 1000 if one.name == "folder" else 200
    return str, Field(default="", max_length=longest, **about)


if TYPE_CHECKING:

    class OptionsIn(_Strict):
        """Method, history and filters; what is left out does not narrow."""

else:
    # One field for each of `SearchOptions` but those that page through the results.
    OptionsIn = create_model(
        "OptionsIn",
        __base__=_Strict,
        __doc__="Method, history and filters; what is left out does not narrow.",
        **{one.name: _option(one) for one in fields(SearchOptions) if not one.metadata.get("command")},
    )


class SearchIn(_Strict):
    """A search: turns of its own, or a session's word, or both (the turns then come after)."""

    session: Word = ""
    turns: list[TurnIn] = Field(default=[], max_length=_MOST.turns)
    options: OptionsIn = OptionsIn()
    start: int = Field(default=0, ge=0, le=_MOST.depth)
    top: int = Field(default=20, ge=1, le=_MOST.page)


class CompareIn(_Strict):
    """A search under two methods."""

    session: Word = ""
    turns: list[TurnIn] = Field(default=[], max_length=_MOST.turns)
    options: OptionsIn = OptionsIn()
    methods: Annotated[list[Annotated[str, Field(max_length=40)]], Field(min_length=2, max_length=2)]
    top: int = Field(default=20, ge=1, le=_MOST.page)


class SessionIn(_Strict):
    """The turns to begin a session with."""

    turns: list[TurnIn] = Field(default=[], max_length=_MOST.turns)


class MoveIn(_Strict):
    """One thing to do with a session; which other fields it needs depends on the move."""

    move: MoveName
    text: Text = Field(
        default="", description="say, edit: the words; more, less: the phrase; strike, turn: what was heard."
    )
    without: list[Text] = Field(default=[], max_length=_MOST.phrases)
    picture: PictureKey | None = Field(default=None, description="say, pick, like, dislike: which picture.")
    shown: list[PictureKey] | None = Field(
        default=None,
        max_length=_MOST.marked,
        description="pick: what was shown, best first; what was not picked of it counts as passed over.",
    )
    turn: int = Field(
        default=0,
        ge=0,
        le=_MOST.turns,
        description="back: to after this turn; edit, drop, also, instead: which.",
    )
    path: str = Field(default="", max_length=40, description="branch, switch: which of the session's paths.")
    balance: float | None = Field(default=None, ge=0, le=1)
    options: OptionsIn = OptionsIn()
    top: int = Field(default=20, ge=1, le=_MOST.page)


class PictureOut(BaseModel):
    """A picture: its key, its name and where it is, told from the collection's root."""

    key: str
    name: str
    place: str
    thumbnail: str


class PictureAbout(PictureOut):
    """A picture with what is known about it."""

    width: int | None = None
    height: int | None = None
    taken: str | None = None
    modified: str | None = Field(default=None, description="When its file was written last.")
    format: str | None = None
    bytes: int | None = None
    seconds: float | None = Field(default=None, description="When in its video it is; null: a plain picture.")
    original: str | None = Field(default=None, description="Where its own file is; null: kept back.")
    kept: bool = Field(default=False, description="Whether somebody decided to keep it.")


class CheckOut(BaseModel):
    """How likely it is that one clause of the search holds in a picture; null: it was not checked."""

    clause: str
    probability: float | None


class HitOut(PictureOut):
    """One result; `folded` are near-identical pictures it stands for, `checks` what holds in it."""

    rank: int
    score: float
    relevance: float | None = Field(
        description="How likely it answers the search, as fitted for the reranking scorer; null: nothing was."
    )
    below: bool
    folded: list[PictureOut]
    checks: list[CheckOut]


class SessionOut(BaseModel):
    """A session: the word that holds it, the page that shows it, its turns and its other paths."""

    session: str
    page: str
    current: str
    turns: list[dict[str, Any]]
    paths: dict[str, list[str]]


class MissedOut(BaseModel):
    """Why nothing matches: how likely the best result answers, and the clause that holds least in it."""

    relevance: float
    worst: CheckOut | None


class ResultsOut(SessionOut):
    """Results of a session, one page of them, best first."""

    results: list[HitOut]
    start: int
    more: bool
    matched: bool
    cutoff: float | None
    relevance_cutoff: float | None = Field(
        description="The relevance under which a result is below; null: results have none."
    )
    missed: MissedOut | None = Field(description="Why nothing matches, where results have a relevance.")
    notes: list[str] = Field(description="What of the question was not checked, with the remedy.")
    took_ms: float


class ComparedOut(BaseModel):
    """The same search under two methods, and how many pictures both found."""

    sides: dict[str, ResultsOut]
    both: int


class PartOut(BaseModel):
    """What one picture or phrase of one turn brought to a score."""

    turn: int
    kind: str
    what: str
    picture: str | None
    value: float


class PickIn(_Strict):
    """Pictures of the collection that hardly differ, and what the one that is meant has."""

    pictures: list[PictureKey] = Field(min_length=2, max_length=_MOST.page)
    text: Annotated[str, Field(min_length=1, max_length=_MOST.text)]


class PickedHit(HitOut):
    """One of the pictures that were picked from."""

    seconds: float | None = Field(description="When in its video it is; null: a plain picture.")
    kept: bool = Field(description="Whether somebody decided to keep it.")


class PickedOut(BaseModel):
    """The pictures, the likeliest first: as `circlet pick --json` gives them, with keys in place of paths."""

    query: dict[str, Any]
    results: list[PickedHit]
    cutoff: float | None
    relevance_cutoff: float | None
    missed: MissedOut | None
    matched: bool
    more: bool
    left_out: list[str]
    notes: list[str]


class KeepIn(_Strict):
    """Whether a picture is one to keep."""

    kept: bool = True


class KeptOut(BaseModel):
    """A picture, and whether somebody decided to keep it."""

    key: str
    kept: bool


class WhyOut(BaseModel):
    """A score in parts; they add up to it. Empty where the method scores pictures as a whole.

    With `by_clauses` the parts say how the picture was found, and the score comes from the checks.
    """

    picture: PictureOut
    score: float | None
    relevance: float | None
    parts: list[PartOut]
    by_clauses: bool
    checks: list[CheckOut]


class JobOut(BaseModel):
    """An indexing run: `share` goes from 0 to 1, and is null while the folder is being counted."""

    id: str
    state: str
    done: int
    total: int | None
    share: float | None
    report: dict[str, Any]
    error: str
    started: float
    ended: float | None


class BrokenOut(BaseModel):
    """A file that could not be read, and why."""

    place: str
    reason: str


class CollectionOut(BaseModel):
    """An indexed folder."""

    name: str
    pictures: int
    broken: int
    encoder: str


class MethodOut(BaseModel):
    """A way to rank."""

    name: str
    line: str


class UploadOut(PictureOut):
    """An upload that is kept: use its key in a turn."""


class HealthOut(BaseModel):
    """Whether the server is well."""

    status: str
    version: str
    indexing: bool


class Problem(BaseModel):
    """What went wrong (RFC 9457); `detail` is one line for a person."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
