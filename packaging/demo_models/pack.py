"""Documents into rows of equal length: what to read, what to predict, and how much each token counts."""

from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor

from chat import END_OF_TEXT, pieces
from corpus import Document, Stage, documents
from train_tokenizer import id_of

SLACK = 1.25  # so much more text than the rows hold is drawn, so that the packing finds pieces that fit


@dataclass(frozen=True, slots=True)
class Encoded:
    """One document as token ids, each with its weight in the loss."""

    ids: list[int]
    weights: list[float]


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of tokens; `mask` keeps the documents of one row from seeing each other."""

    inputs: Tensor
    targets: Tensor
    weights: Tensor
    mask: Tensor


def encode(tokenizer: Tokenizer, document: Document) -> Encoded:
    ids: list[int] = []
    weights: list[float] = []
    for text, weight in pieces(document):
        piece = tokenizer.encode(text).ids
        ids += piece
        weights += [weight] * len(piece)
    return Encoded(ids, weights)


def draw(tokenizer: Tokenizer, seed: str, stage: Stage, tokens: float, width: int) -> list[Encoded]:
    """Documents that fill so many tokens, each counted no longer than a row is wide."""
    found: list[Encoded] = []
    for document in documents(seed, stage):
        found.append(encode(tokenizer, document))
        tokens -= min(len(found[-1].ids), width)
        if tokens <= 0:
            break
    return found


def rows_of(pool: list[Encoded], rows: int, length: int) -> list[list[Encoded]]:
    """Fill rows: the oldest document first, then always the longest one that still fits."""
    filled: list[list[Encoded]] = []
    for _ in range(rows):
        row = [pool.pop(0)]
        room = length - len(row[0].ids)
        while fitting := [document for document in pool if len(document.ids) <= room]:
            row.append(max(fitting, key=lambda document: len(document.ids)))
            pool.remove(row[-1])
            room -= len(row[-1].ids)
        filled.append(row)
    return filled


def batch(tokenizer: Tokenizer, seed: str, stage: Stage, rows: int, length: int) -> Batch:
    """The rows of one training step: a pure function of its seed, so that a resumed run reads the same."""
    width = length + 1
    ids = torch.full((rows, width), id_of(tokenizer, END_OF_TEXT))
    weights = torch.zeros(rows, width)
    owners = torch.full((rows, width), -1)
    pool = draw(tokenizer, seed, stage, rows * width * SLACK, width)
    for i, row in enumerate(rows_of(pool, rows, width)):
        start = 0
        for owner, document in enumerate(row):
            end = min(start + len(document.ids), width)
            ids[i, start:end] = torch.tensor(document.ids[: end - start])
            weights[i, start:end] = torch.tensor(document.weights[: end - start])
            weights[i, start] = 0.0  # nothing before it tells a document's first token
            owners[i, start:end] = owner
            start = end
    return Batch(ids[:, :-1], ids[:, 1:], weights[:, 1:], own_past(owners[:, :-1]))


def own_past(owners: Tensor) -> Tensor:
    """An additive mask: zero for earlier tokens of the same document, minus infinity for all others."""
    length = owners.shape[1]
    same = owners[:, :, None] == owners[:, None, :]
    past = torch.ones(length, length, dtype=torch.bool).tril()
    return torch.zeros(same.shape).masked_fill(~(same & past), float("-inf"))[:, None]
