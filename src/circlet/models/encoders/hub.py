"""Any CLIP, SigLIP, SigLIP 2 or BLIP checkpoint of transformers, from a hub name or a local folder."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from circlet.core import Prepared
from circlet.core.errors import UsageError, WeightsError
from circlet.core.files import parse_json
from circlet.core.vectors import Vectors, unit
from circlet.models.artefacts import combined, digest
from circlet.models.encoders.base import BaseEncoder

RECIPE = "1"  # part of the fingerprint: change it when vectors of the same checkpoint change
FAMILIES = ("clip", "siglip", "siglip2", "blip")
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_SMALL = ("*.json", "*.txt", "*.model")
# What a checkpoint needs beside its weights, and the files of which one has it.
_PARTS = {
    "tokenizer": ("tokenizer.json", "vocab.json", "vocab.txt", "spiece.model", "tokenizer.model"),
    "image processor": ("preprocessor_config.json", "processor_config.json"),
}


class Checkpoint(BaseEncoder):
    """A pair of towers run by torch; nothing is read before it is needed, and no code is trusted."""

    batch = 16

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def folder(self) -> Path:
        """Where the checkpoint lies: the folder itself, or the hub's copy on this machine."""
        given = Path(self.name).expanduser()
        folder = given if given.is_dir() else _from_hub(self.name)
        if not (folder / "config.json").is_file():
            raise WeightsError(f"{folder} has no config.json: it is no folder that save_pretrained wrote")
        if not weights_in(folder):
            raise WeightsError(f"{folder} has no weights (model.safetensors): download the whole checkpoint")
        return folder

    @cached_property
    def _config(self) -> dict[str, Any]:
        try:
            config: dict[str, Any] = parse_json((self.folder / "config.json").read_text(encoding="utf-8"))
        except ValueError as error:
            raise WeightsError(
                f"{self.folder / 'config.json'} is no JSON ({error}): download it again"
            ) from error
        if config.get("model_type") not in FAMILIES:
            raise UsageError(
                f"{self.name} is a {config.get('model_type')} checkpoint: circlet encodes with "
                f"{', '.join(FAMILIES)}"
            )
        for part, files in _PARTS.items():
            # Without these transformers makes up a tokenizer that knows no word, and answers are noise.
            if not any((self.folder / file).is_file() for file in files):
                raise WeightsError(
                    f"{self.folder} has no {part} ({files[0]}): save_pretrained it there, "
                    "or download the whole checkpoint"
                )
        return config

    @cached_property
    def fingerprint(self) -> str:
        """Names the space: the family, and a hash of the checkpoint's files."""
        family = self._config["model_type"]
        files = [file for pattern in (*_SMALL, *_WEIGHTS) for file in self.folder.glob(pattern)]
        return f"{family}-{RECIPE}-{combined(digest(*sorted(set(files))), RECIPE)}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self._model.config.image_text_hidden_size if self._retrieves else self._width)

    @property
    def _width(self) -> int:
        config = self._model.config
        text = config.text_config
        projected = getattr(config, "projection_dim", None) or getattr(text, "projection_size", None)
        return int(projected or text.hidden_size)

    @cached_property
    def size(self) -> int:
        """The short edge that a picture should have at least."""
        wanted = self._processor.size if hasattr(self._processor, "size") else None
        sides = [side for side in dict(wanted or {}).values() if isinstance(side, int)]
        return min(sides) if sides else _NAFLEX_SIDE

    @property
    def _retrieves(self) -> bool:
        """Whether this is a BLIP with the projections of its retrieval training."""
        return "BlipForImageTextRetrieval" in self._config.get("architectures", ())

    @cached_property
    def _model(self) -> Any:
        import transformers

        kind = transformers.BlipForImageTextRetrieval if self._retrieves else transformers.AutoModel
        return _loaded(kind, self.folder).eval()

    @cached_property
    def _processor(self) -> Any:
        from transformers import AutoImageProcessor

        return _loaded(AutoImageProcessor, self.folder)

    @cached_property
    def _tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        return _loaded(AutoTokenizer, self.folder)

    def prepare(self, picture: Image.Image) -> Prepared:
        """One picture as the checkpoint's own processor makes it."""
        made = self._processor(images=picture.convert("RGB"), return_tensors="np")
        pixels = np.asarray(made["pixel_values"][0], np.float32)
        if "spatial_shapes" not in made:
            return pixels
        # Pictures of free shape (SigLIP 2 NaFlex) come as patches: their shape rides in a last row.
        shape = np.zeros((1, pixels.shape[1]), np.float32)
        shape[0, :2] = made["spatial_shapes"][0]
        return np.concatenate([pixels, shape])

    def encode_prepared(self, pictures: Prepared) -> Vectors:
        """Unit rows for a stack of prepared pictures."""
        import torch

        with torch.inference_mode():
            inputs = _tensors(pictures)
            if self._retrieves:
                seen = self._model.vision_model(**inputs).last_hidden_state[:, 0]
                return unit(self._model.vision_proj(seen).numpy())
            return unit(_pooled(self._model.get_image_features(**inputs)))

    def texts(self, words: Sequence[str]) -> Vectors:
        """Unit rows for texts; what is longer than the model reads is cut."""
        parts = [self._read(words[at : at + self.batch]) for at in range(0, len(words), self.batch)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dim), np.float32)

    def _read(self, words: Sequence[str]) -> Vectors:
        import torch

        text = self._model.config.text_config
        # SigLIP was trained on texts padded to full length, and reads them no other way.
        padding = "max_length" if self._config["model_type"].startswith("siglip") else True
        longest = min(self._tokenizer.model_max_length, text.max_position_embeddings)
        inputs = dict(
            self._tokenizer(
                list(words), padding=padding, truncation=True, max_length=longest, return_tensors="pt"
            )
        )
        inputs.pop("token_type_ids", None)
        with torch.inference_mode():
            if self._retrieves:
                read = self._model.text_encoder(**inputs).last_hidden_state[:, 0]
                return unit(self._model.text_proj(read).numpy())
            return unit(_pooled(self._model.get_text_features(**inputs)))

    def tokens_prepared(self, pictures: Prepared) -> Vectors:
        """What the vision tower says of each patch: (n, patches, channels)."""
        import torch

        with torch.inference_mode():
            seen = self._model.vision_model(**_tensors(pictures)).last_hidden_state
        # CLIP and BLIP put a summary before the patches.
        summary = 0 if self._config["model_type"].startswith("siglip") else 1
        return seen[:, summary:].numpy()


_NAFLEX_SIDE = 256


def weights_in(folder: Path) -> list[Path]:
    """The weight files of a checkpoint: safetensors where there are any."""
    matches = (sorted(folder.glob(pattern)) for pattern in _WEIGHTS)
    return next((files for files in matches if files), [])


def _tensors(pictures: Prepared) -> Mapping[str, Any]:
    import torch

    if pictures.ndim == 4:
        return {"pixel_values": torch.from_numpy(pictures)}
    patches, shapes = pictures[:, :-1], pictures[:, -1, :2].astype(np.int64)
    seen = np.arange(patches.shape[1]) < shapes.prod(axis=1)[:, None]
    return {
        "pixel_values": torch.from_numpy(np.ascontiguousarray(patches)),
        "pixel_attention_mask": torch.from_numpy(seen.astype(np.int64)),
        "spatial_shapes": torch.from_numpy(shapes),
    }


def _pooled(made: Any) -> Any:
    """The features, which newer versions of transformers wrap in an output object."""
    return getattr(made, "pooler_output", made).numpy()


def _loaded(kind: Any, folder: Path) -> Any:
    """A part of the checkpoint, from its folder alone and without its code."""
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        return kind.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as error:
        cause = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise WeightsError(
            f"{folder} cannot be loaded ({cause}): download the checkpoint again, or name another"
        ) from error


def _from_hub(name: str) -> Path:
    """The hub's checkpoint on this machine, fetched if it is not here yet."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        HFValidationError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
    )

    def fetch(*patterns: str, offline: bool) -> Path:
        return Path(snapshot_download(name, allow_patterns=list(patterns), local_files_only=offline))

    try:
        here = fetch(*_SMALL, offline=True)
        if weights_in(here):
            return here
    except HFValidationError as error:
        raise UsageError(f"{name} is neither a folder nor a hub name such as owner/model") from error
    except (LocalEntryNotFoundError, OSError):
        pass  # not on this machine yet
    try:
        # Some old checkpoints come as a torch file only; it is read without running code in it.
        here = fetch(*_SMALL, _WEIGHTS[0], offline=False)
        return here if weights_in(here) else fetch(_WEIGHTS[1], offline=False)
    except RepositoryNotFoundError as error:
        raise WeightsError(
            f"the hub has no checkpoint {name}: check the name, or give the folder of a local one"
        ) from error
    except Exception as error:
        raise WeightsError(
            f"the checkpoint {name} is not on this machine and the hub did not answer "
            f"({type(error).__name__}): connect to the network once, or download it elsewhere and give "
            "its folder, such as --encoder ./my-model; --encoder builtin needs no download"
        ) from error
