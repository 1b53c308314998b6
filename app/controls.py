"""The settings of the next run as one frozen value, for panel, playground, session database and settings file.

Labels and meanings are in `app.engine.catalogue`, ranges in `app.engine.ranges`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from app.engine.ranges import (
    LONGEST_FORM,
    clamped_arguments,
    clamped_format,
    clamped_kv,
    clamped_limits,
    clamped_number,
    clamped_sampling,
    clamped_seed,
)
from app.engine.types import KV, LATER, Argument, Limits, OutputFormat, Sampling

Arguments = tuple[tuple[str, Argument], ...]


class Mode(StrEnum):
    """Whether the prompt is a conversation for the chat template, or raw text that the model continues."""

    CHAT = "chat"
    RAW = "raw"

    @classmethod
    def _missing_(cls, value: object) -> Mode:
        return cls.CHAT


@dataclass(frozen=True, slots=True)
class Controls:
    """The settings of the next run. Session databases and settings files use these field names."""

    mode: Mode = Mode.CHAT
    system: str = ""
    reply_start: str = ""
    arguments: Arguments = ()
    """Arguments of the chat template by name; a template gets only those that it reads."""
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    kv: KV = field(default_factory=KV)
    form: OutputFormat = field(default_factory=OutputFormat, metadata=LATER)
    tools: str = field(default="", metadata=LATER)
    """Functions that the model may call, as JSON."""
    seed: int | None = None
    """None: a new seed for each run."""
    observe: int = 0
    draft_tokens: int = 0
    """Number of tokens that a draft model proposes in a step."""
    interval: int = 1
    lookup_tokens: int = field(default=0, metadata=LATER)
    """Number of tokens that prompt lookup proposes in a step, instead of a draft model; 0 turns it off."""


OBSERVED = 10
"""Number of alternatives to record for each token: as many as a list displays."""
OBJECTS = {
    "system": "system_prompt",
    "stop_ids": "stop_ids_search",
    "logit_bias": "logit_bias_search",
    "observe": "record_candidates",
    "draft": "draft_model",
    "lookup_tokens": "draft_model",
    "interval": "stream_interval",
    **{f"form_{kind}": "form_kind" for kind in ("schema", "choices", "regex", "grammar", "numbers")},
}
"""Object names of controls, by setting, if they differ from the setting's name."""
WITHOUT_CONTROL = {"prefill_step"}
"""Settings for experiments and commands only."""
AT_FIRST = Controls(draft_tokens=3, observe=OBSERVED)
"""The defaults. Recording alternatives takes less than 5 % of the speed."""


def clamped(stored: Controls) -> Controls:
    """Replace values from a file that no control can display by the defaults."""
    return replace(
        stored,
        arguments=clamped_arguments(stored.arguments),
        sampling=clamped_sampling(stored.sampling),
        limits=clamped_limits(stored.limits),
        kv=clamped_kv(stored.kv),
        form=clamped_format(stored.form),
        tools=stored.tools if len(stored.tools) <= LONGEST_FORM else "",
        seed=clamped_seed(stored.seed),
        observe=clamped_number("observe", stored.observe, AT_FIRST.observe),
        draft_tokens=clamped_number("draft_tokens", stored.draft_tokens, AT_FIRST.draft_tokens),
        lookup_tokens=clamped_number("lookup_tokens", stored.lookup_tokens, AT_FIRST.lookup_tokens),
        interval=clamped_number("interval", stored.interval, AT_FIRST.interval),
    )
