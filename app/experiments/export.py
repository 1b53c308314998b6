"""Export of an experiment as JSON, CSV and Markdown."""

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeAlias

from app.engine.catalogue import setting_name
from app.engine.meter.speeds import recorded_curve
from app.engine.types import Model
from app.experiments.conclusion_text import cautions
from app.experiments.metrics import (
    MetricsTable,
    Spread,
    VariantMetrics,
    batch_throughput,
    cell,
    endings,
    format_plain,
    heading,
    sentence_on_others,
    table,
)
from app.experiments.requests import format_value, value_of, words_of
from app.experiments.types import (
    Batch,
    Conclusion,
    Detail,
    Experiment,
    ExperimentOutcome,
    MetricColumn,
    Plain,
    RunResult,
)
from app.files import json_values
from app.i18n import tr
from app.number_format import computed_format
from app.records.export import as_csv
from app.records.run_environment import versions
from app.records.run_settings import flatten_settings, text_of

Json: TypeAlias = object
MARKUP = re.compile(r"[\\`*_\[\]!|~]|<(?=[A-Za-z/!?])")
SETTING_HEAD = (tr("Setting"), tr("Value"))
CONDITIONS, SHOWN = tr("Conditions"), ("limits.max_tokens", "sampling.temperature")
MEDIANS = tr("Median, and the range where the runs differ.")
RUN_HEAD = ("arm", "round", "run", "model", "prompt_tokens", "ending")


@dataclass(frozen=True, slots=True)
class Report:
    outcome: ExperimentOutcome
    table: MetricsTable
    conclusion: Conclusion


def report(experiment: Experiment, outcome: ExperimentOutcome) -> Report:
    """Make the report. If times were compared, its conclusion includes the CPU time of other programs."""
    conclusion = experiment.conclude(outcome)
    others = sentence_on_others(outcome) if experiment.claims(len(outcome.plan.arms)) else ""
    if others:
        conclusion = replace(conclusion, further=f"{conclusion.further} {others}".strip())
    return Report(outcome, table(outcome, experiment.columns), conclusion)


def concluded(experiment: Experiment, outcome: ExperimentOutcome, folder: Path | None) -> Report:
    """Make the report. Store its conclusion if the experiment has a function for that."""
    made = report(experiment, outcome)
    is_complete = not outcome.stopped and outcome.failure is None and not outcome.plan.is_sample
    if is_complete and folder is not None and experiment.keep is not None:
        model = outcome.results[0].model if outcome.results else outcome.model  # a variant may have opened another one
        experiment.keep(folder, model, made.conclusion.sentence)
    return made


def as_json(made: Report) -> str:
    """Return the whole experiment: the table, and each run with text, ids, times and speed curve."""
    outcome, plan = made.outcome, made.outcome.plan
    data = {
        "experiment": plan.name,
        "title": plan.title,
        "question": plan.question,
        "headline": made.conclusion.headline,
        "conclusion": made.conclusion.sentence,
        "cautions": cautions(outcome),
        "complete": not outcome.stopped and outcome.failure is None,
        "failure": asdict(outcome.failure) if outcome.failure else None,
        "repeats": plan.repeats,
        "versions": asdict(versions()),
        "columns": [{"key": each.key, "title": each.title, "unit": each.unit} for each in made.table.columns],
        "table": [_row(row, made.table.columns) for row in made.table.rows],
        "details": [_detail(each) for each in made.conclusion.details],
        "runs": [_run(each, outcome, made.table.columns) for each in outcome.results],
        "batches": [_batch(each, outcome, made.table.columns) for each in outcome.batches],
        "warm_ups": [_run(each, outcome, made.table.columns) for each in outcome.warm_ups],
    }
    return json_values.dumps_strict(data, indent=1) + "\n"


def conditions(outcome: ExperimentOutcome) -> tuple[tuple[str, str], ...]:
    """Return what was measured, on which model and computer."""
    runs = outcome.results
    models = [run.model for run in runs] or [outcome.model]
    question = words_of(runs[0].request.prompt) if runs else ""
    rows = (
        (tr("Model"), ", ".join(dict.fromkeys(model.full_name for model in models))),
        (tr("Precision"), "; ".join(filter(None, dict.fromkeys(computed_format(model.format) for model in models)))),
        (tr("Prompt"), question if isinstance(question, str) else ""),
        *((setting_name(name), _shared(runs, name)) for name in SHOWN),
        (tr("Rounds"), str(outcome.plan.repeats)),
        *date_and_versions(),
    )
    return tuple((f"{name[:1].upper()}{name[1:]}", words) for name, words in rows if words)


def date_and_versions() -> tuple[tuple[str, str], tuple[str, str]]:
    """Return when and with what an export is written."""
    found = versions()
    libraries = ("Sluice", found.app), ("mlx", found.mlx), ("mlx-lm", found.mlx_lm), ("Python", found.python)
    named = [f"{name} {version}" for name, version in libraries if version]
    versions_text = ", ".join([*named, *filter(None, (found.system, found.chip))])
    return (tr("Exported"), time.strftime("%Y-%m-%d %H:%M")), (tr("Versions"), versions_text)


def _shared(runs: Sequence[RunResult], name: str) -> str:
    """Return a setting that is the same in all runs; empty if it differs."""
    values = {value_of(run.request, name) for run in runs}
    return format_value(values.pop()) if len(values) == 1 else ""


def as_markdown(made: Report) -> str:
    plan, columns = made.outcome.plan, made.table.columns
    head = [tr("Variant"), tr("Runs", "Number of runs of the variant"), *map(heading, columns), tr("Ending")]
    rows = [
        [row.arm, str(row.runs), *(cell(each, of) for each, of in zip(columns, row.spreads, strict=True)), endings(row)]
        for row in made.table.rows
    ]
    words = (plan.title, plan.question, made.conclusion.headline, made.conclusion.further, *cautions(made.outcome))
    title, question, headline, *further = map(escaped, words)
    parts = [f"# {title}", question, f"**{headline}**", *filter(None, further)]
    parts += [grid(head, rows), MEDIANS]
    for each in made.conclusion.details:
        parts += [f"## {escaped(each.title)}", grid(each.head, [list(map(format_plain, row)) for row in each.rows])]
    parts += [f"## {CONDITIONS}", grid(SETTING_HEAD, conditions(made.outcome))]
    return "\n\n".join(parts) + "\n"


def table_csv(made: Report) -> str:
    """Return one CSV row per variant, with three columns per number: minimum, median, maximum."""
    columns = made.table.columns
    head = ["arm", "runs", *(f"{each.key}_{what}" for each in columns for what in ("min", "median", "max")), "ending"]
    rows = (
        (row.arm, row.runs, *(number for each in row.spreads for number in _three(each)), endings(row, str))
        for row in made.table.rows
    )
    return as_csv(head, rows)


def runs_csv(made: Report) -> str:
    """Return one CSV row per measured run, with all settings."""
    outcome, columns = made.outcome, made.table.columns
    names = list(dict.fromkeys(name for run in outcome.results for name, _ in flatten_settings(run.request)))
    head = (*RUN_HEAD, *(each.key for each in columns), *names, "prompt", "text")
    rows = []
    for run in outcome.results:
        settings = dict(flatten_settings(run.request))
        known = (text_of(settings[name]) if name in settings else "" for name in names)
        numbers = (each.of(run) for each in columns)
        texts = (run.prompt.text if run.prompt is not None else "", run.text)
        rows.append((*_who(run, outcome), *numbers, *known, *map(json_values.clean, texts)))
    return as_csv(head, rows)


def _row(row: VariantMetrics, columns: Sequence[MetricColumn]) -> Json:
    metrics = {
        column.key: dict(zip(("min", "median", "max"), _three(each), strict=True)) if each else None
        for column, each in zip(columns, row.spreads, strict=True)
    }
    return {"arm": row.arm, "runs": row.runs, "endings": dict(row.endings), "figures": metrics}


def _run(run: RunResult, outcome: ExperimentOutcome, columns: Iterable[MetricColumn]) -> Json:
    failure = run.finish.failure
    curve = recorded_curve(run.arrivals, (token.from_draft for token in run.tokens))
    return dict(zip(RUN_HEAD, _who(run, outcome), strict=True)) | {
        "model": _model(run.model),
        "failure": asdict(failure) if failure else None,
        "settings": dict(flatten_settings(run.request)),
        "figures": {each.key: each.of(run) for each in columns},
        "text": json_values.clean(run.text),
        "reasoning": json_values.clean(run.reasoning),
        "prompt": json_values.clean(run.prompt.text) if run.prompt else None,
        "ids": list(run.ids),
        "arrivals": [round(at, 6) for at in run.arrivals],
        "rejected": [{"index": each.index, "ids": each.ids, "texts": each.texts} for each in run.rejected],
        "points": [{"seconds": each.seconds, "tokens": each.tokens, "speed": each.speed} for each in curve.points],
    }


def _batch(batch: Batch, outcome: ExperimentOutcome, columns: Sequence[MetricColumn]) -> Json:
    runs = [_run(each, outcome, columns) for each in batch.runs]
    return {"round": batch.round, "tokens_per_second": batch_throughput([batch]), "runs": runs}


def _who(run: RunResult, outcome: ExperimentOutcome) -> tuple[Plain, ...]:
    tokens = (len(run.prompt.ids) or run.finish.reused + run.finish.new) if run.prompt else None
    return outcome.plan.arms[run.arm].name, run.round, run.run, run.model.name, tokens, run.finish.reason.value


def _model(model: Model) -> Json:
    draft, adapter = model.draft, model.adapter
    return {
        "name": model.name,
        "folder": str(model.folder),
        "architecture": model.architecture,
        "parameters": model.parameters,
        **asdict(model.format),
        "draft": {"name": draft.name, "folder": str(draft.folder)} if draft else None,
        "adapter": {"name": adapter.name, "folder": str(adapter.folder)} if adapter else None,
    }


def _detail(detail: Detail) -> Json:
    rows = [[json_values.clean(cell) if isinstance(cell, str) else cell for cell in row] for row in detail.rows]
    return {"title": detail.title, "head": list(detail.head), "rows": rows}


def _three(each: Spread | None) -> tuple[float | None, ...]:
    return (each.least, each.middle, each.most) if each else (None, None, None)


def grid(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table with escaped cells."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(escaped(cell) for cell in line) + " |" for line in lines)


def escaped(cell: str) -> str:
    """Escape Markdown and HTML, so that a viewer interprets no markup and loads no pictures."""
    return MARKUP.sub(r"\\\g<0>", json_values.clean(cell)).replace("\n", "⏎")
