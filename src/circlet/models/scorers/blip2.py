"""BLIP-2 as a scorer: its Q-Former reads the reference with the words, and each candidate alone."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from circlet.core import Encoder, Pictures, Query, Scorer, UsageError, Vectors
from circlet.core.turns import begins
from circlet.models.composers.one_pass import parts_of
from circlet.models.devices import in_batches
from circlet.models.encoders.fetching import weights_in
from circlet.models.encoders.hub import Checkpoint

# Where BLIP-2's own training starts; the checkpoints of transformers do not keep what it ends with.
TEMPERATURE = 0.07
# What a checkpoint calls it that does.
_KEPT = "temp"
# So many candidates' rows stay in memory while a batch of queries is scored.
_MOST = 2_000


class Blip2Checkpoint(Checkpoint):
    """A BLIP-2 with its retrieval half, asked for what its contrastive score is made of."""

    @cached_property
    def temperature(self) -> float:
        """The temperature that the checkpoint learned, or the one that training starts from."""
        from safetensors import safe_open

        for file in weights_in(self.folder):
            if file.suffix == ".safetensors":
                with safe_open(file, "np") as weights:
                    if _KEPT in set(weights.keys()):
                        return float(np.asarray(weights.get_tensor(_KEPT)).reshape(()))
        return TEMPERATURE

    def must_be_blip2(self) -> None:
        """Refuse a checkpoint of another family."""
        if (family := self._config["model_type"]) != "blip-2":
            raise UsageError(
                f"{self.name} is a {family} checkpoint: blip2:NAME is one that was saved as "
                "Blip2ForImageTextRetrieval, such as blip2:Salesforce/blip2-itm-vit-g"
            )

    def candidates(self, ids: Sequence[str], pictures: Pictures) -> Vectors:
        """What each query of the Q-Former finds in each picture: (pictures, queries, numbers), unit rows."""
        import torch

        with torch.inference_mode():
            return self._looked(self._states(ids, pictures)).float().cpu().numpy()

    def question(self, ids: Sequence[str], words: str, pictures: Pictures) -> Vectors:
        """Reference and words read together, as one unit row; without a picture, the words alone.

        The states of several pictures stand side by side, and the Q-Former looks at all of them.
        """
        import torch

        if not ids:
            return self.texts([words])[0]
        model = self._model
        read = self._pieces([words])
        with torch.inference_mode():
            states = self._states(ids, pictures)
            states = states.reshape(1, -1, states.shape[-1])
            asked = model.query_tokens.expand(1, -1, -1)
            whole = torch.ones(asked.shape[:2], dtype=torch.long, device=asked.device)
            told = model.qformer(
                query_embeds=model.embeddings(input_ids=read["input_ids"], query_embeds=asked),
                query_length=asked.shape[1],
                attention_mask=torch.cat([whole, read["attention_mask"]], dim=1),
                encoder_hidden_states=states,
            ).last_hidden_state
            # The first word piece stands for the words, and has looked at the reference with the queries.
            project = model.text_projection
            row = project(told[:, asked.shape[1]].to(project.weight.dtype))
            return torch.nn.functional.normalize(row, dim=-1)[0].float().cpu().numpy()

    def _states(self, ids: Sequence[str], pictures: Pictures) -> Any:
        """What the picture tower says of each part of these pictures."""
        import torch

        prepared = np.stack([self.prepare(pictures.open(id, self.size)) for id in ids])
        pixels = self._placed({"pixel_values": torch.from_numpy(prepared)})
        return self._model.vision_model(**pixels).last_hidden_state


class Blip2(Scorer):
    """`blip2:NAME`, a hub name or a folder: equation 1 of the CIRQRS paper over BLIP-2's own weights.

    A candidate's score is the product of the query's row with that of the candidate's rows which it meets
    best, as in BLIP-2's training, over the temperature. All turns that still stand are read.
    """

    batch = 16

    def __init__(self, encoder: Encoder, name: str, *, temperature: float | None = None) -> None:
        if temperature is not None and not temperature > 0:
            raise UsageError(f"blip2:{name}: a temperature is above 0, not {temperature}")
        self.encoder, self.name, self.given = encoder, name, temperature

    def __repr__(self) -> str:
        said = f", temperature={self.given}" if self.given else ""
        return f"Blip2({self.encoder!r}, {self.name!r}{said})"

    @cached_property
    def model(self) -> Blip2Checkpoint:
        """The checkpoint, whose weights are read when the first candidate is scored."""
        model = Blip2Checkpoint(self.name)
        model.must_be_blip2()
        model.batch = self.batch
        return model

    @property
    def temperature(self) -> float:
        """What scores are divided by."""
        return self.given or self.model.temperature

    def score(
        self, queries: Sequence[Query], candidates: Sequence[Sequence[str]], pictures: Pictures
    ) -> list[Vectors]:
        rows: dict[str, Vectors] = {}
        scores = []
        for query, ids in zip(queries, candidates, strict=True):
            if len(rows) > _MOST:
                rows.clear()
            self._look(rows, ids, pictures)
            asked = self._asked(query, pictures)
            best = [float((rows[id] @ asked).max()) for id in ids]
            scores.append(np.array(best, np.float32) / np.float32(self.temperature))
        return scores

    def _look(self, rows: dict[str, Vectors], ids: Sequence[str], pictures: Pictures) -> None:
        """Make the rows of those candidates that have none yet."""
        new = list(dict.fromkeys(id for id in ids if id not in rows))
        parts = in_batches(lambda some: self.model.candidates(some, pictures), new, self.model.many)
        rows |= zip(new, (row for part in parts for row in part), strict=True)

    def _asked(self, query: Query, pictures: Pictures) -> Vectors:
        parts = parts_of(query.turns[begins(query.turns) :])
        shown = [what for kind, what in parts if kind == "picture"]
        words = ", ".join(what for kind, what in parts if kind == "words")
        return self.model.question(shown, words, pictures)
