"""Checkpoints as open_clip writes them, read into the CLIP of transformers: no torchvision, no timm."""

import re
from functools import cached_property
from pathlib import Path
from typing import Any

from circlet.core.errors import UsageError, WeightsError
from circlet.core.files import parse_json
from circlet.models.devices import device, precision
from circlet.models.encoders.fetching import located
from circlet.models.encoders.hub import Checkpoint, need_parts

CONFIG = "open_clip_config.json"
_WEIGHTS = ("open_clip_model.safetensors", "model.safetensors")
# Parts of a configuration that make another network than the one that transformers has.
_STRANGE = {
    "vision_cfg": ("timm_model_name", "attentional_pool", "ls_init_value", "pool_type", "no_ln_pre"),
    "text_cfg": ("hf_model_name", "embed_cls", "ls_init_value", "no_causal_mask", "pool_type", "proj_bias"),
}
_USUAL = {"pool_type": ("tok", "argmax"), "ls_init_value": (None,)}
# CLIP's own, for folders that do not say how pictures are prepared.
_MEAN, _STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
_RESAMPLE = {"bilinear": 2, "bicubic": 3}
# What a name in a block of open_clip is called in transformers.
_BLOCK = {
    "ln_1": "layer_norm1",
    "ln_2": "layer_norm2",
    "attn.out_proj": "self_attn.out_proj",
    "mlp.c_fc": "mlp.fc1",
    "mlp.c_proj": "mlp.fc2",
}
_PLAIN = {
    "visual.class_embedding": "vision_model.embeddings.class_embedding",
    "visual.positional_embedding": "vision_model.embeddings.position_embedding.weight",
    "visual.conv1.weight": "vision_model.embeddings.patch_embedding.weight",
    "visual.ln_pre": "vision_model.pre_layrnorm",
    "visual.ln_post": "vision_model.post_layernorm",
    "visual.proj": "visual_projection.weight",
    "token_embedding.weight": "text_model.embeddings.token_embedding.weight",
    "positional_embedding": "text_model.embeddings.position_embedding.weight",
    "ln_final": "text_model.final_layer_norm",
    "text_projection": "text_projection.weight",
    "logit_scale": "logit_scale",
}


class OpenClip(Checkpoint):
    """A folder with `open_clip_config.json`, or `open_clip:NAME` on the hub, whose towers are CLIP's."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._place = name
        self.name = name if Path(name).expanduser().is_dir() else f"open_clip:{name}"

    @cached_property
    def folder(self) -> Path:
        """Where the checkpoint lies."""
        folder = located(self._place)
        if not (folder / CONFIG).is_file():
            raise WeightsError(f"{folder} has no {CONFIG}: it is no checkpoint of open_clip")
        return folder

    @cached_property
    def _said(self) -> dict[str, Any]:
        try:
            return dict(parse_json((self.folder / CONFIG).read_text(encoding="utf-8")))
        except ValueError as error:
            raise WeightsError(f"{self.folder / CONFIG} is no JSON ({error}): download it again") from error

    @cached_property
    def _config(self) -> dict[str, Any]:
        model = self._said.get("model_cfg", {})
        for tower, names in _STRANGE.items():
            for name in names:
                value = model.get(tower, {}).get(name)
                if value not in (None, False, *_USUAL.get(name, ())):
                    raise UsageError(
                        f"{self._place} is no plain CLIP ({tower}: {name} is {value!r}): take the same "
                        "checkpoint in transformers' form, if the hub has one"
                    )
        need_parts(self.folder, ("tokenizer",))
        return {"model_type": "clip"}

    @cached_property
    def _model(self) -> Any:
        from transformers import CLIPConfig, CLIPModel

        _ = self._config  # refuses what is no plain CLIP
        model = CLIPModel(CLIPConfig(**clip_config(self._said["model_cfg"])))
        found = translated(self._weights())
        try:
            model.load_state_dict(found, strict=True)
        except RuntimeError as error:
            raise WeightsError(
                f"{self.folder} cannot be read as a CLIP ({str(error).splitlines()[1].strip()}): take the "
                "same checkpoint in transformers' form, if the hub has one"
            ) from error
        place = device()
        model.to(device=place, dtype=precision(place)).eval()  # type: ignore[call-arg]
        return model

    def _weights(self) -> dict[str, Any]:
        from safetensors.torch import load_file

        path = next((self.folder / name for name in _WEIGHTS if (self.folder / name).is_file()), None)
        if path is None:
            raise WeightsError(f"{self.folder} has no {_WEIGHTS[0]}: download the whole checkpoint")
        return load_file(path)

    @cached_property
    def _processor(self) -> Any:
        from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

        asked = self._said.get("preprocess_cfg", {})
        side = self._said["model_cfg"]["vision_cfg"].get("image_size", 224)
        height, width = (side, side) if isinstance(side, int) else side
        square = {"height": height, "width": width}
        squash = asked.get("resize_mode") == "squash"
        return CLIPImageProcessorPil(
            size=square if squash else {"shortest_edge": min(height, width)},
            crop_size=square,
            do_center_crop=not squash,
            image_mean=asked.get("mean", _MEAN),
            image_std=asked.get("std", _STD),
            resample=_RESAMPLE.get(asked.get("interpolation", "bicubic"), 3),
        )


def clip_config(model: dict[str, Any]) -> dict[str, Any]:
    """The configuration of transformers that makes the same network.

    >>> said = {"embed_dim": 8, "vision_cfg": {"width": 128, "layers": 2, "patch_size": 8}, "text_cfg": {}}
    >>> clip_config(said)["vision_config"]["num_attention_heads"]
    2
    """
    sees, reads = model["vision_cfg"], model["text_cfg"]
    bent = "quick_gelu" if model.get("quick_gelu") else "gelu"

    def tower(said: dict[str, Any], width: int, heads: int) -> dict[str, Any]:
        wide = said.get("width", width)
        return {
            "hidden_size": wide,
            "intermediate_size": int(wide * said.get("mlp_ratio", 4.0)),
            "num_hidden_layers": said.get("layers", 12),
            "num_attention_heads": heads,
            "hidden_act": bent,
        }

    return {
        "projection_dim": model["embed_dim"],
        "vision_config": tower(sees, 768, sees.get("width", 768) // sees.get("head_width", 64))
        | {"image_size": sees.get("image_size", 224), "patch_size": sees.get("patch_size", 16)},
        "text_config": tower(reads, 512, reads.get("heads", 8))
        | {
            "vocab_size": reads.get("vocab_size", 49408),
            "max_position_embeddings": reads.get("context_length", 77),
            # Two means here what it means in open_clip: the highest id is where a text ends.
            "eos_token_id": 2,
            "bos_token_id": 0,
            "pad_token_id": 0,
        },
    }


def translated(weights: dict[str, Any]) -> dict[str, Any]:
    """Weights under the names of transformers; what stands in one matrix there is taken apart."""
    made: dict[str, Any] = {}
    for name, value in weights.items():
        plain = name.removeprefix("text.")
        block = re.fullmatch(r"(visual\.)?transformer\.resblocks\.(\d+)\.(.+)", plain)
        if block:
            tower = "vision_model" if block[1] else "text_model"
            _into(made, f"{tower}.encoder.layers.{block[2]}", block[3], value)
        elif plain in _PLAIN:
            turned = plain in ("visual.proj", "text_projection") and value.ndim == 2
            made[_PLAIN[plain]] = value.T.contiguous() if turned else value
        elif plain.rpartition(".")[0] in _PLAIN:
            stem, _, end = plain.rpartition(".")
            made[f"{_PLAIN[stem]}.{end}"] = value
        elif plain != "attn_mask":
            # Strict loading names it as what nobody asked for.
            made[name] = value
    return made


def _into(made: dict[str, Any], layer: str, name: str, value: Any) -> None:
    """One weight of a block."""
    if name.startswith("attn.in_proj_"):
        for part, rows in zip("qkv", value.chunk(3), strict=True):
            made[f"{layer}.self_attn.{part}_proj.{name.removeprefix('attn.in_proj_')}"] = rows.contiguous()
        return
    stem, _, end = name.rpartition(".")
    made[f"{layer}.{_BLOCK.get(stem, stem)}.{end}"] = value
