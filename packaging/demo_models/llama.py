"""A compact Llama in PyTorch whose parameter names are those of a Hugging Face checkpoint."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from plan import Shape


def rope_tables(shape: Shape) -> tuple[Tensor, Tensor]:
    """Cosines and sines for every position, in the rotate-half order of Hugging Face and MLX."""
    frequencies = shape.rope_theta ** -(torch.arange(0, shape.head_dim, 2) / shape.head_dim)
    angles = torch.outer(torch.arange(shape.context).float(), frequencies).repeat(1, 2)
    return angles.cos(), angles.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turn each pair (i, i + half) of a head by its position's angle."""
    left, right = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-right, left), dim=-1) * sin


class Attention(nn.Module):
    """Causal self-attention; several query heads may share one key and value head."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        wide, narrow = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
        self.q_proj = nn.Linear(shape.hidden, wide, bias=False)
        self.k_proj = nn.Linear(shape.hidden, narrow, bias=False)
        self.v_proj = nn.Linear(shape.hidden, narrow, bias=False)
        self.o_proj = nn.Linear(wide, shape.hidden, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None) -> Tensor:
        batch, length, _ = x.shape
        split = (batch, length, -1, self.shape.head_dim)
        q = rotate(self.q_proj(x).view(split).transpose(1, 2), cos, sin)
        k = rotate(self.k_proj(x).view(split).transpose(1, 2), cos, sin)
        v = self.v_proj(x).view(split).transpose(1, 2)
        shared = self.shape.heads != self.shape.kv_heads
        seen = F.scaled_dot_product_attention(q, k, v, mask, is_causal=mask is None, enable_gqa=shared)
        return self.o_proj(seen.transpose(1, 2).reshape(batch, length, -1))


class FeedForward(nn.Module):
    """The gated two-way stretch between attentions."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(shape.hidden, shape.intermediate, bias=False)
        self.up_proj = nn.Linear(shape.hidden, shape.intermediate, bias=False)
        self.down_proj = nn.Linear(shape.intermediate, shape.hidden, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Block(nn.Module):
    """One layer: attention, then feed-forward, each on a normalised copy and added back."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.input_layernorm = nn.RMSNorm(shape.hidden, eps=shape.norm_eps)
        self.self_attn = Attention(shape)
        self.post_attention_layernorm = nn.RMSNorm(shape.hidden, eps=shape.norm_eps)
        self.mlp = FeedForward(shape)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None) -> Tensor:
        x = x + self.self_attn(self.input_layernorm(x), cos, sin, mask)
        return x + self.mlp(self.post_attention_layernorm(x))


class Stack(nn.Module):
    """Embedding, layers and last norm: everything a checkpoint files under `model.`"""

    cos: Tensor
    sin: Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(shape.vocabulary, shape.hidden)
        self.layers = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.hidden, eps=shape.norm_eps)
        cos, sin = rope_tables(shape)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)

    def forward(self, ids: Tensor, mask: Tensor | None = None) -> Tensor:
        length = ids.shape[1]
        cos, sin = self.cos[:length], self.sin[:length]
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        return self.norm(x)


class Llama(nn.Module):
    """The whole model; the embedding is also the output matrix (tied)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.model = Stack(shape)
        for name, weight in self.named_parameters():
            if weight.ndim == 2:
                deep = name.endswith(("o_proj.weight", "down_proj.weight"))
                nn.init.normal_(weight, std=0.02 / (2 * shape.layers) ** 0.5 if deep else 0.02)

    def forward(self, ids: Tensor, mask: Tensor | None = None) -> Tensor:
        """Scores of the next token; without a mask the rows are plainly causal."""
        return F.linear(self.model(ids, mask), self.model.embed_tokens.weight)

    def parameter_count(self) -> int:
        return sum(weight.numel() for weight in self.parameters())
