"""Models of sentence-transformers, from the hub or a folder; their video half is left out where it must."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from circlet.core.errors import WeightsError
from circlet.core.files import parse_json
from circlet.models.artefacts import combined, digest
from circlet.models.encoders.fetching import SMALL, WEIGHTS, loaded, located, weights_in

_PATCHING = Lock()


def model_folder(name: str) -> Path:
    """Where a model of sentence-transformers lies on this machine."""
    folder = located(name, nested=True)
    if not weights_in(folder, nested=True):
        raise WeightsError(f"{folder} has no weights (model.safetensors): download the whole checkpoint")
    return folder


def fingerprint_of(folder: Path, *parts: str) -> str:
    """A hash of every file that a model's vectors depend on, its parts in folders of their own included."""
    files = {file for pattern in (*SMALL, *WEIGHTS) for file in folder.rglob(pattern)}
    return combined(digest(*sorted(files)), *parts)


def load_sentence_model(kind: Any, folder: Path, place: str, dtype: Any) -> Any:
    """A `SentenceTransformer` or `CrossEncoder` of this folder, on this device."""

    def make(path: str, **options: Any) -> Any:
        return kind(path, device=place, model_kwargs={"dtype": dtype}, **options)

    with _pictures_alone(folder):
        return loaded(make, folder)


@contextmanager
def _pictures_alone(folder: Path) -> Iterator[None]:
    """Processors of models that also take videos are loaded without that half, where torchvision lacks.

    transformers loads the whole processor or none, and its video half needs torchvision.
    """
    if find_spec("torchvision"):
        yield
        return
    inner: Any = import_module("sentence_transformers.base.modules.transformer")

    class Processors:
        """Stands where sentence-transformers asks for a processor."""

        @staticmethod
        def from_pretrained(name: str, **options: Any) -> Any:
            kind = _processor_class(folder)
            if kind is None or "video_processor" not in kind.get_attributes():
                return whole.from_pretrained(name, **options)
            return without_videos(kind).from_pretrained(name, **options)

    with _PATCHING:
        whole = inner.AutoProcessor
        inner.AutoProcessor = Processors
        try:
            yield
        finally:
            inner.AutoProcessor = whole


def _processor_class(folder: Path) -> Any:
    """The class of the folder's processor, as its files name it; None where they do not."""
    import transformers

    by_model: Any = import_module("transformers.models.auto.processing_auto").PROCESSOR_MAPPING_NAMES

    def said(file: str, key: str) -> str:
        path = folder / file
        return str(parse_json(path.read_text(encoding="utf-8")).get(key, "")) if path.is_file() else ""

    name = said("processor_config.json", "processor_class")
    name = name or said("preprocessor_config.json", "processor_class")
    name = name or by_model.get(said("config.json", "model_type"), "")
    return getattr(transformers, name, None) if name else None


def without_videos(kind: Any) -> Any:
    """A processor class with the same pictures and words, and no videos."""

    def begin(
        self: Any, image_processor: Any = None, tokenizer: Any = None, chat_template: Any = None, **more: Any
    ) -> None:
        kind.__init__(
            self, image_processor=image_processor, tokenizer=tokenizer, chat_template=chat_template, **more
        )

    return type(kind.__name__, (kind,), {"__init__": begin})


def mixture(parts: Sequence[Any]) -> dict[str, Any]:
    """Pictures and words as one input: the pictures, and the words as one text.

    >>> mixture(["a dog", "at night"])
    {'text': 'a dog\\nat night'}
    """
    pictures = [part for part in parts if not isinstance(part, str)]
    words = "\n".join(part for part in parts if isinstance(part, str))
    mixed: dict[str, Any] = {"image": pictures[0] if len(pictures) == 1 else pictures} if pictures else {}
    return mixed | ({"text": words} if words else {})
