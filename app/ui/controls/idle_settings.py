"""Which settings have no effect as the others stand, and why: pure functions over values."""

from collections.abc import Mapping
from dataclasses import replace

from app.engine.types import KV, Sampling
from app.i18n import tr

GREEDY = tr("Without effect at temperature 0: the likeliest token is always taken.")
CHOOSING = ("top_p", "top_k", "min_p", "min_tokens_to_keep", "xtc_probability", "xtc_threshold", "seed")
NEEDING = (
    ("min_tokens_to_keep", "min_p", 0, tr("Without effect while min-p is 0.")),
    ("xtc_threshold", "xtc_probability", 0, tr("Without effect while the XTC probability is 0.")),
    ("repetition_window", "repetition_penalty", 1, tr("Without effect while the repetition penalty is 1.")),
    ("presence_window", "presence_penalty", 0, tr("Without effect while the presence penalty is 0.")),
    ("frequency_window", "frequency_penalty", 0, tr("Without effect while the frequency penalty is 0.")),
)
"""What has no effect while another one has this value."""


def idle_sampling(sampling: Sampling) -> Mapping[str, str]:
    """The names of what can be left out without any difference, each with its reason."""
    idle = {name: why for name, other, neutral, why in NEEDING if getattr(sampling, other) == neutral}
    if not sampling.temperature:
        idle |= dict.fromkeys(CHOOSING, GREEDY)
    return idle


def idle_kv(kv: KV, refusals: Mapping[str, str], drafting: bool) -> Mapping[str, str]:
    """The same for the cache, with what this model refuses: a run leaves out what is named here."""
    if "bare_loop" in refusals:
        others = {name: why for name, why in refusals.items() if name != "bare_loop"}
        return {"kv_enabled": refusals["bare_loop"], **idle_kv(replace(kv, enabled=True), others, drafting)}
    if not kv.enabled:
        return dict.fromkeys(
            ("kv_reuse", "kv_bits", "kv_group_size", "kv_quantized_start", "kv_max_size"), tr("There is no cache.")
        )
    idle = {"kv_reuse": refusals["kv_reuse"]} if "kv_reuse" in refusals else {}
    bits = None if "kv_bits" in refusals else kv.bits
    if "kv_bits" in refusals:
        idle["kv_bits"] = refusals["kv_bits"]
    elif kv.max_size is not None and bits is None:
        idle["kv_bits"] = tr("A cache of limited size can't be quantized.")
    if "max_kv_size" in refusals:
        idle["kv_max_size"] = refusals["max_kv_size"]
    elif bits is not None:
        idle["kv_max_size"] = tr("A quantized cache can't be limited in size.")
    elif drafting:
        idle["kv_max_size"] = tr("Beside a draft model the cache has no limit.")
    if bits is None:
        idle |= dict.fromkeys(("kv_group_size", "kv_quantized_start"), tr("Without effect while nothing is quantized."))
    return idle
