"""Report of a roofline as JSON and as table rows."""

import json
from collections.abc import Iterable
from dataclasses import asdict

from app.engine.types import RunProfile, TimePart
from app.i18n import tr
from app.number_format import size, speed, three_digits, two_percent
from app.records.run_environment import versions
from app.roofline import measuring
from app.roofline.measuring import RooflineResult
from app.roofline.roofline import Bound

NAMES = {
    TimePart.MODEL: tr("The model"),
    TimePart.DRAFT: tr("The draft model"),
    TimePart.PROCESSORS: tr("Penalties and bias"),
    TimePart.FORM: tr("The output format"),
    TimePart.SAMPLER: tr("Sampling the token"),
    TimePart.CANDIDATES: tr("Recording alternatives"),
    TimePart.TEXT: tr("Detokenization"),
    TimePart.HANDING: tr("Transfer to the window"),
    TimePart.JOURNAL: tr("Transfer to the session database"),
    TimePart.WAITING: tr("Waiting for the window"),
    TimePart.REST: tr("Other Python code"),
}
BOUNDS = {Bound.MEMORY: tr("memory"), Bound.COMPUTE: tr("compute"), Bound.OVERHEAD: tr("overhead")}
LEAST_SHOWN = 0.001
ALWAYS = (TimePart.MODEL, TimePart.WAITING)
ReportRow = tuple[str, str, float]
"""Name, text, and share of a token's time; 0: none."""


def as_json(found: RooflineResult) -> str:
    ceiling, here = found.ceiling, versions()
    reads, speeds, decoded = ceiling.reads, ceiling.speeds, ceiling.decoded
    text = {
        "bytes_per_token": reads.bytes,
        "bandwidth_bytes_per_s": speeds.bytes_per_s,
        "ceiling_tokens_per_s": ceiling.tokens_per_s,
        "tokens_per_s": decoded.tokens_per_s,
        "share": ceiling.share,
        "disturbed": found.disturbed,
        "bound": ceiling.bound.value,
        "causes": [{"name": each.name, "sentence": each.sentence} for each in found.causes],
        "where": found.where and asdict(found.where) | {"parts": dict(found.where.parts)},
        "context": reads.context,
        "weights_bytes": reads.weights,
        "kv_bytes": reads.kv,
        "working_set_bytes": speeds.working_set,
        "level": found.level,
        "seconds": {each.value: seconds for each, seconds in ceiling.seconds.items()},
        "prompt_ceiling_tokens_per_s": ceiling.prompt_tokens_per_s,
        "prompt_tokens_per_s": decoded.prompt_tokens_per_s,
        "model": found.model.name,
        "machine": here.chip,
        "versions": {"sluice": here.app, "mlx": here.mlx, "mlx-lm": here.mlx_lm, "system": here.system},
    }
    return json.dumps(text, allow_nan=False) + "\n"


def as_text(found: RooflineResult) -> str:
    rows = [*limit_rows(found)]
    if found.where is not None:
        rows += [*time_rows(found.where), (tr("Profiling"), slowed(found.where), 0.0)]
    return markdown(rows)


def markdown(rows: Iterable[ReportRow]) -> str:
    return "| | |\n| --- | --- |\n" + "".join(f"| {name} | {text} |\n" for name, text, _ in rows)


def limit_rows(found: RooflineResult) -> tuple[ReportRow, ...]:
    """Return the limit and its bottlenecks, then the machine and the model. A disturbed limit is omitted."""
    ceiling, token = found.ceiling, 1 / found.ceiling.decoded.tokens_per_s
    part = tr("Time per token: {part}")
    took = (
        (part.format(part=BOUNDS[each]), _share(each_s, token), each_s / token)
        for each, each_s in ceiling.seconds.items()
    )
    seen = tok_s(ceiling.decoded.tokens_per_s)
    bound: tuple[ReportRow, ...] = (
        (tr("Bandwidth limit"), tr("disturbed; measure it again"), 0.0),
        (tr("Measured speed"), seen, 0.0),
    )
    if not found.disturbed:
        bound = (
            (tr("Bandwidth limit"), tok_s(ceiling.tokens_per_s), 1.0),
            (tr("Measured speed"), f"{seen} · {two_percent(ceiling.share)}", ceiling.share),
            (tr("Limited by"), BOUNDS[ceiling.bound], 0.0),
            *took,
        )
    return (*bound, *((*each, 0.0) for each in _surroundings(found)))


def _surroundings(found: RooflineResult) -> tuple[tuple[str, str], ...]:
    model, ceiling, here = found.model, found.ceiling, versions()
    reads, speeds, decoded, largest = ceiling.reads, ceiling.speeds, ceiling.decoded, ceiling.reads.largest
    bits = f"{largest.bits} bit / {largest.group_size}" if largest.bits else largest.precision
    counted = tr("{count} parameters").format(count=f"{model.parameters:,}")
    read = tr("{weights} of weights, {kv} of keys, values and states")
    level = tr("Memory bandwidth") if found.level == measuring.MEMORY else tr("Bandwidth of the {level}")
    prompt = tok_s(decoded.prompt_tokens_per_s)
    if not found.disturbed and decoded.prompt_tokens_per_s <= ceiling.prompt_tokens_per_s:
        prompt += f" / {tok_s(ceiling.prompt_tokens_per_s)}"
    streamed = f"{largest.rows} × {largest.columns}: {size(speeds.working_set)}"
    return (
        (tr("Causes"), " ".join(each.sentence for each in found.causes) or tr("nothing unusual")),
        (tr("Prompt"), prompt),
        (tr("Context"), tr("%n tokens", "%n token", reads.context)),
        (tr("Bytes per token"), read.format(weights=size(reads.weights), kv=size(reads.kv))),
        (level.format(level=found.level), f"{size(speeds.bytes_per_s)}/s ({streamed})"),
        (tr("Model"), f"{model.name} · {model.architecture} · {counted} · {bits}"),
        (tr("Machine"), f"{here.chip} · {here.system}"),
        (tr("Versions"), f"mlx {here.mlx} · mlx-lm {here.mlx_lm} · Python {here.python} · Sluice {here.app}"),
    )


def time_rows(where: RunProfile) -> tuple[ReportRow, ...]:
    """Return the parts of a token's time with their shares, and the model's layers, numbered from 0.

    Timing a part slows it down, so its displayed time is its share × the time of an unprofiled token.
    """
    usual = where.unobserved / where.observed
    parts = [(NAMES[part], took) for part, took in where.parts if part in ALWAYS or took]
    rows = [(name, _share(usual * took, where.unobserved), took / where.observed) for name, took in parts]
    before, *layers, behind = where.layers if len(where.layers) > 2 else (0.0, 0.0)
    if layers:
        each = ((tr("The model: layer {number}").format(number=number), took) for number, took in enumerate(layers))
        ends = tr("The model: before the layers"), tr("The model: after the layers")
        named = ((ends[0], before), *each, (ends[1], behind))
        of_model, model = tr("{share} of the model"), usual * dict(where.parts).get(TimePart.MODEL, 0.0)
        for name, took in named:
            part = model * took / where.passes
            rows.append((name, of_model.format(share=_share(part, model)), part / where.unobserved))
    return tuple(rows)


def answer(where: RunProfile) -> str:
    """Return a sentence about the times of the model and of sampling."""
    text, parts = tr("The model takes {model} and sampling {choosing} of {took} per token."), dict(where.parts)
    model, choosing = (parts.get(part, 0.0) / where.observed for part in (TimePart.MODEL, TimePart.SAMPLER))
    return text.format(took=milli(where.unobserved), model=_small(model), choosing=_small(choosing))


def slowed(where: RunProfile) -> str:
    """Return sentences about the overhead of profiling."""
    text = tr(
        "Mean time per token: {plain} ({count} tokens). With per-part timing {parts} ({more}), with per-layer timing "
        "{layers} ({most}). Shares are scaled to the first."
    )
    return text.format(
        plain=milli(where.unobserved),
        count=where.tokens,
        parts=milli(where.observed),
        more=_longer(where.observed / where.unobserved - 1),
        layers=milli(where.layered),
        most=_longer(where.layered / where.unobserved - 1),
    )


def _longer(share: float) -> str:
    """Format the slowdown by profiling; a negative value is noise."""
    return f"+{two_percent(share)}" if share >= LEAST_SHOWN else tr("no measurable slowdown")


def _share(took: float, whole: float) -> str:
    return f"{milli(took)} · {_small(took / whole)}"


def _small(share: float) -> str:
    return two_percent(share) if share >= LEAST_SHOWN else tr("under 0.1 %")


def tok_s(rate: float) -> str:
    return tr("{speed} tok/s").format(speed=speed(rate))


def milli(seconds: float) -> str:
    """Format with three digits, and at most three decimals: small parts count, too."""
    milliseconds = 1000 * seconds
    return f"{three_digits(milliseconds) if milliseconds >= 1 else f'{milliseconds:.3f}'} ms"
