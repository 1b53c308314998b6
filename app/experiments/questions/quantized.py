"""Experiment `quantized`: memory, speed and text of a quantized KV cache."""

from dataclasses import replace

from app.engine.cache_variants import group_for
from app.engine.types import Failure
from app.experiments.conclusion_text import answer, differences, differs, faster, level, row, text_difference
from app.experiments.metrics import compare_variants, spread, usual, values
from app.experiments.requests import endless, measured
from app.experiments.types import BaseConfig, Conclusion, Experiment, ExperimentOutcome, Plan, Variant
from app.i18n import tr
from app.number_format import two_percent

BITS = (8, 4)
WHOLE = 0


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan an unquantized KV cache, and 8 and 4 bits from the first token on; all runs reach max tokens."""
    if not basis.model.can.kv_bits:
        why = basis.model.can.refusal("kv_bits") or tr("This model's KV cache can't be quantized.")
        return Failure(why, tr("Choose another model."))
    group = group_for(basis.model, basis.request.kv.group_size)
    if group is None:
        return Failure(tr("No group size suits this model's heads."), tr("Choose another model."))
    request = endless(measured(basis.request), basis.model)
    kv = replace(request.kv, bits=None, group_size=group, quantized_start=0, max_size=None)
    name = tr("{count} bits")
    quantized = (Variant(name.format(count=bits), replace(request, kv=replace(kv, bits=bits))) for bits in BITS)
    return EXPERIMENT.of((Variant(tr("not quantized"), replace(request, kv=kv)), *quantized), basis.repeats)


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    text = [_beside_whole(outcome, arm) for arm in outcome.measured() if arm != WHOLE and outcome.of(WHOLE)]
    return answer(outcome, text[0] if text else "", text[1:], (differences(outcome),))


def _beside_whole(outcome: ExperimentOutcome, arm: int) -> str:
    parts = []
    whole, fewer = (spread(values(outcome.of(each), usual("memory_kv"))) for each in (WHOLE, arm))
    if whole is not None and fewer is not None and whole.middle:
        saved, added = tr("save {share} of the KV cache's memory"), tr("take {share} more memory for the KV cache")
        share = two_percent(abs(1 - fewer.middle / whole.middle))
        parts.append((saved if fewer.middle <= whole.middle else added).format(share=share))
    judged = compare_variants(outcome, WHOLE, arm, usual("speed_mean"), len(BITS))
    if judged is not None:
        parts.append(tr("are {speed}").format(speed=faster(judged)) if differs(judged) else level(judged))
    parts.append(text_difference(outcome, WHOLE, arm))
    return tr("{arm} {clauses}").format(arm=outcome.plan.arms[arm].name, clauses=row(parts))


EXPERIMENT = Experiment(
    "kv-bits",
    tr("What does KV quantization save and cost?"),
    tr("How much memory does a quantized KV cache save, at what speed, and where does the text change?"),
    plan,
    conclude,
    max_tokens=200,
    claims=lambda arms: len(BITS),
    lead="memory_kv",
)
