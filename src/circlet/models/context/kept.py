"""A trained context model as a folder: safetensors, and a configuration that says what made them."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from circlet import __version__
from circlet.core import Encoder, MismatchError, UsageError, WeightsError
from circlet.core.files import write_text
from circlet.models.context.method import Contextual
from circlet.models.context.networks import (
    BiEncoder,
    Blind,
    Comparing,
    ContextModule,
    Differing,
    InContext,
    Wordless,
)
from circlet.models.context.stream import SingleStream
from circlet.models.context.variants import MODULES, VARIANTS
from circlet.models.joint.heads import Heads, Sizes
from circlet.models.learned.folder import CONFIG, WEIGHTS, peek, read_tensors, write_tensors

KIND = "context"
FORMAT = 1


def build(variant: str, heads: Heads) -> Comparing:
    """The network of a variant over these heads; what is new in it has fresh weights."""
    if variant in MODULES:
        return InContext(heads, ContextModule(heads.sizes.dim, temporal=variant == "temporal"))
    if variant in ("bi-encoder", "context-batch"):
        return BiEncoder(heads)
    if variant in ("single-stream", "single-stream-batch"):
        return SingleStream(heads)
    if variant == "differences":
        return Differing(heads)
    if variant == "blind":
        return Blind(heads)
    if variant == "wordless":
        return Wordless(heads)
    raise UsageError(f"no variant {variant!r}: pick one of {', '.join(VARIANTS)}")


def save_context(folder: Path, variant: str, network: Comparing, told: Mapping[str, Any]) -> None:
    """Write the weights, and last the configuration that makes the folder whole."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tensors(folder / WEIGHTS, network.state_dict())
    config = {
        "circlet_kind": KIND,
        "format": FORMAT,
        "circlet": __version__,
        "variant": variant,
        "sizes": asdict(network.heads.sizes),
        **told,
    }
    write_text(folder / CONFIG, json.dumps(config, indent=1, ensure_ascii=False) + "\n")


def is_context(folder: Path) -> bool:
    """Whether a folder holds a trained context model."""
    return peek(folder).get("circlet_kind") == KIND


def read_context(folder: Path) -> tuple[Comparing, dict[str, Any]]:
    """The network of a folder, and what the folder says of it."""
    config = peek(folder)
    if config.get("circlet_kind") != KIND or config.get("format") != FORMAT:
        raise WeightsError(
            f"{folder} holds no context model of format {FORMAT}: make one with `circlet train context`"
        )
    weights, _ = read_tensors(folder / WEIGHTS)
    with torch.random.fork_rng(devices=[]):
        network = build(config["variant"], Heads(Sizes(**config["sizes"])))
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        told = str(error).splitlines()[0]
        raise WeightsError(f"{folder / WEIGHTS} does not fit {CONFIG}: {told}") from error
    return network.eval(), config


def load_context(folder: Path, encoder: Encoder) -> Contextual:
    """The method of a folder, over the encoder whose vectors it learned from and no other."""
    network, config = read_context(folder)
    if config["encoder"] != encoder.fingerprint:
        raise MismatchError(
            f"{folder} was trained on vectors of {config['encoder']}, not of {encoder.fingerprint}: "
            f"name that encoder (--encoder {config['base']}), or train again with this one"
        )
    return Contextual(network, encoder, name=str(folder))
