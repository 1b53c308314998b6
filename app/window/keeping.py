"""The controls as each layer keeps them: the file, the panel and the playground."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar

from app.bridge.state import Controls, Mode
from app.engine.sampling import KV_BITS, KV_GROUP_SIZES, RANGES
from app.engine.types import KV, Limits, Sampling
from app.records.types import SessionSettings
from app.settings import Settings
from app.widgets.controls import ControlValues

Kept = TypeVar("Kept", Sampling, Limits, Settings)
NUMBERS = RANGES.keys() - {"logit_bias", "seed"}


def controls_of(settings: Settings) -> Controls:
    """The controls as they were left."""
    return Controls(
        mode=Mode.RAW if settings.mode == Mode.RAW else Mode.CHAT,
        system=settings.system,
        reply_start=settings.reply_start,
        arguments=settings.arguments,
        sampling=_mended(settings.sampling),
        limits=_mended(settings.limits),
        seed=_mended_seed(settings.seed),
        kv=_mended_kv(settings.kv),
        draft_tokens=_mended(settings).draft_tokens,
        interval=_mended(settings).interval,
        observe=_mended(settings).observe,
    )


def controls_saved(saved: SessionSettings) -> Controls:
    """The controls that were saved for new sessions."""
    return controls_of(Settings(**{each.name: getattr(saved, each.name) for each in fields(saved)}))


def with_controls(settings: Settings, controls: Controls) -> Settings:
    """The settings with the controls as they are."""
    return replace(
        settings,
        mode=controls.mode.value,
        system=controls.system,
        reply_start=controls.reply_start,
        arguments=controls.arguments,
        sampling=controls.sampling,
        limits=controls.limits,
        seed=controls.seed,
        kv=controls.kv,
        draft_tokens=controls.draft_tokens,
        interval=controls.interval,
        observe=controls.observe,
    )


def values_of(controls: Controls) -> ControlValues:
    """What the panel shows of them."""
    return ControlValues(
        system=controls.system,
        sampling=controls.sampling,
        limits=controls.limits,
        seed=controls.seed,
        kv=controls.kv,
        draft_tokens=controls.draft_tokens,
        interval=controls.interval,
    )


def with_values(controls: Controls, values: ControlValues) -> Controls:
    """The controls with what the panel has; what it has no field for stays."""
    return replace(
        controls,
        system=values.system,
        sampling=values.sampling,
        limits=values.limits,
        seed=values.seed,
        kv=values.kv,
        draft_tokens=values.draft_tokens,
        interval=values.interval,
    )


def _mended(kept: Kept) -> Kept:
    """A file that was edited by hand may hold values that no control can show: those are as at first."""
    fresh = type(kept)()
    wrong = {
        each.name: getattr(fresh, each.name)
        for each in fields(kept)
        if each.name in NUMBERS and not RANGES[each.name].allows(getattr(kept, each.name))
    }
    return replace(kept, **wrong)


def _mended_seed(seed: int | None) -> int | None:
    return seed if seed is not None and RANGES["seed"].allows(seed) else None


def _mended_kv(kv: KV) -> KV:
    fits = kv.bits in (None, *KV_BITS) and kv.group_size in KV_GROUP_SIZES
    start, size = RANGES["kv_quantized_start"], RANGES["kv_max_size"]
    fits = fits and start.allows(kv.quantized_start) and (kv.max_size is None or size.allows(kv.max_size))
    return kv if fits else KV()
