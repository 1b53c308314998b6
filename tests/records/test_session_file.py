import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from app.engine.types import ExactPrompt, Failure, PromptPart, PromptSpan
from app.files.json_reader import JsonLimits
from app.records import session_file
from app.records.journal import Journal, open_journal
from app.records.session_file import RUN, parsed, read_session, run_of, run_text, session_text
from app.records.types import RunState, WholeRun, WholeSession
from tests import earlier_files
from tests.examples import at_most
from tests.records import builders
from tests.records.wholes import JSON, SESSIONS, WHOLE_RUNS

FORMAT = Path(session_file.__file__).with_name("session_format.md").read_text("utf-8")
CALL = {"messages": [], "arguments": [["x\n", True]]}
QUICK = at_most(40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@pytest.fixture(scope="module")
def memory() -> Iterator[Journal]:
    journal = open_journal(None)
    yield journal
    journal.close()


@pytest.fixture(scope="module")
def file_text(memory: Journal) -> str:
    session, _, _ = builders.answered(memory, begun=builders.start(1000.0, builders.request(observe=2)))
    return session_text(builders.whole_of(memory, session))


@pytest.fixture
def exported(file_text: str) -> dict[str, Any]:
    """A whole session as its file says it."""
    said: dict[str, Any] = json.loads(file_text)
    return said


def opened(content: bytes) -> WholeSession:
    session = read_session(content)
    assert isinstance(session, WholeSession), session
    return session


def refused(said: object) -> str:
    content = said if isinstance(said, bytes) else json.dumps(said).encode()
    outcome = read_session(content, "x.sluice")
    assert isinstance(outcome, Failure), "it was taken"
    assert outcome.what.startswith("x.sluice can't be opened: ")
    assert outcome.what.count("\n") == 0
    assert len(outcome.what) < 200
    return outcome.what


def test_read_old_settings_are_written_unchanged() -> None:
    session = opened(earlier_files.SESSION_FILE.encode())
    assert session.settings == earlier_files.CONTROLS
    assert session_text(session) == earlier_files.as_written_now(earlier_files.SESSION_FILE) + "\n"


@pytest.mark.slow
@QUICK
@given(SESSIONS)
def test_export_after_import_gives_the_same_bytes(memory: Journal, whole: WholeSession) -> None:
    first = session_text(whole)
    read = opened(first.encode())
    assert session_text(read) == first
    number = memory.sessions.add(read)
    assert memory.flush()
    again = builders.whole_of(memory, number)
    assert session_text(again) == first
    assert memory.failure is None


@pytest.mark.slow
@QUICK
@given(WHOLE_RUNS)
def test_run_text_is_read_back(whole: WholeRun) -> None:
    first = run_text(whole)
    assert run_text(run_of(parsed(first.encode(), RUN), "")) == first


def test_exported_runs_are_equal(journal: Journal) -> None:
    session, _, _ = builders.answered(journal, begun=builders.start(1000.0, builders.request(observe=2)))
    whole = journal.sessions.whole(session)
    assert opened(session_text(builders.without_numbers(whole)).encode()) == builders.without_numbers(whole)


def test_export_of_top_n_sigma_is_read_back_and_off_is_not_written(journal: Journal) -> None:
    asked = builders.request(observe=2)
    for sigmas in (0.0, 1.5):
        sampling = replace(asked.sampling, top_n_sigma=sigmas)
        session, _, run = builders.answered(journal, begun=builders.start(1000.0, replace(asked, sampling=sampling)))
        text = session_text(builders.whole_of(journal, session))
        assert ("top_n_sigma" in text) == bool(sigmas)
        assert opened(text.encode()).turns[1].runs[0].run.request.sampling == sampling
        assert builders.record_of(journal, run).request.sampling == sampling


def test_exported_running_run_is_interrupted(journal: Journal) -> None:
    session, recorder, sent = builders.begin(journal)
    builders.stream(recorder, sent)
    assert journal.flush()
    whole = builders.whole_of(journal, session)
    assert whole.turns[1].text == "The river is wide."
    assert opened(session_text(whole).encode()).turns[1].runs[0].run.state is RunState.INTERRUPTED


def test_session_format_documents_every_name(exported: dict[str, Any]) -> None:
    assert {name for name in _names(exported) if f"`{name}`" not in FORMAT} == set()


def test_read_missing_default_fields_are_accepted(exported: dict[str, Any]) -> None:
    del exported["settings"]["sampling"], exported["turns"][1]["runs"][0]["request"]["kv"]
    assert opened(json.dumps(exported).encode()).title == builders.QUESTION


def test_read_file_without_branches_is_one_branch(journal: Journal, exported: dict[str, Any]) -> None:
    hidden = {"role": "assistant", "text": "An earlier answer.", "reasoning": "", "hidden": True}
    for turn in exported["turns"]:
        for name in ("after", "then", "made", "forked"):
            del turn[name]
    exported["turns"].append(hidden)
    came = journal.sessions.add(opened(json.dumps(exported).encode()))
    question, answer = journal.sessions.turns(came)
    assert (question.parent, question.next, answer.parent, answer.next) == (0, answer.id, question.id, 0)
    assert journal.sessions.branches(came) == (), "what was hidden stays so"
    whole = journal.sessions.whole(came)
    assert whole is not None and whole.turns[2].text == "An earlier answer."


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not valid JSON"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[1, 2", "not valid JSON at line 1"),
        (b"[]", "not a sluice session"),
        (b"17", "not a sluice session"),
        (b'{"format": "sluice run", "version": 1}', "not a sluice session"),
        (b'{"format": "sluice session", "version": 99}', "newer Sluice"),
        (b'{"format": "sluice session", "version": true}', "newer Sluice"),
        (b'{"format": "sluice session", "version": 1}', "title is missing"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "-Infinity"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too long"),
        (b"9" * 1_000_000, "too long"),
        (b"PK\x03\x04\xff" + bytes(10_000), "not UTF-8"),
        (b"[" * 1_000_000, "nested too deeply"),
        (b'{"a":' * 200_000, "nested too deeply"),
    ],
)
def test_read_other_files_are_refused(content: bytes, reason: str) -> None:
    assert reason in refused(content)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("title",), 5, "title is “5”"),
        (("title",), "\ud800", "unpaired surrogate"),
        (("title",), None, "title is"),
        (("created",), 1e308, "invalid date"),
        (("created",), "yesterday", "created is “yesterday”"),
        (("pinned",), 1, "pinned is “1”"),
        (("settings", "arguments"), [["x=1, y", 1]], "settings.arguments has an invalid name of a template variable"),
        (
            ("turns", 1, "runs", 0, "request", "prompt", "arguments"),
            [["a-b", 1]],
            "prompt.arguments has an invalid name",
        ),
        (("turns", 1, "runs", 0, "prompt", "call"), CALL, "prompt.call.arguments has an invalid name"),
        (("turns",), {}, "turns is not a list"),
        (("turns", 0), 3, "turns[0] is not an object"),
        (("turns", 0, "role"), "wizard", "“wizard”"),
        (("turns", 0, "role"), "system", "neither user nor assistant"),
        (("turns", 0, "surprise"), 1, "turns[0].“surprise” is unknown"),
        (("turns", 0, "after"), 2, "turns[0].after refers to a missing turn"),
        (("turns", 0, "then"), -1, "turns[0].then refers to a missing turn"),
        (("turns", 1, "forked"), {"turn": 7, "place": 0}, "turns[1].forked refers to a missing turn"),
        (("turns", 1, "runs", 0, "state"), "running", "can't be running"),
        (("turns", 1, "runs", 0, "started"), -1, "invalid date"),
        (("turns", 1, "runs", 0, "id"), 4, "id is unknown"),
        (("turns", 1, "runs", 0, "model"), None, "model"),
        (("turns", 1, "runs", 0, "request", "prompt", "kind"), "spell", "kind"),
        (("turns", 1, "runs", 0, "request", "sampling", "seed"), 2**64, "too large"),
        (("turns", 1, "runs", 0, "request", "sampling", "seed"), 1.5, "“1.5”"),
        (("turns", 1, "runs", 0, "request", "sampling", "logit_bias"), [[1]], "1 items, not 2"),
        (("turns", 1, "runs", 0, "prompt", "offsets"), [[0, 99]], "outside of its text"),
        (("turns", 1, "runs", 0, "prompt", "ids"), [-4], "negative token id"),
        (("turns", 1, "runs", 0, "finish", "cut"), "zz", "cut"),
        (("turns", 1, "runs", 0, "tokens", 2, "index"), 0, "index is unknown"),
        (("turns", 1, "runs", 0, "tokens", 2, "id"), -1, "negative token id"),
        (("turns", 1, "runs", 0, "tokens", 2, "at"), "soon", "tokens[2].at"),
        (("turns", 1, "runs", 0, "tokens", 2, "observed", "chosen"), [1, 2], "2 items, not 4"),
        (("title",), "x" * 10, None),
    ],
)
def test_read_wrong_field_is_named(
    exported: dict[str, Any], path: tuple[Any, ...], value: Any, reason: str | None
) -> None:
    inner: Any = exported
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    if reason is None:
        assert opened(json.dumps(exported).encode()).title == value
    else:
        assert reason in refused(exported)


def test_read_infinite_number_is_refused(exported: dict[str, Any]) -> None:
    content = json.dumps(exported | {"created": 12345678.5}).replace("12345678.5", "1e999")
    assert "created" in refused(content.encode())


@pytest.mark.slow
@QUICK
@given(st.data())
def test_read_any_json_does_not_raise(data: st.DataObject) -> None:
    said = data.draw(SESSIONS.map(lambda whole: json.loads(session_text(whole))))
    inner: Any = said
    while isinstance(inner, dict | list) and inner:
        step = data.draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner))))
        if data.draw(st.booleans()) or not isinstance(inner[step], dict | list):
            inner[step] = data.draw(JSON)
            break
        inner = inner[step]
    outcome = read_session(json.dumps(said).encode())
    if isinstance(outcome, WholeSession):
        assert opened(session_text(outcome).encode()) is not None


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_read_any_bytes_do_not_raise(content: bytes) -> None:
    assert isinstance(read_session(content), Failure)


def test_read_oversized_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_file, "BOUNDS", JsonLimits(100))
    assert "too large" in refused(b" " * 101)


def test_read_two_hundred_long_prompts_is_accepted(journal: Journal) -> None:
    """Counted on one of them: what is exported can be imported again."""
    session, _, _ = builders.answered(journal)
    whole = builders.whole_of(journal, session)
    (run,) = whole.turns[1].runs
    offsets = tuple((4 * index, 4 * index + 4) for index in range(16_000))
    prompt = ExactPrompt("word" * 16_000, tuple(range(16_000)), offsets, (PromptSpan(PromptPart.USER, 0, 64_000),))
    said = run_text(replace(run, run=replace(run.run, prompt=prompt)))
    lists = said.count("[") + said.count("{")
    assert 200 * len(said) < session_file.BOUNDS.largest
    assert 200 * lists < session_file.BOUNDS.lists
    assert 200 * (lists + said.count(",")) < session_file.BOUNDS.most


def _names(said: object) -> Iterator[str]:
    if isinstance(said, dict):
        for name, inner in said.items():
            yield name
            yield from _names(inner)
    elif isinstance(said, list):
        for inner in said:
            yield from _names(inner)
