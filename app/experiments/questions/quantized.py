"""Experiment `quantized`: memory, speed and text of a quantized KV cache."""

from dataclasses import replace

from app.engine.cache_variants import group_for
from app.engine.types import Failure
from app.experiments.conclusion_text import differences, differs, faster, level, row, sentence, spanned, text_difference
from app.experiments.metrics import pairs, spread, usual
from app.experiments.requests import endless, measured
from app.experiments.significance import judge
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
    return Conclusion(sentence(text, outcome), (differences(outcome),))


def _beside_whole(outcome: ExperimentOutcome, arm: int) -> str:
    parts = []
    share = spread(fewer / whole for whole, fewer in pairs(outcome, WHOLE, arm, usual("memory_kv")) if whole)
    if share is not None:
        parts.append(tr("take {share} of the KV cache's memory").format(share=spanned(share, two_percent)))
    judged = judge(pairs(outcome, WHOLE, arm, usual("speed_mean")), len(BITS))
    if judged is not None:
        parts.append(tr("run {speed}").format(speed=faster(judged)) if differs(judged) else level(judged))
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
