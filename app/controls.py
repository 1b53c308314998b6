"""What the user has set for the next run, as one frozen value: panel, playground, journal and settings file hold it.

What each setting is called and means says `app.engine.catalogue`, and what it may be `app.engine.ranges`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from app.engine.clamping import (
    LONGEST_FORM,
    clamped_arguments,
    clamped_form,
    clamped_kv,
    clamped_limits,
    clamped_number,
    clamped_sampling,
    clamped_seed,
)
from app.engine.types import KV, LATER, Argument, Form, Limits, Sampling

Arguments = tuple[tuple[str, Argument], ...]


class Mode(StrEnum):
    """Whether the prompt is a conversation for the chat template, or a page that the model goes on writing."""

    CHAT = "chat"
    RAW = "raw"

    @classmethod
    def _missing_(cls, value: object) -> Mode:
        """What a file calls by another name is a conversation."""
        return cls.CHAT


@dataclass(frozen=True, slots=True)
class Controls:
    """What the next run is asked for. The names are those of files: journals and settings are read by them."""

    mode: Mode = Mode.CHAT
    system: str = ""
    reply_start: str = ""
    arguments: Arguments = ()
    """What chat templates are given, by name; a template that doesn't know one never sees it."""
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    kv: KV = field(default_factory=KV)
    form: Form = field(default_factory=Form, metadata=LATER)
    tools: str = field(default="", metadata=LATER)
    """What the model may call, as JSON."""
    seed: int | None = None
    """None: a new one for each run."""
    observe: int = 0
    draft_tokens: int = 0
    """How many the draft model proposes a step, where there is one."""
    interval: int = 1


OBSERVED = 10
"""Candidates recorded for each token: what a list of them shows."""
OBJECTS = {
    "system": "system_prompt",
    "stop_ids": "stop_ids_search",
    "logit_bias": "logit_bias_search",
    "observe": "record_candidates",
    "draft": "draft_model",
    "interval": "stream_interval",
    **{f"form_{kind}": "form_kind" for kind in ("schema", "choices", "regex", "grammar", "numbers")},
}
"""Where a control is called otherwise in the window than its setting."""
AT_FIRST = Controls(draft_tokens=3, observe=OBSERVED)
"""Before anybody has set anything. What a run is asked by default costs it less than a twentieth of its speed."""


def clamped(kept: Controls) -> Controls:
    """Out of a file, which may have been written by anybody: what no control can show is as at first."""
    return replace(
        kept,
        arguments=clamped_arguments(kept.arguments),
        sampling=clamped_sampling(kept.sampling),
        limits=clamped_limits(kept.limits),
        kv=clamped_kv(kept.kv),
        form=clamped_form(kept.form),
        tools=kept.tools if len(kept.tools) <= LONGEST_FORM else "",
        seed=clamped_seed(kept.seed),
        observe=clamped_number("observe", kept.observe, AT_FIRST.observe),
        draft_tokens=clamped_number("draft_tokens", kept.draft_tokens, AT_FIRST.draft_tokens),
        interval=clamped_number("interval", kept.interval, AT_FIRST.interval),
    )
