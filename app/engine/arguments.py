"""Which arguments a chat template takes, read from the template itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

GENERATION_TAG = re.compile(r"\{%-?\s*(?:end)?generation\s*-?%\}")
"""transformers' own tag, which plain jinja doesn't know."""
GIVEN = frozenset(
    {"messages", "message", "add_generation_prompt", "continue_final_message", "documents", "loop", "caller"}
    | {"raise_exception", "strftime_now"}
)


def template_text(template: str | Mapping[str, str] | None) -> str:
    """The template for plain chats; some models have several by name. Empty where there is none in text form."""
    if isinstance(template, Mapping):
        return template.get("default", "")
    return template or ""


@lru_cache(maxsize=8)
def template_arguments(template: str) -> tuple[str, ...]:
    """The variables a caller may set, such as `enable_thinking`; those of tools and special tokens left out.

    A name that the template sets for itself counts only where that is a default for what the caller left unset.
    """
    from jinja2 import Environment, TemplateError, meta, nodes  # late: it costs start-up time

    environment = Environment(extensions=["jinja2.ext.loopcontrols"])
    try:
        tree = environment.parse(GENERATION_TAG.sub("", template))
    except TemplateError:
        return ()
    stored = {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}
    own = {name for name in stored if not _has_default(template, name)}
    asked = meta.find_undeclared_variables(tree) - own - GIVEN - set(environment.globals)
    return tuple(sorted(name for name in asked if "tool" not in name and not name.endswith("_token")))


def _has_default(template: str, name: str) -> bool:
    asks_first = rf"\b{name} is (not defined|undefined)|\bnot {name} is defined|\b{name} if {name} is defined"
    return re.search(rf"{asks_first}|\b{name}\s*\|\s*default", template) is not None
