"""One call for every encoder: `load_encoder("builtin")`, `st:NAME`, a hub name, a folder, one of your own."""

from pathlib import Path

from circlet.core import PictureEncoder
from circlet.core.errors import UsageError
from circlet.core.extras import needed
from circlet.models.encoders.base import complete
from circlet.models.plugins import ENCODERS, is_plugin, load_plugin, plugins
from circlet.models.spelling import with_options

ALIASES = {
    "clip": "openai/clip-vit-base-patch32",
    "siglip": "google/siglip2-base-patch16-224",
    "blip": "Salesforce/blip-itm-base-coco",
}

# What stands before a model of sentence-transformers, of open_clip on the hub, and of mteb.
SENTENCE, OPEN_CLIP, MTEB = "st:", "open_clip:", "mteb:"
# What comes in packages; and what is meant by names, whatever folders there are.
BUILTIN = frozenset({"builtin", "builtin:int8", "fine", "finest"})
NAMES = BUILTIN | ALIASES.keys()


# Encoders that are loaded already, for a process whose copies answer one command each.
_ready: dict[str, PictureEncoder] = {}


def keep(name: str, encoder: PictureEncoder) -> None:
    """Have `load_encoder` give this one from now on."""
    _ready[name] = encoder


def load_encoder(name: str = "builtin") -> PictureEncoder:
    """The encoder of this name: builtin, fine, finest, clip, siglip, blip, a hub name or a local folder.

    `builtin:int8` is the built-in one in eight bits, which is faster.
    `st:NAME` is a model of sentence-transformers, `st:NAME?dim=256` one whose vectors are cut. A folder
    that `circlet train encoder` wrote is an encoder, too, and so is one of open_clip; `mteb:NAME` is a
    model of mteb.
    `package.module:Object` and the names of installed plug-ins work as well (docs/extending.md).
    Weights are read on first use, so loading costs nothing and a search by words never loads the
    picture half.

    >>> load_encoder("builtin").dim
    768
    """
    if name in _ready:
        return _ready[name]
    if name == "builtin":
        from circlet.models.encoders.builtin import Builtin

        return Builtin()
    if name == "builtin:int8":
        from circlet.models.encoders.eight import Eight

        return Eight()
    if name == "fine":
        from circlet.models.encoders.fine import Fine

        return Fine()
    if name == "finest":
        from circlet.models.encoders.finest import Finest

        return Finest()
    if name not in NAMES and _trained(name):
        from circlet.models.joint.encoder import Joint

        return Joint(Path(name))
    if name.startswith(SENTENCE):
        needed("sentence_transformers", "torch")
        from circlet.models.encoders.universal import Universal

        return Universal(name)
    if name.startswith(MTEB):
        needed("mteb", "torch")
        from circlet.models.mteb_models import MtebEncoder

        return MtebEncoder(name.removeprefix(MTEB))
    if name.startswith(OPEN_CLIP) or is_open_clip(name):
        needed("transformers", "torch", "safetensors")
        from circlet.models.encoders.openclip import OpenClip

        return OpenClip(name.removeprefix(OPEN_CLIP))
    known = ALIASES.get(name, name)
    if "/" in known or Path(known).is_dir():
        needed("transformers", "torch")
        from circlet.models.encoders.hub import Checkpoint

        return Checkpoint(known)
    if is_plugin(name, ENCODERS) and not name.startswith("builtin:"):
        return complete(load_plugin(name, ENCODERS), name)
    raise UsageError(
        f"unknown encoder {name!r}: pick {', '.join((*sorted(BUILTIN), *ALIASES, *plugins(ENCODERS)))}, "
        f"a checkpoint's hub name such as {ALIASES['clip']}, its folder, st:NAME for a model of "
        "sentence-transformers, or package.module:Object"
    )


def anywhere(name: str) -> str:
    """The name by which this encoder is found from any folder: one that is a folder, by its full path.

    >>> anywhere("builtin"), anywhere("owner/model")
    ('builtin', 'owner/model')
    """
    before = next((one for one in (SENTENCE, OPEN_CLIP) if name.startswith(one)), "")
    plain, mark, options = name.removeprefix(before).partition("?")
    place = Path(plain).expanduser()
    if name in NAMES or not place.is_dir():
        return name
    return f"{before}{place.absolute()}{mark}{options}"


def is_open_clip(name: str) -> bool:
    """Whether this names a folder as open_clip has them."""
    return name not in NAMES and (Path(name).expanduser() / "open_clip_config.json").is_file()


def shortened(name: str, dim: int) -> str:
    """The encoder that keeps so many numbers of each vector; for models that learned to be cut.

    >>> shortened("st:owner/model", 256)
    'st:owner/model?dim=256'
    """
    if not name.startswith(SENTENCE):
        raise UsageError(f"--dim cuts vectors of models of sentence-transformers (st:NAME), not of {name}")
    return with_options(name, dim=dim)


def _trained(name: str) -> bool:
    """Whether this names the folder of an encoder that was trained on captions."""
    if not Path(name).expanduser().is_dir():
        return False
    from circlet.models.joint.encoder import read_config

    return read_config(Path(name)) is not None
