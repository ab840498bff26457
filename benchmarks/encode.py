"""How fast encoders are by themselves: pictures already decoded, texts, and the first call.

    python benchmarks/encode.py [--encoder builtin] [--pictures 256]
    python benchmarks/encode.py --random --pictures 32      # a CLIP of the usual size, ViT-B/32

Prints pictures a second for `prepare` alone, for the model alone and for both one after the other,
texts a second in a batch, and the milliseconds of a single text. Indexing overlaps the first two:
benchmarks/indexing.py compares it with the model's rate. Of an encoder that was trained over another one
it prints beside them what a picture and a search cost of the processor, as multiples of the base's; of a
checkpoint of transformers, how its picture tower in ONNX Runtime compares with torch. What a checkpoint knows
does not change what it costs, so `--random` makes one of random weights instead of downloading it.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from photographs import photograph
from PIL import Image

from circlet.core import PictureEncoder, unit
from circlet.models import load_encoder
from circlet.models.artefacts import folder
from circlet.models.encoders.classes import classes
from circlet.models.encoders.hub import Checkpoint
from circlet.models.encoding import BATCH
from circlet.models.joint.encoder import Joint

SEARCHED = 20_000


def timed(call: Callable[[], Any]) -> float:
    """The best of three runs, in seconds."""
    runs = []
    for _ in range(3):
        began = time.perf_counter()
        call()
        runs.append(time.perf_counter() - began)
    return min(runs)


def ratio(of: Callable[[int], Any], to: Callable[[int], Any]) -> float:
    """How many times as much processor time one takes as the other: the median of eleven pairs, in turn."""
    found = []
    for number in range(12):
        spent = []
        for call in (of, to):
            began = time.process_time()
            call(number)
            spent.append(time.process_time() - began)
        found.append(spent[0] / spent[1])
    return float(np.median(found[1:]))


def beside(encoder: Joint, pictures: list[Image.Image]) -> None:
    """Print what an encoder costs beside its base: to index a picture, and to search by new words."""

    def index(one: PictureEncoder) -> Callable[[int], Any]:
        return lambda _: one.encode_prepared(np.stack([one.prepare(picture) for picture in pictures]))

    def search(one: PictureEncoder) -> Callable[[int], Any]:
        rows = np.random.default_rng(0).normal(size=(SEARCHED, one.dim)).astype(np.float32)
        return lambda number: np.argpartition(rows @ one.texts([f"a dog with {number} bones"])[0], -50)

    indexed, searched = (ratio(what(encoder), what(encoder.base)) for what in (index, search))
    print(f"{indexed:.2f} × its base's processor time a picture, {searched:.2f} × a search of {SEARCHED:,}")


def without_torch(encoder: Checkpoint, stack: Any) -> None:
    """Print how a checkpoint's picture tower compares in ONNX Runtime, and whether it is used."""
    import torch

    def by_torch(_: int) -> Any:
        with torch.inference_mode():
            return encoder._features(encoder._placed({"pixel_values": torch.from_numpy(stack)}))

    run = encoder._graph(stack)
    if run is None:
        note = folder() / f"tower-{encoder.fingerprint}.txt"
        why = note.read_text(encoding="utf-8").strip() if note.is_file() else "it is not for this checkpoint"
        print(f"torch stays: in ONNX Runtime {why}")
        return
    apart = float(np.abs(run(stack) - unit(by_torch(0).float().numpy())).max())
    print(
        f"torch takes {ratio(by_torch, lambda _: run(stack)):.2f} × the processor time of ONNX Runtime, "
        f"which is used; vectors differ by {apart:.1e}"
    )


def random_clip(folder: Path) -> Path:
    """A checkpoint of random weights in the size of CLIP's ViT-B/32, as transformers would save it."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    torch.manual_seed(0)
    known = {"<unk>": 0, "<end>": 1, **{one.names[0]: i for i, one in enumerate(classes(), start=2)}}
    reader = Tokenizer(models.WordLevel(known, unk_token="<unk>"))
    reader.pre_tokenizer = pre_tokenizers.Whitespace()
    ends = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1}
    for part in (
        transformers.CLIPModel(transformers.CLIPConfig(text_config=ends)),
        transformers.CLIPImageProcessor(),
        transformers.PreTrainedTokenizerFast(
            tokenizer_object=reader, unk_token="<unk>", pad_token="<end>", eos_token="<end>"
        ),
    ):
        part.save_pretrained(folder)
    return folder


def main() -> None:
    """Print the rates."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--encoder", default="builtin")
    parser.add_argument("--random", action="store_true", help="a CLIP of random weights instead")
    parser.add_argument("--pictures", type=int, default=256)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        measured(str(random_clip(Path(folder))) if asked.random else asked.encoder, asked.pictures)


def measured(name: str, count: int) -> None:
    """Print the rates of one encoder."""
    encoder = load_encoder(name)
    began = time.perf_counter()
    encoder.texts(["a dog"])
    first = time.perf_counter() - began
    few = [photograph(seed, (640, 480)) for seed in range(8)]
    pictures = [few[number % len(few)] for number in range(count)]
    encoder.images(few)
    prepared = np.stack([encoder.prepare(one) for one in pictures])
    starts = range(0, len(prepared), BATCH)
    prepare = timed(lambda: [encoder.prepare(one) for one in pictures])
    model = timed(lambda: [encoder.encode_prepared(prepared[at : at + BATCH]) for at in starts])
    names = [one.names[0] for one in classes()][:512]
    words = timed(lambda: encoder.texts(names))
    single = timed(lambda: encoder.texts(["two dogs playing at night"]))
    print(f"{encoder.fingerprint}: {encoder.dim} numbers a vector")
    print(f"prepare {len(pictures) / prepare:.0f}/s on one core, model {len(pictures) / model:.0f}/s on all")
    print(f"texts {len(names) / words:.0f}/s, one {single * 1000:.0f} ms, the first {first * 1000:.0f} ms")
    if isinstance(encoder, Joint):
        beside(encoder, pictures[:BATCH])
    if isinstance(encoder, Checkpoint):
        without_torch(encoder, prepared[:8])


if __name__ == "__main__":
    main()
