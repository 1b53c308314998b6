"""Whether a model will fit: weights, KV cache, draft model and headroom against the device's limit, line by line."""

from __future__ import annotations

from app.library.shape import kv_bytes
from app.library.types import Fit, FitLine, Shape, Verdict

HEADROOM = 0.1
"""The share on top for what is made on the way: copies while tensors are converted, activations."""
TIGHT_FROM = 0.8
"""From this share of the limit on, other programs will feel it."""


def fit(
    weights: int,
    shape: Shape | None,
    context: int,
    limit: int,
    draft: tuple[int, Shape | None] | None = None,
) -> Fit:
    """The sum and its verdict. `draft` is the draft model's weights and shape, `limit` the bytes the device allows."""
    lines = [FitLine("Weights", weights, "the size of the weight files"), _kv_line("KV cache", shape, context)]
    if draft is not None:
        lines.append(FitLine("Draft model's weights", draft[0], "the size of its weight files"))
        lines.append(_kv_line("Draft model's KV cache", draft[1], context))
    share = round(sum(line.bytes for line in lines) * HEADROOM)
    lines.append(FitLine("Headroom", share, f"{HEADROOM:.0%} for conversions and activations"))
    total = sum(line.bytes for line in lines)
    verdict = _verdict(total, limit)
    return Fit(verdict, tuple(lines), total, limit, _sentence(verdict, total, limit))


def _kv_line(label: str, shape: Shape | None, context: int) -> FitLine:
    if shape is None:
        return FitLine(label, 0, "its config.json does not tell")
    if not shape.layers:
        return FitLine(label, 0, "it keeps a small state instead")
    note = f"at {context:,} tokens, 16 bits"
    windows = sorted({layer.window for layer in shape.layers if layer.window is not None})
    if windows:
        note += f"; {_layers(shape)} layers keep only the last {windows[-1]:,}"
    return FitLine(label, kv_bytes(shape, context), note)


def _layers(shape: Shape) -> str:
    windowed = sum(layer.count for layer in shape.layers if layer.window is not None)
    return f"{windowed} of {sum(layer.count for layer in shape.layers)}"


def _verdict(total: int, limit: int) -> Verdict:
    if total > limit:
        return Verdict.WONT_FIT
    return Verdict.TIGHT if total > limit * TIGHT_FROM else Verdict.FITS


def _sentence(verdict: Verdict, total: int, limit: int) -> str:
    needs = f"It needs about {_gb(total)} of the {_gb(limit)} that this device allows"
    if verdict is Verdict.WONT_FIT:
        return f"{needs}. You can load it all the same: it may run slowly from swapped memory, or fail."
    if verdict is Verdict.TIGHT:
        return f"{needs}: close other programs, or keep the context short."
    return f"{needs}."


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"
