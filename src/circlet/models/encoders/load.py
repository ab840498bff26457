"""One call for every encoder: `load_encoder("builtin")`, a hub name, a folder, or one of your own."""

from pathlib import Path

from circlet.core import PictureEncoder
from circlet.core.errors import UsageError
from circlet.core.extras import needed
from circlet.models.encoders.base import complete
from circlet.models.plugins import ENCODERS, is_plugin, load_plugin, plugins

ALIASES = {
    "clip": "openai/clip-vit-base-patch32",
    "siglip": "google/siglip2-base-patch16-224",
    "blip": "Salesforce/blip-itm-base-coco",
}

# What is meant by these, whatever folders there are.
NAMES = frozenset({"builtin", "fine", "finest", *ALIASES})


def load_encoder(name: str = "builtin") -> PictureEncoder:
    """The encoder of this name: builtin, fine, finest, clip, siglip, blip, a hub name or a local folder.

    A folder that `circlet train encoder` wrote is an encoder, too.
    `package.module:Object` and the names of installed plug-ins work as well (docs/extending.md).
    Weights are read on first use, so loading costs nothing and a search by words never loads the
    picture half.

    >>> load_encoder("builtin").dim
    768
    """
    if name == "builtin":
        from circlet.models.encoders.builtin import Builtin

        return Builtin()
    if name == "fine":
        from circlet.models.encoders.fine import Fine

        return Fine()
    if name == "finest":
        from circlet.models.encoders.finest import Finest

        return Finest()
    if name not in NAMES and _trained(name):
        from circlet.models.joint.encoder import Joint

        return Joint(Path(name))
    known = ALIASES.get(name, name)
    if "/" in known or Path(known).is_dir():
        needed("transformers", "torch")
        from circlet.models.encoders.hub import Checkpoint

        return Checkpoint(known)
    if is_plugin(name, ENCODERS):
        return complete(load_plugin(name, ENCODERS), name)
    raise UsageError(
        f"unknown encoder {name!r}: pick builtin, fine, finest, {', '.join((*ALIASES, *plugins(ENCODERS)))}, "
        f"a checkpoint's hub name such as {ALIASES['clip']}, its folder, or package.module:Object"
    )


def anywhere(name: str) -> str:
    """The name by which this encoder is found from any folder: one that is a folder, by its full path.

    >>> anywhere("builtin"), anywhere("owner/model")
    ('builtin', 'owner/model')
    """
    place = Path(name).expanduser()
    return str(place.absolute()) if name not in NAMES and place.is_dir() else name


def _trained(name: str) -> bool:
    """Whether this names the folder of an encoder that was trained on captions."""
    if not Path(name).expanduser().is_dir():
        return False
    from circlet.models.joint.encoder import read_config

    return read_config(Path(name)) is not None
