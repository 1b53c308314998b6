"""Export and import of a session or a run as JSON, without loss. `session_format.md` describes the format."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, BinaryIO

from app.engine.types import NO_ID, Argument, ChatPrompt, ExactPrompt, Failure, Role
from app.files import json_reader, json_values
from app.files.json_reader import InvalidJsonError, JsonLimits
from app.i18n import tr
from app.records.types import RunRecord, RunState, TokenRecord, WholeRun, WholeSession, WholeTurn

SUFFIX = ".sluice"
VERSION = 1
SESSION = "sluice session"
RUN = "sluice run"
LARGEST_BYTES = 128_000_000
"""The largest file in bytes: 100,000 tokens with ten alternatives each take 90 MB."""
BOUNDS = JsonLimits(LARGEST_BYTES, only_once=True, finite=True, most=16_000_000, lists=4_000_000)
"""Limits of a file. Each prompt token is a list in each run: enough for 200 runs with 16,000 prompt tokens."""
LATEST = 1e11
"""The latest time in a file, in seconds since 1970: calendars end there."""
NUMBERS = ("id", "session", "turn")
"""Fields with ids of one journal, which are meaningless in other journals."""

Content = bytes | BinaryIO


def session_text(record: WholeSession) -> str:
    """Return the content of a session's file. Equal sessions give equal bytes."""
    data: dict[str, Any] = json_values.write(WholeSession, replace(record, turns=()))
    return _with_list(_headed(SESSION, data), "turns", (_turn(turn) for turn in record.turns)) + "\n"


def run_text(record: WholeRun) -> str:
    """Return the content of a file with one run and all its tokens."""
    return _run(record, RUN) + "\n"


def read_session(content: Content, name: str = "") -> WholeSession | Failure:
    """Read a session file; return the reason if that fails."""
    try:
        return _session_of(parsed(content, SESSION))
    except (InvalidJsonError, UnicodeDecodeError) as error:
        reason = tr("it is not UTF-8 text") if isinstance(error, UnicodeDecodeError) else str(error)
    what = tr("{file} can't be opened: {reason}.").format(file=name or tr("The file"), reason=reason)
    return Failure(what, tr("Export it again, or open another file."), kind="file")


def _headed(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"format": kind, "version": VERSION} | data


def _with_list(data: dict[str, Any], name: str, items: Iterable[str]) -> str:
    """Dump an object whose last field is a list.

    Each item is dumped separately: one call for a long session would hold the interpreter lock for 0.1 s.
    """
    data.pop(name, None)
    return f'{_dumped(data)[:-1]},"{name}":[{",".join(items)}]}}'


def _dumped(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _turn(turn: WholeTurn) -> str:
    return _with_list(json_values.write(WholeTurn, replace(turn, runs=())), "runs", (_run(run) for run in turn.runs))


def _run(record: WholeRun, kind: str = "") -> str:
    data: dict[str, Any] = json_values.write(RunRecord, replace(record.run, ids=()))
    for name in (*NUMBERS, "ids"):
        del data[name]
    return _with_list(_headed(kind, data) if kind else data, "tokens", map(_token, record.tokens))


def _token(token: TokenRecord) -> str:
    data: dict[str, Any] = json_values.write(TokenRecord, token)
    del data["index"]
    return _dumped(data)


def parsed(content: Content, kind: str) -> dict[str, Any]:
    """Parse a file of this kind; format and version are removed."""
    data = json_reader.parse(content, BOUNDS) if isinstance(content, bytes) else json_reader.read(content, BOUNDS)
    if not isinstance(data, dict) or data.pop("format", None) != kind:
        raise InvalidJsonError(tr("it is not a {kind}").format(kind=kind))
    version = data.pop("version", None)
    if type(version) is not int or not 1 <= version <= VERSION:
        raise InvalidJsonError(tr("a newer Sluice wrote it"))
    return data


def _session_of(data: dict[str, Any]) -> WholeSession:
    turns = _list(data.pop("turns", []), "turns")
    session = json_values.read(WholeSession, data | {"turns": []})
    _check_moments(tr("the session"), session.created, session.changed)
    _check_names(session.settings.arguments, "settings.arguments")
    read = tuple(_turn_of(turn, f"turns[{at}]") for at, turn in enumerate(turns))
    for at, turn in enumerate(read):
        _check_links(turn, len(read), f"turns[{at}]")
    return replace(session, turns=read)


def _turn_of(data: object, path: str) -> WholeTurn:
    fields = _fields(data, path)
    runs = _list(fields.pop("runs", []), f"{path}.runs")
    turn = json_values.read(WholeTurn, fields | {"runs": []}, path)
    if turn.role is Role.SYSTEM:
        raise InvalidJsonError(tr("{place} is neither user nor assistant").format(place=f"{path}.role"))
    return replace(turn, runs=tuple(run_of(run, f"{path}.runs[{at}]") for at, run in enumerate(runs)))


def run_of(data: object, path: str) -> WholeRun:
    fields = _fields(data, path)
    for name in (*NUMBERS, "ids"):
        if name in fields:
            raise InvalidJsonError(tr("{place} is unknown").format(place=f"{path}.{name}"))
    tokens = tuple(_tokens_of(_list(fields.pop("tokens", []), f"{path}.tokens"), f"{path}.tokens"))
    run = json_values.read(RunRecord, fields | dict.fromkeys(NUMBERS, 0) | {"ids": []}, path)
    if run.state is RunState.RUNNING:
        raise InvalidJsonError(tr("{place} can't be running in a file").format(place=f"{path}.state"))
    _check_moments(path, run.started)
    if isinstance(run.request.prompt, ChatPrompt):
        _check_names(run.request.prompt.arguments, f"{path}.request.prompt.arguments")
    if run.prompt is not None:
        _check_prompt(run.prompt, f"{path}.prompt")
    # A server exchanges text, so neither prompt nor answer have ids.
    bare = run.prompt is not None and not run.prompt.ids
    _check_ids((token.id for token in tokens if not (bare and token.id == NO_ID)), f"{path}.tokens")
    return WholeRun(replace(run, ids=tuple(token.id for token in tokens)), tokens)


def _tokens_of(data: list[Any], path: str) -> Iterable[TokenRecord]:
    for index, token in enumerate(data):
        fields = _fields(token, f"{path}[{index}]")
        if "index" in fields:
            raise InvalidJsonError(tr("{place} is unknown").format(place=f"{path}[{index}].index"))
        yield json_values.read(TokenRecord, fields | {"index": index}, f"{path}[{index}]")


def _check_prompt(prompt: ExactPrompt, path: str) -> None:
    _check_ids(prompt.ids, path)
    if prompt.call is not None:
        _check_names(prompt.call.arguments, f"{path}.call.arguments")
    cuts = [*prompt.offsets, *((span.start, span.end) for span in prompt.spans)]
    if any(not 0 <= start <= end <= len(prompt.text) for start, end in cuts):
        raise InvalidJsonError(tr("{place} has offsets outside of its text").format(place=path))


def _check_names(arguments: Iterable[tuple[str, Argument]], path: str) -> None:
    if any(not name.isidentifier() for name, _ in arguments):
        raise InvalidJsonError(tr("{place} has an invalid name of a template variable").format(place=path))


def _check_links(turn: WholeTurn, count: int, path: str) -> None:
    """Check the links between turns, which are positions in the list of turns."""
    forked = turn.forked.turn if turn.forked is not None else None
    for name, other, least in (("after", turn.after, -1), ("then", turn.then, 0), ("forked", forked, 0)):
        if other is not None and not least <= other < count:
            raise InvalidJsonError(tr("{place} refers to a missing turn").format(place=f"{path}.{name}"))


def _check_ids(ids: Iterable[int], path: str) -> None:
    for token in ids:
        if token < 0:
            raise InvalidJsonError(tr("{place} has a negative token id").format(place=path))
        if token > json_values.LARGEST:
            raise InvalidJsonError(tr("the number at {place} is too large").format(place=path))


def _check_moments(path: str, *moments: float) -> None:
    if any(not 0 <= moment <= LATEST for moment in moments):
        raise InvalidJsonError(tr("{place} has an invalid date").format(place=path))


def _fields(data: object, path: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InvalidJsonError(tr("{place} is not an object").format(place=path))
    return dict(data)


def _list(data: object, path: str) -> list[Any]:
    if not isinstance(data, list):
        raise InvalidJsonError(tr("{place} is not a list").format(place=path))
    return data
