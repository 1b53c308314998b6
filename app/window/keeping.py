"""The controls as each layer keeps them: the file, the panel and the playground."""

from __future__ import annotations

from dataclasses import replace

from app.bridge.state import Controls, Mode
from app.settings import Settings
from app.widgets.controls import ControlValues


def controls_of(settings: Settings) -> Controls:
    """The controls as they were left."""
    return Controls(
        mode=Mode.RAW if settings.mode == Mode.RAW else Mode.CHAT,
        system=settings.system,
        sampling=settings.sampling,
        limits=settings.limits,
        seed=settings.seed,
        kv=settings.kv,
        draft_tokens=settings.draft_tokens,
        interval=settings.interval,
        observe=settings.observe,
    )


def with_controls(settings: Settings, controls: Controls) -> Settings:
    """The settings with the controls as they are."""
    return replace(
        settings,
        mode=controls.mode.value,
        system=controls.system,
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
        mode=controls.mode.value,
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
        mode=Mode(values.mode),
        system=values.system,
        sampling=values.sampling,
        limits=values.limits,
        seed=values.seed,
        kv=values.kv,
        draft_tokens=values.draft_tokens,
        interval=values.interval,
    )
