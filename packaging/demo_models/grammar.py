"""A tiny text grammar: `[a|b]` is a choice, `{slot}` is filled in."""

import re
from collections.abc import Mapping
from random import Random

_CHOICE = re.compile(r"\[([^\[\]]*)\]")


def expand(rng: Random, template: str, slots: Mapping[str, str]) -> str:
    """Settle every choice, innermost first, then fill the slots."""
    while _CHOICE.search(template):
        template = _CHOICE.sub(lambda found: rng.choice(found[1].split("|")), template)
    return template.format_map(slots)
