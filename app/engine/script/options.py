"""The arguments of mlx-lm's functions for a request, without defaults. Used by the engine and by scripts."""

from app.engine.catalogue import FILTERS, SETTINGS, is_off, needed_by
from app.engine.types import AUTOMATIC, ENDLESS, KV, Adapter, ExactPrompt, Model, Request, Sampling

Options = dict[str, object]

WINDOW = 20
GROUP_SIZE = 64
QUANTIZED_START = 5_000
PENALTIES = (("repetition", 1.0), ("presence", 0.0), ("frequency", 0.0))


def sampler_options(sampling: Sampling) -> Options:
    """Return the arguments of `make_sampler`; none at temperature 0, its default (greedy)."""
    if sampling.temperature == 0:
        return {}
    known = (name for name in FILTERS if SETTINGS[name].is_in_mlx_lm)
    on = (name for name in known if not any(is_off(each, sampling) for each in (name, *needed_by(name))))
    return {"temp": sampling.temperature} | {name: getattr(sampling, name) for name in on}


def processor_options(sampling: Sampling) -> Options:
    """Return the arguments of `make_logits_processors`."""
    made: Options = {"logit_bias": dict(sampling.logit_bias)} if sampling.logit_bias else {}
    for name, neutral in PENALTIES:
        penalty, window = getattr(sampling, f"{name}_penalty"), getattr(sampling, f"{name}_window")
        if penalty != neutral:
            made[f"{name}_penalty"] = penalty
            if window != WINDOW:
                made[f"{name}_context_size"] = window
    return made


def cache_options(kv: KV) -> Options:
    """Return the arguments of `stream_generate` for the KV cache."""
    made: Options = {}
    if kv.max_size is not None:
        made["max_kv_size"] = kv.max_size
    if kv.bits is not None:
        made["kv_bits"] = kv.bits
        if kv.group_size != GROUP_SIZE:
            made["kv_group_size"] = kv.group_size
        if kv.quantized_start != QUANTIZED_START:
            made["quantized_kv_start"] = kv.quantized_start
    return made


def uses_draft(request: Request, model: Model) -> bool:
    """Return whether the run uses the draft model: never without a KV cache."""
    return bool(request.draft_tokens) and model.draft is not None and request.kv.enabled and not request.looks_up


def drafts(request: Request, model: Model) -> bool:
    """Return whether a script uses the draft model: with an automatic number of tokens only at temperature 0."""
    return uses_draft(request, model) and (request.draft_tokens != AUTOMATIC or request.sampling.temperature == 0)


def has_lookup(request: Request) -> bool:
    """Return whether a script has prompt lookup: at temperature 0, where mlx-lm's loop gives the same tokens."""
    return request.looks_up and request.sampling.temperature == 0


def speculates(request: Request, model: Model) -> bool:
    """Return whether a script proposes draft tokens, with a draft model or by prompt lookup."""
    return drafts(request, model) or has_lookup(request)


def adapter_of(request: Request, model: Model) -> Adapter | None:
    """Return the open adapter, unless its strength is 0."""
    return model.adapter if request.sampling.adapter_strength else None


def fills_context(request: Request, prompt: ExactPrompt | None, model: Model) -> bool:
    """Return whether the context window ends the run before max tokens."""
    if model.context is None:
        return False
    limit = request.limits.max_tokens
    return limit == ENDLESS or (prompt is not None and limit > model.context - len(prompt.ids))


def has_reasoning_budget(request: Request, model: Model) -> bool:
    """Return whether the reasoning budget applies."""
    return request.limits.think_budget != ENDLESS and model.reasoning is not None and not request.raw


def stop_strings(request: Request) -> list[str]:
    return [string for string in request.limits.stop_strings if string]
