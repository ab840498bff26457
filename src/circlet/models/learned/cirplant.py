"""CIRPLANT (paper 000, section 3): the picture is one more token of a pretrained transformer."""

from dataclasses import replace

import torch
from torch import Tensor

from circlet.models.learned.network import Network, QueryBatch, Shape
from circlet.models.learned.words import Language


class Cirplant(Network):
    """v = FC(f) / ‖FC(f)‖; the query is what the transformer makes of v beside the words.

    The sequence is {w₁ … w_T, v}. The output at v's place is the composed feature, and the same
    layer embeds the candidates, so the transformer runs once a query and never for the gallery.
    """

    def __init__(self, shape: Shape, language: Language) -> None:
        transformer = language.transformer()
        transformer.learn_words(language)
        super().__init__(replace(shape, width=transformer.width))
        self.transformer = transformer

    def compose(self, asked: QueryBatch) -> Tensor:
        words = self.transformer.words(asked.words)
        rows = torch.cat([words, self.candidates(asked.vectors)[:, None]], dim=1)
        mask = torch.nn.functional.pad(asked.mask, (0, 1), value=True)
        # The picture stands at place 0 of the second segment, so that padding cannot move it.
        places = torch.arange(words.shape[1], device=words.device)
        places = torch.nn.functional.pad(places, (0, 1)).expand(len(rows), -1)
        kinds = torch.nn.functional.pad(torch.zeros_like(asked.words), (0, 1), value=1)
        return self.transformer.last(rows, mask, places, kinds)
