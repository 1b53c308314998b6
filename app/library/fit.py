"""Estimates whether a model fits: weights, KV cache, draft model and headroom against the memory limit."""

import os

from app.i18n import tr
from app.library.kv_cache_size import kv_bytes
from app.library.types import Fit, FitLine, FitVerdict, Shape

HEADROOM = 0.1
"""Share of the sum that is added for conversion copies and activations."""
TIGHT_FROM = 0.8
"""Share of the limit from which on other programs slow down."""

SENTENCES = {
    FitVerdict.FITS: tr("It needs about {total} of the {limit} that this device allows."),
    FitVerdict.TIGHT: tr(
        "It needs about {total} of the {limit} that this device allows. Close other programs, or use a short context."
    ),
    FitVerdict.WONT_FIT: tr(
        "It needs about {total} of the {limit} that this device allows. If you try anyway, loading may fail, or "
        "generation may be slow because of swapping."
    ),
}


def fit(
    weights: int, shape: Shape | None, context: int, limit: int, draft: tuple[int, Shape | None] | None = None
) -> Fit:
    """Return the memory estimate and its verdict. `draft`: the draft model's weights and shape; `limit`: bytes."""
    lines = [
        FitLine(tr("Weights"), weights, tr("the size of the weight files")),
        _kv_line(tr("KV cache"), shape, context),
    ]
    if draft is not None:
        lines.append(FitLine(tr("Draft model's weights"), draft[0], tr("the size of its weight files")))
        lines.append(_kv_line(tr("Draft model's KV cache"), draft[1], context))
    share = round(sum(line.bytes for line in lines) * HEADROOM)
    stored = tr("{share} for conversions and activations").format(share=f"{HEADROOM:.0%}")
    lines.append(FitLine(tr("Headroom"), share, stored))
    total = sum(line.bytes for line in lines)
    verdict = _verdict(total, limit)
    sentence = SENTENCES[verdict].format(total=_gb(total), limit=_gb(limit))
    return Fit(verdict, tuple(lines), total, limit, sentence)


def fit_of(
    weights: int, shape: Shape | None, context: int, limit: int, draft: tuple[int, Shape | None] | None = None
) -> Fit | None:
    """Return the memory estimate of a model; None without weights. `limit` 0: unknown."""
    if not weights:
        return None
    return fit(weights, shape, context, limit or system_memory(), draft)


def system_memory() -> int:
    """Return the computer's memory in bytes."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _kv_line(label: str, shape: Shape | None, context: int) -> FitLine:
    if shape is None:
        return FitLine(label, 0, tr("unknown: not in config.json"))
    if not shape.layers:
        return FitLine(label, 0, tr("none: the model has a small state instead"))
    windows = sorted({layer.window for layer in shape.layers if layer.window is not None})
    note = (
        _windowed(shape, context, windows[-1])
        if windows
        else tr("at %n tokens, 16 bits", "at %n token, 16 bits", context)
    )
    return FitLine(label, kv_bytes(shape, context), note)


def _windowed(shape: Shape, context: int, window: int) -> str:
    note = tr(
        "at %n tokens, 16 bits; {windowed} of {layers} layers keep only the last {window}",
        "at %n token, 16 bits; {windowed} of {layers} layers keep only the last {window}",
        context,
    )
    windowed = sum(layer.count for layer in shape.layers if layer.window is not None)
    layers = sum(layer.count for layer in shape.layers)
    return note.format(windowed=windowed, layers=layers, window=f"{window:,}")


def _verdict(total: int, limit: int) -> FitVerdict:
    if total > limit:
        return FitVerdict.WONT_FIT
    return FitVerdict.TIGHT if total > limit * TIGHT_FROM else FitVerdict.FITS


def _gb(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"
