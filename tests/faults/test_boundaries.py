"""What others made is given to the real window: it is refused in a sentence, and the conversation stays and goes on.

The limits themselves are tested where they are: sessions in tests/records, presets in tests/test_presets.py, sets in
tests/evaluation, servers in tests/engine/remote, the hub in tests/library, templates and tokenizers in tests/engine.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from app.engine.echo.engine import EchoEngine
from app.engine.engines import Engines
from app.engine.protocol import Engine
from app.engine.remote.address import reference, server_model
from app.engine.remote.answer import Timeouts
from app.engine.remote.engine import RemoteEngine
from app.engine.types import Limits, LoadRequest
from app.files import settings
from app.library import cached, local
from app.ui.controls.controller_presets import PresetsController
from app.ui.evaluation.window import EvaluationWindow
from app.ui.widgets.notices import NoticeBar
from tests.engine.hostile_templates import OPERATIONS
from tests.engine.remote.faults import Asked, Line, plain, serving
from tests.faults.windows import Scene, part, scene
from tests.ui.desk import QUICK, act

slow = pytest.mark.slow
pytestmark = pytest.mark.usefixtures("qapp")

SAID = "What was said before the attack"
ODD_NAME = os.fsdecode(b"mod\xffel \xc3\x28 \n")
STATUS, FORGET_PEAK = Path("/proc/self/status"), Path("/proc/self/clear_refs")
PROBE_TOKENS = 1
"""Max tokens of the questions by which the program gets to know a server."""


def nested(megabytes: float) -> Callable[[Path], object]:
    """Write lists in lists that are not deep: each takes a hundred bytes of memory for its three."""
    return lambda file: file.write_bytes(b"[" + b"[[]],[]," * int(125_000 * megabytes) + b"[]]")


def written(content: bytes) -> Callable[[Path], object]:
    return lambda file: file.write_bytes(content)


@contextmanager
def endured(made: Scene, grown_mb: float = 64.0) -> Iterator[None]:
    """Check that the conversation outlives what is done meanwhile, and that memory grows no more than this."""
    made.say(SAID)
    session, before = made.state.session, kept(made)
    if FORGET_PEAK.exists():
        FORGET_PEAK.write_text("5", encoding="ascii")
    at_rest_mb = status_mb("VmRSS")
    yield
    assert status_mb("VmHWM") - at_rest_mb <= grown_mb
    if made.state.session != session:
        assert made.playground.open_session(session)
    made.until(lambda: made.state.session == session and not made.state.opening)
    made.until_ready()
    assert kept(made) == before == [turn.text for turn in made.state.turns]
    assert made.say("And after it?") and made.state.last_run is not None and made.state.last_run.text


def kept(made: Scene) -> list[str]:
    made.journal.flush()
    return [turn.text for turn in made.journal.sessions.turns(made.state.session)]


def status_mb(name: str) -> float:
    """Return 0 where the system doesn't list it."""
    lines = STATUS.read_text(encoding="ascii").splitlines() if STATUS.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:")), 0.0)


@slow
@pytest.mark.parametrize(
    ("name", "make", "grown_mb"),
    [
        ("stranger.sluice", nested(171), 64),
        ("stranger.sluice", nested(127), 400),
        ("stranger.sluice", written(b"[" * 1_000_000), 64),
        ("stranger.sluice", os.mkfifo, 64),
        ("stranger.sluice", lambda file: file.symlink_to("/dev/zero"), 64),
        (os.fsdecode(b"stranger \xff\xfe.sluice"), written(b"[]"), 64),
    ],
    ids=["too large", "nested", "brackets", "pipe", "device", "name"],
)
def test_session_file_of_a_stranger_is_refused(
    tmp_path: Path, name: str, make: Callable[[Path], object], grown_mb: float
) -> None:
    make(tmp_path / name)
    with scene(tmp_path / "data") as made, endured(made, grown_mb):
        said: list[str] = []
        notice = part(made.window, NoticeBar, "notice")
        notice.announced.connect(said.append)
        made.window.open_path(str(tmp_path / name))
        made.until(lambda: bool(said), notice.announced)
        assert "stranger" in said[0]


@slow
def test_presets_of_nested_lists_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "stranger.json"
    nested(0.9)(file)
    with scene(tmp_path / "data") as made, endured(made, 120):
        reader, words = made.window.findChild(PresetsController), part(made.window, QLabel, "preset_words")
        assert reader is not None
        made.window._parts.controls.presets.show_message("")
        reader.import_file(file)
        while not words.text():
            made.live(1)
        assert "file" in words.text()


@slow
@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("stranger.csv", written(b"," * 10_000_000)),
        ("stranger.csv", written(b"a\n" + b'"""x\n' * 10_000_000)),
        ("stranger.json", nested(40)),
        ("stranger.csv", os.mkfifo),
    ],
    ids=["columns", "quotes", "nested", "pipe"],
)
def test_prompt_set_of_a_stranger_is_refused(tmp_path: Path, name: str, make: Callable[[Path], object]) -> None:
    make(tmp_path / name)
    with scene(tmp_path / "data") as made, endured(made, 400):
        act(made.window, "prompt_sets").trigger()
        sets, words = made.window.findChild(EvaluationWindow), part(made.window, QLabel, "sets_trouble")
        assert sets is not None
        sets.take_file(tmp_path / name)
        while not words.text():
            made.live(1)
        assert "stranger" in words.text()


@slow
@pytest.mark.parametrize("flood", [b"data:\n" * 10_000, b"x" * 100_000], ids=["empty events", "a line without an end"])
def test_server_that_floods_is_cut_off(tmp_path: Path, flood: bytes) -> None:
    def pour(asked: Asked, line: Line) -> None:
        if asked.path.endswith("/models") or asked.body.get("max_tokens") == PROBE_TOKENS:
            plain(asked, line)
            return
        line.head()
        while True:
            line.send(flood)

    def either() -> Engine:
        there = RemoteEngine(lambda _: "sk-key", Timeouts(silence=2.0, last_words=0.5, opening=10.0))
        return Engines(EchoEngine(QUICK), lambda: there, lambda name: server_model(name) is not None)

    with serving(pour) as server, scene(tmp_path, either) as made, endured(made, 128):
        here = made.state.model
        assert here is not None
        made.playground.set_controls(replace(made.state.controls, limits=Limits(40)))
        made.playground.load(LoadRequest(reference(server.address, "one")))
        made.until(lambda: bool(made.state.model and made.state.model.server))
        made.until_ready()
        made.playground.new_session()
        made.say("Hi")
        made.playground.load(LoadRequest(str(here.folder)))
        made.until(lambda: bool(made.state.model and not made.state.model.server))


@slow
def test_model_with_a_template_without_end_opens_and_its_preview_ends(tmp_path: Path, demo_model: Path) -> None:
    folder = Path(shutil.copytree(demo_model, tmp_path / "stranger"))
    file = folder / "tokenizer_config.json"
    content = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps({**content, "chat_template": OPERATIONS["links in letters"]}), "utf-8")
    from app.engine.mlx.engine import MlxEngine

    # What Qt has made may not be collected on the engine's thread.
    switches = ("--engine", "mlx", "--model", str(demo_model))
    with (
        scene(tmp_path / "data", lambda: MlxEngine(lambda: None), switches=switches) as made,
        endured(made, 200),
    ):
        made.playground.load(LoadRequest(str(folder)))
        made.until_ready()
        heard: list[object] = []
        preview = made.playground.preview
        preview.previewed.connect(heard.append)
        preview.ask(lambda: "Hello")
        made.until(lambda: bool(heard), preview.previewed)
        made.playground.load(LoadRequest(str(demo_model)))
        made.until(lambda: made.state.model is not None and made.state.model.folder == demo_model)


@slow
def test_folder_of_data_and_model_whose_names_are_no_utf_8_are_kept(tmp_path: Path, demo_model: Path) -> None:
    model, data = Path(shutil.copytree(demo_model, tmp_path / ODD_NAME)), tmp_path / f"{ODD_NAME}data"
    with scene(data) as made:
        made.window.open_path(str(model))
        made.until(lambda: made.state.model is not None and made.state.model.folder == model)
        made.until_ready()
        assert made.say("Hello")
        assert made.journal.folder == data, made.journal.failure
    found, unread = settings.load(data)
    assert unread is None and str(model) in found.folders
    assert model in cached.read_last_used(data)
    with scene(data) as made:
        assert [turn.text for turn in made.state.turns][:1] == ["Hello"]


def test_folders_with_links_in_circles_to_devices_and_pipes_are_no_models(tmp_path: Path, demo_model: Path) -> None:
    shutil.copytree(demo_model, tmp_path / ODD_NAME)
    for kind in ("loop", "device", "pipe", "gone", "out", "deep"):
        (tmp_path / kind).mkdir()
    (tmp_path / "loop" / "config.json").symlink_to("config.json")
    (tmp_path / "device" / "config.json").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe" / "config.json")
    (tmp_path / "gone" / "config.json").symlink_to("nowhere")
    (tmp_path / "out" / "config.json").symlink_to("/etc/passwd")
    (tmp_path / "out" / "up").symlink_to("..")
    (tmp_path / "deep" / "config.json").write_bytes(b"[" * 1_000_000)
    (tmp_path / "round").symlink_to("round")
    found = local.models(tmp_path, [tmp_path])
    assert [each.folder.name for each in found if each.unusable is None] == [ODD_NAME]
