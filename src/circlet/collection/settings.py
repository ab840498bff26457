"""What circlet remembers between commands: which encoder the last index was made with."""

import json
from pathlib import Path
from typing import Any

from circlet.core import StoreError
from circlet.core.files import parse_json, replacing


class Settings:
    """A small JSON file under CIRCLET_HOME; a missing one is empty.

    >>> import tempfile
    >>> settings = Settings(Path(tempfile.mkdtemp()))
    >>> settings["encoder"] = "clip"
    >>> settings.get("encoder")
    'clip'
    """

    def __init__(self, home: Path) -> None:
        self.path = home / "settings.json"

    def _read(self) -> dict[str, Any]:
        try:
            settings = parse_json(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StoreError(
                f"{self.path}: cannot be read ({(error.strerror or str(error)).lower()}); "
                "open that folder to you, or set CIRCLET_HOME to another"
            ) from None
        except ValueError as error:
            raise StoreError(f"{self.path}: cannot be read ({error}); mend it or delete it") from None
        if not isinstance(settings, dict):
            raise StoreError(f"{self.path}: is not an object of settings; delete it")
        return settings

    def get(self, name: str, default: str = "") -> str:
        """The setting's value, or the default."""
        return str(self._read().get(name, default))

    def folders(self, name: str) -> set[str]:
        """The folders that a choice of this name was made for."""
        return set(self.get(name).split("\n")) - {""}

    def choose(self, name: str, folder: str, chosen: bool) -> None:
        """Make a choice for a folder, or take it back; what is so already is not written again."""
        before = self.folders(name)
        after = {*before, folder} if chosen else before - {folder}
        if after != before:
            self[name] = "\n".join(sorted(after))

    def __setitem__(self, name: str, value: str) -> None:
        settings = {**self._read(), name: value}
        try:
            with replacing(self.path) as half:
                half.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise StoreError(
                f"{self.path}: cannot be written ({error.strerror}); make room there or set CIRCLET_HOME"
            ) from None
