"""Recording of one run: its start, a batch of tokens every 0.2 s, and its end."""

import time
from dataclasses import replace

from app.engine.meter.meter import Meter, RunMetrics, Summary
from app.engine.types import Channel, Event, Finish, PromptEvent, Token, VisibleText
from app.files import json_values
from app.records.columns import finish_columns, metric_columns, prompt_columns, start_columns, token_columns
from app.records.database import SqlWrite
from app.records.listing import RETITLE
from app.records.run_environment import was_seeded
from app.records.run_settings import row_settings
from app.records.types import RunId, RunStart, RunState, SessionId, TurnId
from app.records.writer import JournalWriter, RunEvent

NEW_RUN = """INSERT INTO run (id, session, turn, started, state, model, draft, mode, settings, seeded)
             VALUES (?,?,?,?,?,?,?,?,?,?)"""
NEW_DETAIL = "INSERT INTO detail (run, request, model, draft, versions, context) VALUES (?,?,?,?,?,?)"
PROMPT = """UPDATE detail SET prompt_text = ?, prompt_ids = ?, prompt_offsets = ?, prompt_rest = ? WHERE run = ?"""
PROMPT_COUNTS = "UPDATE run SET prompt_tokens = ?, reused = ? WHERE id = ?"
BATCH = """INSERT INTO batch (run, first, ids, times, drafts, texts, observed, text, reasoning)
           VALUES (?,?,?,?,?,?,?,?,?)"""
FIGURES = """UPDATE run SET tokens = ?, pieces = ?, first_token = ?, prompt_speed = ?, speed_mean = ?,
             end_to_end = ?, elapsed = ? WHERE id = ?"""
SUMMARY = "UPDATE detail SET summary = ? WHERE run = ?"
END_RUN = """UPDATE run SET state = ?, reason = ?, reused = ?, prompt_tokens = coalesce(prompt_tokens, ?), seeded = ?
             WHERE id = ?"""
END_DETAIL = "UPDATE detail SET finish = ?, text = ?, reasoning = ?, rejected = ? WHERE run = ?"
END_TURN = "UPDATE turn SET text = text || ?, reasoning = reasoning || ? WHERE id = ?"
TOUCH = "UPDATE session SET changed = ? WHERE id = ?"
BEGUN = -1
"""Value of `first` for the batch before the tokens, which has the visible text of a reply prefix."""
LARGEST_BATCH = 500
"""The most tokens of a batch, which is read at once."""


class RunRecorder:
    """Recorder of one run. The engine's thread calls `put` and `finish`, the writer's thread `fold`."""

    def __init__(
        self, writer: JournalWriter, run: RunId, session: SessionId, turn: TurnId, start: RunStart, begun: float
    ) -> None:
        self.run = run
        self.over = False
        self._writer = writer
        self._session = session
        self._turn = turn
        self._sent = start.sent
        self._model = start.model
        self._begun = begun
        self._meter = Meter(start.sent, start.request.limits.max_tokens, start.context)
        self._written = 0

    def put(self, event: Event) -> None:
        self._writer.put(self, event)

    def finish(self, finish: Finish) -> None:
        """Queue the end of the run, which completes the turn's text."""
        self._writer.put(self, finish)
        self._writer.wake()

    def fold(self, events: list[RunEvent]) -> list[SqlWrite]:
        """Convert events to database writes."""
        writes: list[SqlWrite] = []
        tokens: list[Token] = []
        for event in events:
            if isinstance(event, Finish):
                writes += self._batch(tokens) + self._end(event)
                return writes
            if isinstance(event, RunStart):
                # Encoding a long prompt takes a while, so it isn't done at Send.
                writes += start_writes(self.run, self._session, self._turn, event, self._begun)
                continue
            self._meter.fold(event)
            if isinstance(event, Token):
                tokens.append(event)
                if len(tokens) == LARGEST_BATCH:
                    writes += self._batch(tokens)
                    tokens = []
            elif isinstance(event, PromptEvent):
                writes += self._prompt(event)
        return writes + self._batch(tokens)

    def _prompt(self, event: PromptEvent) -> list[SqlWrite]:
        known = bool(event.prompt.ids)  # a server reports them at the end, if at all
        counts = (len(event.prompt.ids) if known else None, event.reused if known else None, self.run)
        writes = [SqlWrite(PROMPT, [(*prompt_columns(event.prompt), self.run)]), SqlWrite(PROMPT_COUNTS, [counts])]
        if event.shown:
            text, reasoning = _words(self._meter.frame(self._sent).shown)
            writes.append(SqlWrite(BATCH, [(self.run, BEGUN, *token_columns((), self._sent), text, reasoning)]))
        return writes

    def _batch(self, tokens: list[Token]) -> list[SqlWrite]:
        if not tokens:
            return []
        frame = self._meter.frame(tokens[-1].at)
        text, reasoning = _words(frame.shown)
        row = (self.run, self._written, *token_columns(tokens, self._sent), text, reasoning)
        self._written += len(tokens)
        summary = Summary(_without_piece_speeds(frame.metrics), frame.context, None, None)
        return [SqlWrite(BATCH, [row]), *self._metrics(summary)]

    def _metrics(self, summary: Summary) -> list[SqlWrite]:
        summary_json = json_values.dumps(Summary, summary)
        return [
            SqlWrite(FIGURES, [(*metric_columns(summary.figures), self.run)]),
            SqlWrite(SUMMARY, [(summary_json, self.run)]),
        ]

    def _end(self, finish: Finish) -> list[SqlWrite]:
        self.over = True
        self._meter.finish(finish)
        self._meter.frame(finish.times.ended)
        finish_json, rejected = finish_columns(finish, self._sent)
        text, reasoning = json_values.clean(self._meter.text), json_values.clean(self._meter.reasoning)
        known = (RunState.ENDED.value, finish.reason.value, finish.reused_known, finish.prompt_known)
        return [
            *self._metrics(self._meter.summary()),
            SqlWrite(END_RUN, [(*known, was_seeded(self._model, finish), self.run)]),
            SqlWrite(END_DETAIL, [(finish_json, text, reasoning, rejected, self.run)]),
            SqlWrite(END_TURN, [(text, reasoning, self._turn)]),
            SqlWrite(RETITLE + "?", [(self._session,)]),
            SqlWrite(TOUCH, [(time.time(), self._session)]),
        ]


def _without_piece_speeds(metrics: RunMetrics) -> RunMetrics:
    """Remove the speeds if they count pieces of a server, which may differ from tokens."""
    return replace(metrics, speed_now=None, speed_mean=None, end_to_end=None) if metrics.pieces else metrics


def _words(shown: tuple[VisibleText, ...]) -> tuple[str, str]:
    text = json_values.clean("".join(piece.text for piece in shown if piece.voice is not Channel.REASONING))
    return text, json_values.clean("".join(piece.text for piece in shown if piece.voice is Channel.REASONING))


def start_writes(run: RunId, session: SessionId, turn: TurnId, start: RunStart, now: float) -> list[SqlWrite]:
    draft = start.draft.name if start.draft else ""
    settings = row_settings(start.request, start.model)
    names = (
        json_values.clean(start.model.name),
        json_values.clean(draft),
        start.mode,
        settings,
        was_seeded(start.model, None),
    )
    columns = start_columns(start.request, start.model, start.draft, start.versions)
    return [
        SqlWrite(NEW_RUN, [(run, session, turn, now, RunState.RUNNING.value, *names)]),
        SqlWrite(NEW_DETAIL, [(run, *columns, json_values.clamp(start.context))]),
        SqlWrite(TOUCH, [(now, session)]),
    ]
