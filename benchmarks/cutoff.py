"""Where a match begins: best scores for things that a folder has against things that it has not.

    apt-get download tuxpaint-stamps-default && dpkg -x tuxpaint-stamps-default*.deb stamps
    python benchmarks/cutoff.py stamps/usr/share/tuxpaint/stamps [--encoder builtin]

The stamps are a thousand photographs and drawings of everyday things. Each text is searched alone;
for a row of cut-offs the share of present things that reach it and of absent ones that stay below is
printed. An encoder's `cutoff` is the highest that at least nine in ten present things reach.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np

from circlet.collection.collection import Collection

PRESENT = """a bird, a parrot, an owl, a chicken, a duck, a penguin, an apple, a banana, strawberries,
an orange, a lemon, a sunflower, a daisy, a rose, a cow, a horse, a sheep, a pig, a dog, a cat,
an elephant, a fish, a shark, a frog, a snake, a butterfly, a spider, a car, a bus, a truck, an airplane,
a train, a hammer, a screwdriver, a guitar, a piano, a drum, a coin, a stop sign, a traffic light,
a carrot, a tomato, broccoli, a hat, a shoe, a t-shirt, a christmas tree, a pumpkin, a chess piece,
a candle, a tree, a house, the moon, the sun, a star"""
ABSENT = """a stock market chart, quantum physics equation, a spreadsheet, two people kissing,
a swimming pool full of children, the Eiffel tower, a hospital corridor, a bowl of ramen, a subway map,
a tax form, a skyscraper at dusk, a bedroom with a red carpet, xyzzy plugh, a rock concert,
a parking garage, an escalator, a bathtub, a satellite dish, a waterfall, a submarine, a library,
a vending machine, a roller coaster, sushi, a hamburger, an iceberg, a suspension bridge, a ballroom,
democracy, a microscope, a wedding photograph, a court room, an oil rig, a sand dune, the stock exchange"""


def best(collection: Collection, texts: str) -> np.ndarray:
    """The best score of each text."""
    asked = [" ".join(text.split()) for text in texts.split(",")]
    return np.array([collection.search(text, top=1).hits[0].score for text in asked])


def main() -> None:
    """Print the shares for a row of cut-offs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--encoder", default="builtin")
    parser.add_argument("--home", type=Path, default=Path(tempfile.gettempdir()) / "circlet-cutoff")
    asked = parser.parse_args()
    collection = Collection.open(asked.folder, home=asked.home, encoder=asked.encoder)
    print(collection.index())
    present, absent = best(collection, PRESENT), best(collection, ABSENT)
    step = (present.max() - absent.min()) / 24
    for cut in np.arange(absent.min(), present.max(), step):
        print(f"{cut:.3f}  {np.mean(present >= cut):4.0%} of present, {np.mean(absent < cut):4.0%} of absent")


if __name__ == "__main__":
    main()
