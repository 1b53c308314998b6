"""Requests of the variants of an experiment, and their settings by dotted name."""

from dataclasses import is_dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_type_hints

from app.controls import Controls
from app.engine.catalogue import setting_name
from app.engine.ranges import LARGEST_SEED
from app.engine.types import (
    ENDLESS,
    ChatPrompt,
    Failure,
    Message,
    Model,
    OutputFormat,
    PromptSource,
    RawPrompt,
    Request,
    Role,
)
from app.experiments.types import Axis, Plain, RunContext
from app.i18n import tr

Settings = TypeVar("Settings", Request, Controls)
SENSIBLE_TOKENS = 256
AWAY = -100.0
"""A logit bias that excludes a token."""


def bounded(request: Request) -> Request:
    """Limit max tokens, since a run until the context is full could take hours."""
    return limited(request, SENSIBLE_TOKENS) if request.limits.max_tokens == ENDLESS else request


def measured(request: Request) -> Request:
    """Turn off recording, drafts and prompt cache reuse, so that runs don't influence each other."""
    request = bounded(request)
    kv = replace(request.kv, enabled=True, reuse=False)
    return replace(request, kv=kv, observe=0, draft_tokens=0, lookup_tokens=0, interval=1)


def endless(request: Request, model: Model) -> Request:
    """Remove EOS tokens, stop strings and output format, so that the run reaches max tokens."""
    ends = tuple((token, AWAY) for token, _ in model.eos)
    kept = tuple(pair for pair in request.sampling.logit_bias if pair[0] not in dict(ends))
    sampling = replace(request.sampling, logit_bias=(*kept, *ends))
    limits = replace(request.limits, stop_strings=(), stop_ids=())
    return replace(request, sampling=sampling, limits=limits, form=OutputFormat())


def limited(request: Request, tokens: int) -> Request:
    return replace(request, limits=replace(request.limits, max_tokens=tokens))


def seeded(request: Request, given: RunContext) -> Request:
    """Return the request with the seed of the round, which is the same in all variants; 0 follows the largest seed."""
    seed = (request.sampling.seed + max(0, given.round - 1)) % (LARGEST_SEED + 1)
    return replace(request, sampling=replace(request.sampling, seed=seed))


def words_of(prompt: PromptSource) -> str | Failure:
    """Return the text of the last question."""
    if isinstance(prompt, RawPrompt):
        return prompt.text
    if isinstance(prompt, ChatPrompt):
        asked = [message.text for message in prompt.messages if message.role is Role.USER]
        return asked[-1] if asked else Failure(tr("The conversation has no prompt."), tr("Write a prompt first."))
    return Failure(
        tr("A prompt of token ids has no text that could be sent again."), tr("Choose a run with a prompt of text.")
    )


def chat(text: str) -> ChatPrompt:
    return ChatPrompt((Message(Role.USER, text),))


SWITCH = MappingProxyType({"on": True, "true": True, "off": False, "false": False})
NOTHING = "none"


@cache
def kinds() -> dict[str, tuple[type, ...]]:
    """Return the types of all plain settings by dotted name."""
    found: dict[str, tuple[type, ...]] = {}
    for name, hint in get_type_hints(Request).items():
        if name in ("prompt", "form"):
            continue
        inner = get_type_hints(hint).items() if is_dataclass(hint) else ()
        found |= {f"{name}.{field}": get_args(kind) or (kind,) for field, kind in inner}
        if not inner:
            found[name] = get_args(hint) or (hint,)
    plain = (int, float, bool, str, type(None))
    return {name: allowed for name, allowed in found.items() if all(kind in plain for kind in allowed)}


def full_name(name: str) -> str:
    """Return `sampling.temperature` for `temperature`; empty for an unknown or ambiguous name."""
    if name in kinds():
        return name
    ends = [each for each in kinds() if each.rpartition(".")[2] == name.replace("-", "_")]
    return ends[0] if len(ends) == 1 else ""


def read_axis(text: str) -> Axis | Failure:
    """Parse a setting with values, such as `temperature=0,0.7`."""
    name, equals, phrase = text.partition("=")
    full = full_name(name.strip())
    if not equals or not full:
        known = ", ".join(each.rpartition(".")[2] for each in kinds())
        what = tr("“{text}” isn't a setting with values.").format(text=text)
        return Failure(what, tr("Write NAME=VALUE,VALUE with one of: {known}.").format(known=known))
    found = [_read(full, each.strip()) for each in phrase.split(",")]
    failure = next((each for each in found if isinstance(each, Failure)), None)
    return failure or Axis(full, tuple(each for each in found if not isinstance(each, Failure)))


def with_setting(request: Settings, name: str, value: Plain) -> Settings:
    """Return a request or controls with one setting changed; `name` is a full name."""
    part, _, field = name.rpartition(".")
    inner: Any = getattr(request, part) if part else request
    changed: Any = replace(inner, **{field: value})
    found: Settings = replace(request, **{part: changed}) if part else changed
    return found


def value_of(request: Request, name: str) -> Plain:
    part, _, field = name.rpartition(".")
    found: Plain = getattr(getattr(request, part) if part else request, field)
    return found


def format_value(value: Plain) -> str:
    """Format a value for the command line, as `read_axis` parses it."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def describe_setting(name: str, value: Plain) -> str:
    """Format a setting and its value, for the name of a variant."""
    words = format_value(value)
    if value is None:
        words = tr("none")
    elif isinstance(value, bool):
        words = tr("on") if value else tr("off")
    return tr("{setting} {value}").format(setting=setting_name(name), value=words)


def _read(name: str, text: str) -> Plain | Failure:
    for kind in kinds()[name]:
        if kind is type(None) and text.lower() == NOTHING:
            return None
        if kind is bool and text.lower() in SWITCH:
            return SWITCH[text.lower()]
        if kind in (int, float):
            try:
                number: Plain = kind(text)
            except ValueError:
                continue
            return number
    what = tr("“{text}” isn't a value of {setting}.").format(text=text, setting=setting_name(name))
    return Failure(what, tr("Change the value."))
