"""Any CLIP, SigLIP, SigLIP 2, BLIP or BLIP-2 checkpoint of transformers, from a hub name or a folder."""

from collections.abc import Iterable, Mapping, Sequence
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
from circlet.models.devices import device, fitting, in_batches, joined, precision
from circlet.models.encoders.base import BaseEncoder
from circlet.models.encoders.exported import Run, exported
from circlet.models.encoders.fetching import SMALL, WEIGHTS, loaded, located, weights_in

RECIPE = "1"  # part of the fingerprint: change it when vectors of the same checkpoint change
FAMILIES = ("clip", "siglip", "siglip2", "blip", "blip-2")
# Towers with the projections of their retrieval training, by the class that was saved.
_RETRIEVES = ("BlipForImageTextRetrieval", "Blip2ForImageTextRetrieval")
# What vectors depend on beside the weights; a chat template is no part of them here.
_DESCRIBES = tuple(pattern for pattern in SMALL if pattern != "*.jinja")
# What a checkpoint needs beside its weights, and the files of which one has it.
_PARTS = {
    "tokenizer": ("tokenizer.json", "vocab.json", "vocab.txt", "spiece.model", "tokenizer.model"),
    "image processor": ("preprocessor_config.json", "processor_config.json"),
}


class Checkpoint(BaseEncoder):
    """A pair of towers run by torch; nothing is read before it is needed, and no code is trusted."""

    batch = 16
    _run: Run | None

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def folder(self) -> Path:
        """Where the checkpoint lies: the folder itself, or the hub's copy on this machine."""
        folder = located(self.name)
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
        if config["model_type"] == "blip-2" and _RETRIEVES[1] not in config.get("architectures", ()):
            raise UsageError(
                f"{self.name} is a BLIP-2 without its retrieval half: name one that was saved as "
                f"{_RETRIEVES[1]}, such as Salesforce/blip2-itm-vit-g"
            )
        need_parts(self.folder, _PARTS)
        return config

    @cached_property
    def fingerprint(self) -> str:
        """Names the space: the family, and a hash of the checkpoint's files."""
        family = self._config["model_type"]
        files = [file for pattern in (*_DESCRIBES, *WEIGHTS) for file in self.folder.glob(pattern)]
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
    def _retrieves(self) -> str:
        """The class of a BLIP or BLIP-2 with the projections of its retrieval training."""
        saved = self._config.get("architectures") or ()
        return next((kind for kind in _RETRIEVES if kind in saved), "")

    @cached_property
    def _model(self) -> Any:
        import transformers

        kind = getattr(transformers, self._retrieves or "AutoModel")
        place = device()
        return loaded(kind.from_pretrained, self.folder, dtype=precision(place)).to(place).eval()

    @property
    def many(self) -> int:
        """How many pictures go through it at once, in the memory that is free."""
        return fitting(self._model, self.batch)

    @cached_property
    def _processor(self) -> Any:
        from transformers import AutoImageProcessor

        return loaded(AutoImageProcessor.from_pretrained, self.folder)

    @cached_property
    def _tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        return loaded(AutoTokenizer.from_pretrained, self.folder)

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
        parts = in_batches(self._seen, pictures, self.many)
        return joined(parts, self.dim)

    def _seen(self, pictures: Prepared) -> Vectors:
        import torch

        if (run := self._graph(pictures)) is not None:
            return run(pictures)
        with torch.inference_mode():
            return unit(_numbers(self._features(self._placed(_tensors(pictures)))))

    def _graph(self, pictures: Prepared) -> Run | None:
        """What runs the picture tower without torch, if that is faster here; made when first asked for."""
        if self._model.device.type != "cpu" or pictures.ndim != 4:
            return None
        if "_run" not in vars(self):
            self._run = exported(
                self._model,
                lambda pixels: self._features({"pixel_values": pixels}),
                pictures[:4],
                f"tower-{self.fingerprint}",
            )
        return self._run

    def _features(self, inputs: Mapping[str, Any]) -> Any:
        """What the picture tower makes of its inputs, before it is brought to unit length."""
        if not self._retrieves:
            return _pooled(self._model.get_image_features(**inputs))
        seen = self._model.vision_model(**inputs).last_hidden_state
        if self._config["model_type"] == "blip":
            return self._model.vision_proj(seen[:, 0])
        return self._looked(seen).mean(dim=1)

    def _looked(self, seen: Any) -> Any:
        """What each query of a BLIP-2 finds in a picture, as unit rows; a picture's vector is their mean."""
        import torch

        # Of its shape: a length would be a constant of the exported graph.
        asked = self._model.query_tokens.expand(seen.shape[0], -1, -1)
        told = self._model.qformer(query_embeds=asked, encoder_hidden_states=seen).last_hidden_state
        project = self._model.vision_projection
        return torch.nn.functional.normalize(project(told.to(project.weight.dtype)), dim=-1)

    def texts(self, words: Sequence[str]) -> Vectors:
        """Unit rows for texts; what is longer than the model reads is cut."""
        parts = in_batches(self._read, list(words), self.batch)
        return joined(parts, self.dim)

    def _read(self, words: Sequence[str]) -> Vectors:
        import torch

        inputs = self._pieces(words)
        with torch.inference_mode():
            if not self._retrieves:
                return unit(_numbers(_pooled(self._model.get_text_features(**inputs))))
            if self._config["model_type"] == "blip":
                read = self._model.text_encoder(**inputs).last_hidden_state[:, 0]
                return unit(_numbers(self._model.text_proj(read)))
            words_in = self._model.embeddings(input_ids=inputs["input_ids"])
            read = self._model.qformer(
                query_embeds=words_in, query_length=0, attention_mask=inputs["attention_mask"]
            ).last_hidden_state[:, 0]
            return unit(
                _numbers(self._model.text_projection(read.to(self._model.text_projection.weight.dtype)))
            )

    def _pieces(self, words: Sequence[str]) -> dict[str, Any]:
        """Texts as word pieces, where the model is."""
        # SigLIP was trained on texts padded to full length, and reads them no other way.
        padding = "max_length" if self._config["model_type"].startswith("siglip") else True
        made = self._tokenizer(
            list(words), padding=padding, truncation=True, max_length=self._longest, return_tensors="pt"
        )
        made.pop("token_type_ids", None)
        return self._placed(made)

    @property
    def _longest(self) -> int:
        """How many word pieces are read."""
        config = self._model.config
        text = config.qformer_config if self._config["model_type"] == "blip-2" else config.text_config
        return min(self._tokenizer.model_max_length, text.max_position_embeddings)

    def _placed(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Inputs where the model is; pixels in its precision."""
        model = self._model
        return {
            name: one.to(model.device, model.dtype if one.is_floating_point() else one.dtype)
            for name, one in inputs.items()
        }

    def tokens_prepared(self, pictures: Prepared) -> Vectors:
        """What the vision tower says of each patch: (n, patches, channels)."""
        import torch

        with torch.inference_mode():
            seen = self._model.vision_model(**self._placed(_tensors(pictures))).last_hidden_state
        # CLIP and BLIP put a summary before the patches.
        summary = 0 if self._config["model_type"].startswith("siglip") else 1
        return _numbers(seen[:, summary:])


_NAFLEX_SIDE = 256


def need_parts(folder: Path, parts: Iterable[str]) -> None:
    """Refuse a checkpoint that lacks one of these parts.

    Without it transformers makes up a tokenizer that knows no word, and answers are noise.
    """
    for part in parts:
        if not any((folder / file).is_file() for file in _PARTS[part]):
            raise WeightsError(
                f"{folder} has no {part} ({_PARTS[part][0]}): save_pretrained it there, "
                "or download the whole checkpoint"
            )


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
    return getattr(made, "pooler_output", made)


def _numbers(made: Any) -> Vectors:
    """A tensor from wherever it is, in full precision."""
    return made.float().cpu().numpy()
