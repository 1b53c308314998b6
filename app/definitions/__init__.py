"""Definitions of all displayed numbers, for tooltips, "What's this?" and the help page."""

from app.definitions.models import MODELS, TOKENS, WEIGHING
from app.definitions.runs import COUNTS, EXPERIMENTS, MEMORY, SETS, SPEEDS
from app.i18n import tr

GROUPS = {
    tr("Speed and time"): SPEEDS,
    tr("Tokens and settings"): COUNTS,
    tr("Memory"): MEMORY,
    tr("Experiments"): EXPERIMENTS,
    tr("Perplexity"): WEIGHING,
    tr("Prompt sets"): SETS,
    tr("Tokens"): TOKENS,
    tr("Models"): MODELS,
}
"""All definitions in groups, in the order of the help page."""
DEFINITIONS = {key: each for group in GROUPS.values() for key, each in group.items()}
OTHER_NAMES = (
    (tr("Prompt"), ("reused", "new", "prompt_speed")),
    (tr("Tokens"), ("token_count", "visible")),
    (tr("Connection"), ("connect",)),
    (tr("First byte"), ("first_byte",)),
    (tr("Counted as"), ("pieces",)),
    (tr("End to end"), ("end_to_end",)),
    (tr("Between tokens"), ("gaps",)),
    (tr("Between steps"), ("gaps",)),
    (tr("Draft"), ("acceptance", "tokens_per_step")),
    (tr("Active"), ("memory_active",)),
    (tr("Active: weights"), ("memory_weights",)),
    (tr("Active: KV cache"), ("memory_kv",)),
    (tr("Active: other"), ("memory_active",)),
    (tr("Allocator cache"), ("memory_cache",)),
    (tr("Peak"), ("memory_peak",)),
    (tr("Limit"), ("memory_limit",)),
    (tr("Tokens per second"), ("speed_now",)),
    (tr("Token", "index"), ("number",)),
    (tr("At token"), ("number",)),
    (tr("At least"), ("gain",)),
    (tr("At most"), ("gain",)),
    (tr("At once (tok/s)"), ("batches",)),
)
"""Other displayed names of one or several numbers. They are unique in each language."""
ALSO = dict(OTHER_NAMES)


def meaning(key: str) -> str:
    """Return the definition of the number `key`."""
    return DEFINITIONS[key].text


def of_name(name: str) -> str:
    """Return the definition of a displayed name; empty if there is none."""
    if name in ALSO:
        return meanings(*ALSO[name])
    return next((each.text for each in DEFINITIONS.values() if each.name == name), "")


def meanings(*keys: str) -> str:
    """Return the definitions of several numbers that share a label, one line each, with names."""
    return "\n".join(f"{DEFINITIONS[key].name}: {DEFINITIONS[key].text}" for key in keys)
