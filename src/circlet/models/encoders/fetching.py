"""Checkpoints on this machine: a folder, or what the hub has under a name, fetched once."""

from pathlib import Path
from typing import Any

from circlet.core.errors import UsageError, WeightsError

WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
SMALL = ("*.json", "*.txt", "*.model", "*.jinja")


def located(name: str, *, nested: bool = False) -> Path:
    """Where the checkpoint lies: the folder itself, or the hub's copy on this machine."""
    given = Path(name).expanduser()
    return given if given.is_dir() else _from_hub(name, nested=nested)


def weights_in(folder: Path, *, nested: bool = False) -> list[Path]:
    """The weight files of a checkpoint, `nested` ones too if asked: safetensors where there are any."""
    look = folder.rglob if nested else folder.glob
    matches = (sorted(look(pattern)) for pattern in WEIGHTS)
    return next((files for files in matches if files), [])


def loaded(make: Any, folder: Path, **options: Any) -> Any:
    """What `make` reads of a checkpoint's folder; whatever is wrong with it is one sentence."""
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        return make(str(folder), local_files_only=True, trust_remote_code=False, **options)
    except Exception as error:
        cause = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise WeightsError(
            f"{folder} cannot be loaded ({cause}): download the checkpoint again, or name another"
        ) from error


def _from_hub(name: str, *, nested: bool) -> Path:
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
        here = fetch(*SMALL, offline=True)
        if weights_in(here, nested=nested):
            return here
    except HFValidationError as error:
        raise UsageError(f"{name} is neither a folder nor a hub name such as owner/model") from error
    except (LocalEntryNotFoundError, OSError):
        pass  # not on this machine yet
    try:
        # Some old checkpoints come as a torch file only; it is read without running code in it.
        here = fetch(*SMALL, WEIGHTS[0], offline=False)
        return here if weights_in(here, nested=nested) else fetch(WEIGHTS[1], offline=False)
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
