"""A trained composer as a folder: safetensors, a configuration that says what made them, a tokenizer."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from circlet import __version__
from circlet.core import Encoder, MismatchError, WeightsError
from circlet.core.files import parse_json, replacing, write_text
from circlet.models.learned.composer import Learned
from circlet.models.learned.network import Network, Shape, build
from circlet.models.learned.words import Language

FORMAT = 1
# Where a configuration says what scores stand for.
RELEVANCE = "relevance"
WEIGHTS, CONFIG, TOKENIZER = "weights.safetensors", "config.json", "tokenizer.json"
_PICKLES = {".pt", ".pth", ".bin", ".pkl", ".pickle", ".ckpt"}


def write_tensors(path: Path, tensors: Mapping[str, Tensor], note: Mapping[str, str] | None = None) -> None:
    """Write safetensors so that a kill leaves the old file or the new one."""
    from safetensors.torch import save_file

    held = {name: part.detach().cpu().contiguous() for name, part in tensors.items()}
    with replacing(path) as half:
        save_file(held, half, metadata=dict(note or {}))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors of a file and the note beside them; a damaged file is an error that says so."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, dict(file.metadata() or {})  # noqa: SIM118
    except FileNotFoundError:
        raise WeightsError(
            f"{path} is missing: the checkpoint is incomplete; train or copy it again"
        ) from None
    except (SafetensorError, OSError) as error:
        raise WeightsError(f"{path} is damaged or cut short ({error}): train or copy it again") from error


def write_networks(folder: Path, networks: Mapping[str, nn.Module]) -> None:
    """Write the weights of several networks in one file, each by its name."""
    parts = {
        f"{name}.{key}": part for name, one in networks.items() for key, part in one.state_dict().items()
    }
    write_tensors(folder / WEIGHTS, parts)


def read_networks(folder: Path, networks: Mapping[str, nn.Module]) -> None:
    """Give several networks the weights that a folder has of them."""
    tensors, _ = read_tensors(folder / WEIGHTS)
    try:
        for name, network in networks.items():
            own = {key: part for key, part in tensors.items() if key.startswith(f"{name}.")}
            network.load_state_dict({key.removeprefix(f"{name}."): part for key, part in own.items()})
    except RuntimeError as error:
        raise _unfit(folder, error) from error


def _unfit(folder: Path, error: RuntimeError) -> WeightsError:
    return WeightsError(f"{folder / WEIGHTS} does not fit {CONFIG}: {str(error).splitlines()[0]}")


def save(
    folder: Path,
    network: Network,
    language: Language,
    *,
    name: str,
    options: Mapping[str, Any],
    fingerprint: str,
    training: Mapping[str, Any],
) -> None:
    """Write a checkpoint: weights, tokenizer, and last the configuration that makes it whole."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tensors(folder / WEIGHTS, network.state_dict())
    write_text(folder / TOKENIZER, language.tokenizer)
    config = {
        "format": FORMAT,
        "circlet": __version__,
        "model": name,
        "options": dict(options),
        "encoder": fingerprint,
        "shape": asdict(network.built),
        "seen": len(language.seen),
        "bert": language.bert,
        "training": dict(training),
    }
    write_text(folder / CONFIG, json.dumps(config, indent=1, ensure_ascii=False) + "\n")


def read_config(folder: Path) -> dict[str, Any]:
    """The configuration of a checkpoint; anything that is none is refused with the reason."""
    if folder.suffix in _PICKLES:
        raise WeightsError(_pickled(folder))
    try:
        config = parse_json((folder / CONFIG).read_text(encoding="utf-8"))
    except FileNotFoundError:
        pickles = sorted(path for path in folder.glob("*") if path.suffix in _PICKLES)
        if pickles:
            raise WeightsError(_pickled(pickles[0])) from None
        raise WeightsError(
            f"{folder} is no checkpoint: it has no {CONFIG}; make one with `circlet train`"
        ) from None
    except (OSError, ValueError) as error:
        raise WeightsError(f"{folder / CONFIG} cannot be read ({error}): train or copy it again") from error
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        raise WeightsError(f"{folder} is not a circlet checkpoint of format {FORMAT}: train it again")
    return config


def peek(folder: Path) -> dict[str, Any]:
    """What a folder says of itself; nothing where it is no checkpoint of any kind."""
    try:
        config = parse_json((folder / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return config if isinstance(config, dict) else {}


def load(folder: Path, encoder: Encoder) -> Learned:
    """The composer of a checkpoint, over the encoder it was trained with and no other."""
    config = read_config(folder)
    if config["encoder"] != encoder.fingerprint:
        raise MismatchError(
            f"{folder} was trained on vectors of {config['encoder']}, not of {encoder.fingerprint}: "
            "name that encoder, or train again with this one"
        )
    weights, _ = read_tensors(folder / WEIGHTS)
    try:
        tokenizer = (folder / TOKENIZER).read_text(encoding="utf-8")
    except OSError as error:
        raise WeightsError(
            f"{folder / TOKENIZER} cannot be read ({error}): copy the checkpoint again"
        ) from error
    # Only how many pieces were learned matters here: which ones they are stands in the weights.
    language = Language(tokenizer, config["bert"], tuple(range(config["seen"])))
    with torch.random.fork_rng(devices=[]):
        network = build(config["model"], Shape(**config["shape"]), language, **config["options"])
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        raise _unfit(folder, error) from error
    odds = config.get(RELEVANCE, {}).get("odds")
    return Learned(network, language, encoder, name=str(folder), odds=tuple(odds) if odds else None)


def _pickled(path: Path) -> str:
    return f"{path} is a pickle, and loading one can run any code: only safetensors checkpoints are read"
