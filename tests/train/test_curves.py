"""The curves are a well-formed picture that shows every epoch."""

from xml.etree import ElementTree

from circlet.train.curves import curves
from circlet.train.fit import Epoch


def test_the_curves_show_every_epoch_and_score() -> None:
    history = [Epoch(1, 0.7, 10.0), Epoch(2, 0.5, None), Epoch(3, 0.4, 20.0)]
    drawn = curves(history, title="tirg & <co>", measure="Recall @ 10")
    root = ElementTree.fromstring(drawn)
    names = "{http://www.w3.org/2000/svg}"
    assert root.find(f"{names}title").text == "tirg & <co>"  # type: ignore[union-attr]
    lines = root.findall(f"{names}polyline")
    assert [len(line.attrib["points"].split()) for line in lines] == [3, 2]
    assert len(root.findall(f"{names}circle")) == 5
    # The loss falls, so its line goes down: y grows downwards.
    heights = [float(point.split(",")[1]) for point in lines[0].attrib["points"].split()]
    assert heights == sorted(heights)


def test_one_epoch_alone_can_be_drawn() -> None:
    ElementTree.fromstring(curves([Epoch(1, 0.7, 10.0)], title="t", measure="m"))
