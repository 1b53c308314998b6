"""The settings of an answer that differ from those of the next run, as text and as controls."""

from dataclasses import fields, replace
from typing import Any

from app.controls import Controls
from app.engine.catalogue import setting_name
from app.engine.types import ChatPrompt, PromptSource, Request, Role
from app.i18n import tr
from app.number_format import DASH
from app.records.run_settings import SEED, flatten_settings, quoted, words_of

LONGEST_VALUE = 25
MOST_SHOWN = 4
NOT_COMPARED = frozenset({SEED, "observe"})
"""A seed is usually random, and recording alternatives changes no token."""
PARTS, VALUES = ("sampling", "limits", "kv"), ("draft_tokens", "lookup_tokens", "interval")
"""Fields that a request and the controls share: dataclasses, and plain values."""


def describe_settings(request: Request, following: Request) -> str:
    """Return the settings of a request that differ from those of the next one; empty if there are none."""
    known = dict(flatten_settings(following))
    differing = [
        f"{setting_name(name)} {quoted(_shortened(words_of(name, value)), value)}"
        for name, value in flatten_settings(request)
        if name in known and name not in NOT_COMPARED and value != known[name]
    ]
    more = len(differing) - MOST_SHOWN
    if more > 0:
        differing[MOST_SHOWN:] = [tr("%n more", "%n more", more)]
    return ", ".join(differing)


def with_settings(controls: Controls, request: Request, following: Request) -> Controls:
    """Return the controls with the settings of a request that differ from those of the next one."""
    changes = _differing(_of_prompt(request.prompt), _of_prompt(following.prompt))
    changes |= _differing(*({name: getattr(each, name) for name in VALUES} for each in (request, following)))
    for part in PARTS:
        values = _differing(*(_values_of(getattr(each, part)) for each in (request, following)))
        changes[part] = replace(getattr(controls, part), **values)
    if request.form != following.form:
        changes["form"] = controls.form.put(request.form.kind, request.form.text)
    return replace(controls, **changes)


def _of_prompt(prompt: PromptSource) -> dict[str, Any]:
    """Return the settings in a chat prompt; a prompt of token ids or raw text has none."""
    if not isinstance(prompt, ChatPrompt):
        return {}
    system = "\n".join(each.text for each in prompt.messages if each.role is Role.SYSTEM)
    values = {"reply_start": prompt.reply_start, "arguments": prompt.arguments, "tools": prompt.tools}
    return {"system": system, **values}


def _values_of(part: Any) -> dict[str, Any]:  # noqa: ANN401
    return {field.name: getattr(part, field.name) for field in fields(part) if field.name != "seed"}


def _differing(values: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in others and value != others[name]}


def _shortened(value: str) -> str:
    line = " ".join(value.split())
    return f"{line[:LONGEST_VALUE]}…" if len(line) > LONGEST_VALUE else line or DASH
