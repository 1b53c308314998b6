"""Which settings have no effect with the current values of others, and why: pure functions."""

from collections.abc import Mapping
from dataclasses import replace

from app.engine.catalogue import SETTINGS, is_off, needed_by
from app.engine.ranges import RANGES
from app.engine.types import KV, Sampling
from app.i18n import tr

GREEDY = tr("No effect at temperature 0: the most likely token is always taken.")


def idle_sampling(sampling: Sampling) -> Mapping[str, str]:
    """Return the settings without effect, each with the reason."""
    off = {name: [need for need in needed_by(name) if is_off(need, sampling)] for name in SETTINGS}
    return {name: _reason(needs[-1]) for name, needs in off.items() if needs}


def _reason(needed: str) -> str:
    if needed == "temperature":
        return GREEDY
    words = tr("No effect while {setting} is {value}.")
    return words.format(setting=SETTINGS[needed].inside, value=f"{RANGES[needed].neutral:g}")


def idle_kv(kv: KV, refusals: Mapping[str, str], drafting: bool) -> Mapping[str, str]:
    """Return KV cache settings without effect or refused by this model, with reasons: a run leaves them out."""
    if "bare_loop" in refusals:
        others = {name: why for name, why in refusals.items() if name != "bare_loop"}
        return {"kv_enabled": refusals["bare_loop"], **idle_kv(replace(kv, enabled=True), others, drafting)}
    if not kv.enabled:
        return dict.fromkeys(
            ("kv_reuse", "kv_bits", "kv_group_size", "kv_quantized_start", "kv_max_size"), tr("The KV cache is off.")
        )
    idle = {"kv_reuse": refusals["kv_reuse"]} if "kv_reuse" in refusals else {}
    bits = None if "kv_bits" in refusals else kv.bits
    if "kv_bits" in refusals:
        idle["kv_bits"] = refusals["kv_bits"]
    elif kv.max_size is not None and bits is None:
        idle["kv_bits"] = tr("A KV cache of limited size can't be quantized.")
    if "max_kv_size" in refusals:
        idle["kv_max_size"] = refusals["max_kv_size"]
    elif bits is not None:
        idle["kv_max_size"] = tr("A quantized KV cache can't be limited in size.")
    elif drafting:
        idle["kv_max_size"] = tr("With a draft model the KV cache has no size limit.")
    if bits is None:
        idle |= dict.fromkeys(
            ("kv_group_size", "kv_quantized_start"), tr("No effect while the KV cache is not quantized.")
        )
    return idle
