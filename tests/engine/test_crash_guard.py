import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.crash_guard import FILE, EngineStep, UnfinishedStep, forget, unfinished
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.engines import Engines
from app.engine.protocol import Emit, StopFlag
from app.engine.types import (
    Cancellation,
    ExactPrompt,
    Failure,
    LoadRequest,
    Model,
    PromptSource,
    RawPrompt,
    SpelledToken,
)

QUICK = EchoOptions(tokens_per_second=0, prefill_per_second=0, load_seconds=0)


def died_now(folder: Path) -> UnfinishedStep | None:
    """Return what the next start would find: nothing holds the file then."""
    with tempfile.TemporaryDirectory() as other:
        with suppress(FileNotFoundError):
            shutil.copy(folder / FILE, other)
        return unfinished(Path(other))


class Watched(EchoEngine):
    """Reads the mark during a step."""

    def __init__(self, folder: Path) -> None:
        super().__init__(QUICK)
        self._folder = folder
        self.seen: list[UnfinishedStep | None] = []

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        self.seen.append(died_now(self._folder))
        if "bad" in request.model:
            raise ValueError(request.model)
        return super().load(request, emit, stop)

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        self.seen.append(died_now(self._folder))
        return super().render(source)

    def token_texts(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        self.seen.append(died_now(self._folder))
        return super().token_texts(source)


@pytest.fixture
def engine(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


def guarded(engine: EchoEngine, folder: Path) -> Engines:
    return Engines(engine, EchoEngine, lambda name: False, folder)


@pytest.fixture
def guard(engine: Watched, tmp_path: Path) -> Iterator[Engines]:
    guard = guarded(engine, tmp_path)
    yield guard
    guard.close()


def load(guard: Engines, model: str, draft: str | None = None) -> Model | Failure | Cancellation:
    return guard.load(LoadRequest(model, draft), lambda event: None, StopFlag())


def test_load_is_marked_until_its_end(guard: Engines, engine: Watched, tmp_path: Path) -> None:
    load(guard, "/models/a", "/models/b")
    assert engine.seen == [UnfinishedStep(EngineStep.OPENING, "/models/a", "/models/b")]
    assert unfinished(tmp_path) is None
    assert UnfinishedStep(EngineStep.OPENING, "/models/a", "/models/b").request == LoadRequest("/models/a", "/models/b")
    request = LoadRequest("/models/a", adapter="/models/c")
    guard.load(request, lambda event: None, StopFlag())
    assert engine.seen[-1] is not None and engine.seen[-1].request == request


def test_render_is_marked_with_the_open_model(guard: Engines, engine: Watched, tmp_path: Path) -> None:
    load(guard, "/models/a")
    with pytest.raises(ValueError, match="bad"):
        load(guard, "bad")
    del engine.seen[:]
    assert unfinished(tmp_path) is None
    guard.render(RawPrompt("Once"))
    guard.token_texts(RawPrompt("Once"))
    assert set(engine.seen) == {UnfinishedStep(EngineStep.READING, "/models/a")}
    assert unfinished(tmp_path) is None


def test_mark_close_removes_the_file(guard: Engines, tmp_path: Path) -> None:
    load(guard, "/models/a")
    assert (tmp_path / FILE).read_bytes().startswith(b"\n")
    guard.close()
    assert not list(tmp_path.iterdir())


def test_mark_of_a_living_process_is_no_crash(
    guard: Engines, engine: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[object] = []

    def look(request: LoadRequest, emit: Emit, stop: StopFlag) -> Cancellation:
        beside = guarded(EchoEngine(QUICK), tmp_path)
        load(beside, "/models/b")
        beside.close()
        found.extend((unfinished(tmp_path), died_now(tmp_path)))
        found.append(json.loads((tmp_path / FILE).read_bytes().splitlines()[0])["process"])
        return Cancellation()

    monkeypatch.setattr(engine, "load", look)
    load(guard, "/models/a")
    assert found == [None, UnfinishedStep(EngineStep.OPENING, "/models/a"), os.getpid()]


def test_forget_removes_only_the_own_mark(tmp_path: Path) -> None:
    forget(tmp_path)
    for process, left in ((os.getpid() + 1, UnfinishedStep(EngineStep.OPENING, "x")), (os.getpid(), None)):
        (tmp_path / FILE).write_text(json.dumps({"act": "opening", "model": "x", "process": process}))
        assert unfinished(tmp_path) == UnfinishedStep(EngineStep.OPENING, "x")
        forget(tmp_path)
        assert unfinished(tmp_path) == left


def test_load_mark_is_synced_before_the_load(guard: Engines, engine: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda file: kept.append(len(engine.seen)))
    load(guard, "/models/a")
    guard.render(RawPrompt("Once"))
    assert kept == [0], "and nothing else is waited for"


def test_mark_on_a_failing_disk_does_not_block(guard: Engines, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    assert isinstance(load(guard, "/models/a"), Model)


@settings(max_examples=25)
@given(st.text(), st.text())
def test_mark_with_any_model_name_is_read_back(model: str, draft: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        engine = Watched(Path(name))
        guard = guarded(engine, Path(name))
        request = LoadRequest(model.replace("bad", ""), draft)
        guard.load(request, lambda event: None, StopFlag())
        guard.close()
    assert engine.seen == [UnfinishedStep(EngineStep.OPENING, request.model, draft)]


@settings(max_examples=15)
@given(
    st.one_of(
        st.binary(), st.recursive(st.none() | st.text() | st.integers(), st.lists).map(json.dumps).map(str.encode)
    )
)
def test_unfinished_with_any_content_does_not_raise(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / FILE).write_bytes(content)
        assert unfinished(Path(name)) is None
        (Path(name) / FILE).unlink()
        (Path(name) / FILE).mkdir()
        assert unfinished(Path(name)) is unfinished(Path(name) / "absent") is None
        forget(Path(name))


@pytest.mark.parametrize("odd", [os.mkfifo, Path.mkdir, lambda file: file.symlink_to("/dev/full")])
def test_mark_moves_a_special_file(
    guard: Engines, engine: Watched, tmp_path: Path, odd: Callable[[Path], object]
) -> None:
    odd(tmp_path / FILE)
    load(guard, "/models/a")
    assert engine.seen == [UnfinishedStep(EngineStep.OPENING, "/models/a")]
