"""Model types that the installed mlx-lm supports, found without importing it."""

import pkgutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from app.engine.types import Failure
from app.i18n import tr

ALIASES = frozenset((
    "mistral", "llava", "phi-msft", "falcon_mamba", "joyai_llm_flash", "kimi_k2", "qwen2_5_vl", "minimax_m2",
    "iquestcoder", "xverse", "gemma4_unified", "deepseek_v41_text",
))  # fmt: skip
"""Model types that mlx-lm maps to another one."""
NO_MODELS = frozenset((
    "activations", "base", "bitlinear_layers", "cache", "gated_delta", "mla", "pipeline", "rope_utils", "ssm",
    "switch_layers",
))  # fmt: skip
"""Modules in mlx-lm's models folder that aren't models."""


def refusal(model_type: str) -> Failure | None:
    """Return why mlx-lm can't open a model of this type; None if it can."""
    known = model_types()
    if not known or model_type in known:
        return None
    what = tr("mlx-lm cannot open models of the type “{type}”.").format(type=model_type)
    return Failure(what, tr("Choose a model of a type that mlx-lm supports."), kind="unsupported")


@cache
def model_types() -> frozenset[str]:
    """Return all supported model types; empty if mlx-lm's folder isn't found."""
    package = find_spec("mlx_lm")
    locations = package.submodule_search_locations if package is not None else None
    folders = [str(Path(location) / "models") for location in locations or ()]
    found = {module.name for module in pkgutil.iter_modules(folders)}
    return frozenset(found - NO_MODELS | ALIASES) if found else frozenset()
