"""Conversion between values and columns of the journal's tables; number columns and texts are compressed."""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

from app.engine.meter.meter import RunMetrics, Summary
from app.engine.types import (
    Alternative,
    ConstraintStats,
    ExactPrompt,
    Finish,
    RejectedTokens,
    Request,
    SamplingStats,
    Times,
    Token,
    TokenLogprobs,
    TopTokens,
)
from app.files import json_reader, json_values
from app.files.json_values import clean
from app.records.listing import UNTITLED
from app.records.run_settings import SEED
from app.records.types import Fork, ModelRef, RunBrief, RunRecord, RunRow, RunState, TokenRecord, Versions

LEVEL = 1
"""zlib level: the fastest, since it runs during generation."""


def pack_ids(ids: Iterable[int]) -> bytes:
    """Pack 64-bit integers, little-endian as on all systems on which mlx runs."""
    return zlib.compress(array("q", ids).tobytes(), LEVEL)


def unpack_ids(blob: bytes) -> list[int]:
    return array("q", zlib.decompress(blob)).tolist()


def pack_times(times: Iterable[float]) -> bytes:
    return array("d", times).tobytes()


def unpack_times(blob: bytes) -> list[float]:
    return array("d", blob).tolist()


def pack_text(text: str) -> bytes:
    return zlib.compress(clean(text).encode(), LEVEL)


def unpack_text(blob: bytes) -> str:
    return zlib.decompress(blob).decode()


def pack_observed(observed: Sequence[TokenLogprobs | None]) -> str | None:
    """Return recorded logprobs as JSON; None if there are none. Not `json_values`, since it runs for every token."""
    if not any(observed):
        return None
    return json.dumps(
        [o and (o.chosen, o.rank, tuple(o.top), o.entropy, o.eos_probability, o.rest, *_more(o)) for o in observed],
        separators=(",", ":"),
    )


def unpack_observed(text: str | None, count: int) -> list[TokenLogprobs | None]:
    if text is None:
        return [None] * count
    return [_observed(columns) for columns in json_reader.own(text)]


def pack_rejected(rejected: Sequence[RejectedTokens]) -> str | None:
    columns = [(each.index, each.ids, each.texts) for each in rejected]
    return json.dumps(columns, separators=(",", ":")) if columns else None


def unpack_rejected(text: str | None) -> tuple[RejectedTokens, ...]:
    columns = json_reader.own(text) if text is not None else ()
    return tuple(RejectedTokens(index, tuple(ids), tuple(texts)) for index, ids, texts in columns)


def _observed(columns: list[list[object]] | None) -> TokenLogprobs | None:
    if columns is None:
        return None
    chosen, rank, top, entropy, eos, rest, *more = columns
    drawn, by_form, deviation = more[:5], more[5:8], more[8] if len(more) > 8 else None
    sampling = SamplingStats(*drawn[:4], tuple(drawn[4])) if drawn and drawn[4] is not None else None  # type: ignore[arg-type,call-arg]
    constraint = ConstraintStats(*by_form[:2], TopTokens.of(by_form[2])) if by_form and by_form[2] is not None else None  # type: ignore[arg-type,call-arg]
    values = (rank, TopTokens.of(top), entropy, eos, rest, sampling, constraint, deviation)  # type: ignore[arg-type]
    return TokenLogprobs(Alternative(*chosen), *values)  # type: ignore[arg-type]


def _more(observed: TokenLogprobs) -> tuple[object, ...]:
    """Return the optional columns up to the last one that has a value; missing ones before it are None."""
    drawn, formed, deviation = observed.drawn, observed.formed, observed.deviation
    sampling = (drawn.own, drawn.kept, drawn.plain, drawn.struck, drawn.passed_over) if drawn else (None,) * 5
    constraint = (formed.removed, formed.forced, tuple(formed.forbidden)) if formed else (None,) * 3
    if deviation is not None:
        return (*sampling, *constraint, deviation)
    return (*sampling, *constraint) if formed else sampling if drawn else ()


def request_of(column: bytes) -> Request:
    return json_values.loads(Request, unpack_text(column))


def start_columns(
    request: Request, model: ModelRef, draft: ModelRef | None, versions: Versions
) -> tuple[bytes, str, str | None, str]:
    return (
        pack_text(json_values.dumps(Request, request)),
        json_values.dumps(ModelRef, model),
        json_values.dumps(ModelRef, draft) if draft else None,
        json_values.dumps(Versions, versions),
    )


def prompt_columns(prompt: ExactPrompt | None) -> tuple[bytes | None, ...]:
    if prompt is None:
        return (None,) * 4
    rest = json_values.write(ExactPrompt, replace(prompt, text="", ids=(), offsets=()))
    offsets = pack_ids(number for pair in prompt.offsets for number in pair)
    return pack_text(prompt.text), pack_ids(prompt.ids), offsets, pack_text(json.dumps(rest))


def metric_columns(metrics: RunMetrics) -> tuple[float | None, ...]:
    """Return the columns from `tokens` to `elapsed` of a run."""
    return (
        json_values.clamp(metrics.tokens),
        json_values.clamp(metrics.pieces),
        metrics.first_token,
        metrics.prompt_speed,
        metrics.speed_mean,
        metrics.end_to_end,
        metrics.elapsed,
    )


def token_columns(tokens: Sequence[Token | TokenRecord], sent: float) -> tuple[bytes, bytes, bytes, str, str | None]:
    """Return the columns `ids`, `times`, `drafts`, `texts` and `observed` of a batch."""
    return (
        pack_ids(token.id for token in tokens),
        pack_times(token.at - sent for token in tokens),
        bytes(token.from_draft for token in tokens),
        json.dumps([token.text for token in tokens]),
        pack_observed([token.observed for token in tokens]),
    )


def finish_columns(finish: Finish, sent: float) -> tuple[str, str | None]:
    drafted = finish.drafted and replace(finish.drafted, rejected=())
    fields_of_finish = json_values.write(Finish, replace(finish, times=since_send(finish.times, sent), drafted=drafted))
    return json.dumps(fields_of_finish), pack_rejected(finish.drafted.rejected if finish.drafted else ())


def with_rejected(record: RunRecord, rejected: tuple[RejectedTokens, ...]) -> RunRecord:
    if record.finish is None or record.finish.drafted is None:
        return record
    return replace(record, finish=replace(record.finish, drafted=replace(record.finish.drafted, rejected=rejected)))


def since_send(times: Times, sent: float) -> Times:
    """Convert monotonic times to seconds since Send; times that the run didn't reach stay 0.0."""
    moments = {field.name: getattr(times, field.name) for field in fields(Times)}
    return Times(**{name: moment - sent if moment else 0.0 for name, moment in moments.items()})


def fork_column(forked: Fork | None) -> str | None:
    return json_values.dumps(Fork, forked) if forked is not None else None


def fork_of(column: str | None) -> Fork | None:
    """Inverse of `fork_column`; None if the column is unreadable."""
    try:
        return json_values.loads(Fork, column) if column else None
    except ValueError:
        return None


ROW = """run.id, run.session, run.turn, session.title, run.started,
          run.state, run.reason, run.model, run.draft, run.mode, run.prompt_tokens, run.reused, run.tokens,
          run.first_token, run.prompt_speed, run.speed_mean, run.end_to_end, run.elapsed, run.settings,
          run.pieces, run.seeded, substr(asked.text, 1, 200), substr(answered.text, 1, 200)"""
EXCERPTS = """LEFT JOIN turn AS answered ON answered.id = run.turn
              LEFT JOIN turn AS asked ON asked.id = answered.parent"""
"""The joins that ROW needs."""


def row_of(columns: Sequence[Any]) -> RunRow:
    *known, settings_json, pieces, seeded, question, answer = columns
    settings = json_reader.own(settings_json)
    seed = settings.pop(SEED, 0)
    run, session, turn, title, started, state, *metrics = known
    head = (run, session, turn, title or UNTITLED, started, RunState(state))
    values = [*head, *metrics, seed if seeded else None, tuple(settings.items()), bool(pieces)]
    values += [question or "", answer or ""]
    return RunRow(*values)


RECORD = """run.id, run.session, run.turn, run.started, run.state, run.mode,
            detail.request, detail.model, detail.draft, detail.versions, detail.context,
            detail.prompt_text, detail.prompt_ids, detail.prompt_offsets, detail.prompt_rest,
            detail.text, detail.reasoning, detail.finish, detail.summary"""


def record_of(columns: Sequence[Any], ids: Sequence[int], partial: tuple[str, str]) -> RunRecord:
    """Build a run from the columns of RECORD; `partial` is the text so far of a running one."""
    run, session, turn, started, state, mode, request, model, draft, versions, context = columns[:11]
    text, reasoning, finish, summary = columns[15:]
    return RunRecord(
        id=run,
        session=session,
        turn=turn,
        started=started,
        state=RunState(state),
        mode=mode,
        request=request_of(request),
        model=json_values.loads(ModelRef, model),
        draft=json_values.loads(ModelRef, draft) if draft else None,
        versions=json_values.loads(Versions, versions),
        context=context,
        prompt=_prompt_of(*columns[11:15]) if columns[11] is not None else None,
        ids=tuple(ids),
        text=text or partial[0],
        reasoning=reasoning or partial[1],
        finish=json_values.loads(Finish, finish) if finish else None,
        summary=json_values.loads(Summary, summary) if summary else None,
    )


def bare_row_of(columns: Sequence[Any]) -> RunRow:
    run, session, turn, title, started, _, *metrics = columns[:-5]
    values = [run, session, turn, title or UNTITLED, started, RunState.INTERRUPTED, *metrics, None, ()]
    return RunRow(*values)


BRIEF = "run.id, run.turn, run.state, run.mode, run.model, detail.model, detail.finish, detail.summary"


def brief_of(columns: Sequence[Any]) -> RunBrief:
    run, turn, state, mode, model, ref_json, finish, summary = columns
    ref = json_values.loads(ModelRef, ref_json)
    return RunBrief(
        run,
        turn,
        RunState(state),
        mode,
        model,
        ref.adapter,
        json_values.loads(Finish, finish) if finish else None,
        json_values.loads(Summary, summary) if summary else None,
        ref.format,
    )


def bare_brief_of(columns: Sequence[Any]) -> RunBrief:
    """Build a summary of a run whose columns `finish` or `summary` are unreadable."""
    run, turn, _, mode, model, *_ = columns
    return RunBrief(run, turn, RunState.INTERRUPTED, mode, model, None, None, None)


TOKENS = "first, ids, times, drafts, texts, observed"


def tokens_of(columns: Sequence[Any]) -> list[TokenRecord]:
    first, ids, times, drafts, texts, observed = columns
    numbers = unpack_ids(ids)
    rows = zip(
        range(first, first + len(numbers)),
        numbers,
        json_reader.own(texts),
        unpack_times(times),
        map(bool, drafts),
        unpack_observed(observed, len(numbers)),
        strict=True,
    )
    return [TokenRecord(*row) for row in rows]


def _prompt_of(text: bytes, ids: bytes, offsets: bytes, rest: bytes) -> ExactPrompt:
    numbers = unpack_ids(offsets)
    return replace(
        json_values.loads(ExactPrompt, unpack_text(rest)),
        text=unpack_text(text),
        ids=tuple(unpack_ids(ids)),
        offsets=tuple(zip(numbers[::2], numbers[1::2], strict=True)),
    )
