"""The controls as each layer keeps them: the file, the panel and the playground."""

from __future__ import annotations

from dataclasses import replace

from app.engine.clamping import (
    clamped_arguments,
    clamped_kv,
    clamped_limits,
    clamped_number,
    clamped_sampling,
    clamped_seed,
)
from app.settings import DRAFT_TOKENS, Settings
from app.state import Controls, Mode
from app.ui.controls import ControlValues


def controls_of(settings: Settings) -> Controls:
    """The controls as they were left."""
    return Controls(
        mode=Mode.RAW if settings.mode == Mode.RAW else Mode.CHAT,
        system=settings.system,
        reply_start=settings.reply_start,
        arguments=clamped_arguments(settings.arguments),
        sampling=clamped_sampling(settings.sampling),
        limits=clamped_limits(settings.limits),
        seed=clamped_seed(settings.seed),
        kv=clamped_kv(settings.kv),
        draft_tokens=clamped_number("draft_tokens", settings.draft_tokens, DRAFT_TOKENS),
        interval=clamped_number("interval", settings.interval, 1),
        observe=clamped_number("observe", settings.observe, 0),
    )


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
