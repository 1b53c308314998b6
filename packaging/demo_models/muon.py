"""Muon: momentum whose every update is turned into a matrix with equal singular values.

PyTorch has one too, but works in bfloat16 and matrix by matrix, which takes twice as long on a CPU.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

STEPS = 5
COEFFICIENTS = (3.4445, -4.7750, 2.0315)  # Keller Jordan's, made for few steps
RMS = 0.2  # the size of AdamW's updates, so that both share one learning rate


def orthogonal(stack: Tensor) -> Tensor:
    """Newton–Schulz iterations on a stack of matrices of one shape."""
    a, b, c = COEFFICIENTS
    x = stack / (stack.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(STEPS):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    return x


class Muon(torch.optim.Optimizer):
    """For the matrices of the layers; embeddings and norms belong to AdamW."""

    def __init__(self, weights: Iterable[Tensor], lr: float, momentum: float = 0.95, decay: float = 0.05) -> None:
        super().__init__(list(weights), {"lr": lr, "momentum": momentum, "decay": decay})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:
        for group in self.param_groups:
            alike: dict[tuple[int, ...], list[Tensor]] = defaultdict(list)
            for weight in group["params"]:
                alike[tuple(sorted(weight.shape))].append(weight)
            for weights in alike.values():
                self._turn(weights, group)

    def _turn(self, weights: list[Tensor], group: dict[str, Any]) -> None:
        """Update all weights of one shape; tall ones lie on their side meanwhile."""
        moved = []
        for weight in weights:
            slope = weight.grad
            assert slope is not None
            buffer = self.state[weight].setdefault("momentum", torch.zeros_like(weight))
            buffer.lerp_(slope, 1 - group["momentum"])
            ahead = slope.lerp(buffer, group["momentum"])
            moved.append(ahead.mT if weight.shape[0] > weight.shape[1] else ahead)
        for weight, turned in zip(weights, orthogonal(torch.stack(moved)), strict=True):
            size = RMS * max(weight.shape) ** 0.5
            weight.mul_(1 - group["lr"] * group["decay"])
            weight.add_(turned.mT if weight.shape[0] > weight.shape[1] else turned, alpha=-group["lr"] * size)
