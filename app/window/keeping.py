"""The controls as each layer keeps them: the file, the panel and the playground."""

from __future__ import annotations

from dataclasses import fields, replace

from app.bridge.state import Controls, Mode
from app.engine.mending import (
    mended_arguments,
    mended_kv,
    mended_limits,
    mended_number,
    mended_sampling,
    mended_seed,
)
from app.records.types import SessionSettings
from app.settings import DRAFT_TOKENS, Settings
from app.widgets.controls import ControlValues


def controls_of(settings: Settings) -> Controls:
    """The controls as they were left."""
    return Controls(
        mode=Mode.RAW if settings.mode == Mode.RAW else Mode.CHAT,
        system=settings.system,
        reply_start=settings.reply_start,
        arguments=mended_arguments(settings.arguments),
        sampling=mended_sampling(settings.sampling),
        limits=mended_limits(settings.limits),
        seed=mended_seed(settings.seed),
        kv=mended_kv(settings.kv),
        draft_tokens=mended_number("draft_tokens", settings.draft_tokens, DRAFT_TOKENS),
        interval=mended_number("interval", settings.interval, 1),
        observe=mended_number("observe", settings.observe, 0),
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
