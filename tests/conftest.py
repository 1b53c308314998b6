"""Conditions of every test: no screen, network, user files or keychain, and nothing left behind."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import compiling
from tests.patience import WAIT_MS

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
REAL_MODEL = CACHE / "sluice-tests" / "SmolLM2-135M-Instruct"
"""Where `make real-model` puts it; read before the tests get a home of their own."""
# Libraries read these when they are imported, so they stand before any import of them.
HOME = Path(tempfile.mkdtemp(prefix="sluice-tests-"))
os.environ |= {
    "HOME": str(HOME),
    "HF_HOME": str(HOME / "huggingface"),
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "MLX_ENABLE_TF32": "0",
    # Without a session bus the keyring is out of reach.
    "DBUS_SESSION_BUS_ADDRESS": f"unix:path={HOME / 'no-bus'}",
    **compiling.switched_off(),
}
if sys.dont_write_bytecode:
    # Hundreds of children import the program. Each would compile it anew where none may leave that beside the sources.
    os.environ |= {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(HOME / "bytecode")}
for kind in ("CACHE", "CONFIG", "DATA", "RUNTIME", "STATE"):
    variable = "XDG_RUNTIME_DIR" if kind == "RUNTIME" else f"XDG_{kind}_HOME"
    place = HOME / kind.lower()
    place.mkdir(mode=0o700)
    os.environ[variable] = str(place)
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from hypothesis import settings as hypothesis_settings  # noqa: E402
from pytestqt.qtbot import QtBot  # noqa: E402

from app.library import keychain  # noqa: E402
from tests import arrival_delay_series, garbage, hangs, leaks, models, offline, timing  # noqa: E402
from tests import hub as hub_of_tests  # noqa: E402
from tests.standins.samples import REAL, STAND_IN, Samples  # noqa: E402

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from app.ui.look.theme import Theme
    from app.ui.shell.main_window import MainWindow
    from tests.ui.desk import Desk
    from tests.ui.program import Program

# The same examples each time in `make test`, so that a red run is red again; others each time in `make faults`. What
# those find is kept as an @example. A shared machine may stall for seconds: a deadline would measure the neighbours.
for profile, same in (("same", True), ("random", False)):
    hypothesis_settings.register_profile(
        profile,
        max_examples=100 if same else int(os.environ.get("SLUICE_EXAMPLES_COUNT", "100")),
        deadline=None,
        database=None,
        print_blob=True,
        derandomize=same,
    )
hypothesis_settings.load_profile(os.environ.get("SLUICE_EXAMPLES", "same"))

PROJECT = Path(__file__).parent.parent
REAL_DATA = PROJECT.parent / "shared" / "realdata"
DEMO_MODELS = PROJECT / "resources" / "models"
DISK_BYTES = 3_000_000
SHUTDOWN_S = 20.0


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(timing)
    hangs.keep_log()
    keep_apart()
    garbage.keep_aside()
    speak_english()


def keep_apart() -> None:
    """Isolate this process from the network and the user's keychain, also outside of pytest."""
    offline.watch()
    keychain.SECURITY = str(HOME / "no-security")


def speak_english() -> None:
    """Use English, also for dates and numbers. `tests.languages.korean` replaces it."""
    from PySide6.QtCore import QLocale

    from app import i18n

    if not i18n.current_language():
        QLocale.setDefault(QLocale(QLocale.Language.English))


def pytest_unconfigure() -> None:
    """Synchronize mlx's streams, since the process can abort at exit otherwise. End the shared template process, and
    remove the temporary home.
    """
    if "mlx.core" in sys.modules:
        sys.modules["mlx.core"].clear_streams()
    if "app.engine.templates.rendering" in sys.modules:
        sys.modules["app.engine.templates.rendering"].TEMPLATES.close()
    empty_clipboard()
    shutil.rmtree(HOME, ignore_errors=True)


def empty_clipboard() -> None:
    """Clear the clipboard: offscreen, Qt keeps its content until after Python's end, and then crashes."""
    gui = sys.modules.get("PySide6.QtGui")
    if gui is not None and gui.QGuiApplication.instance() is not None:
        gui.QGuiApplication.clipboard().clear()


@pytest.fixture(autouse=True)
def leaves_nothing_behind() -> Iterator[None]:
    """Fail a test that leaves a thread, a running timer or a window, or that used the network."""
    with leaks.watched(), offline.checked():
        yield


@pytest.fixture(scope="module", autouse=True)
def takes_its_garbage_along() -> Iterator[None]:
    """Collect Qt objects in cycles here, before a thread of a later test can collect them."""
    garbage.set_aside()
    yield
    gc.collect()


@pytest.fixture(scope="module", autouse=True)
def leaves_no_process_behind() -> Iterator[None]:
    """Fail if a test or a module's fixture started a process and didn't reap it."""
    with leaks.reaped():
        yield


@pytest.fixture(scope="session", autouse=True)
def threads_put_off() -> Iterator[None]:
    """Delay threads if the environment asks for it."""
    with pytest.MonkeyPatch.context() as patch:
        arrival_delay_series.put_off(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def waits_patiently() -> Iterator[None]:
    """Raise pytest-qt's default timeout, since a shared computer can stall for more than five seconds.

    A closing window waits as long: otherwise a test would miss what was not saved yet.
    """
    from app.platform import shutdown

    with pytest.MonkeyPatch.context() as patch:
        for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitExposed, QtBot.waitActive):
            patch.setattr(wait, "__kwdefaults__", {**(wait.__kwdefaults__ or {}), "timeout": WAIT_MS})
        patch.setattr(shutdown, "WAITS_S", SHUTDOWN_S)
        yield


@pytest.fixture(scope="session", autouse=True)
def timed_briefly() -> Iterator[tuple[int, ...]]:
    """Measure the speed of opened models with fewer tokens, since tests open hundreds."""
    from app.engine.mlx.loading import probe

    usual = probe.TIMED_TOKENS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probe, "TIMED_TOKENS", (16, 64))
        yield usual


@pytest.fixture
def timed_in_full(timed_briefly: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure with the usual number of tokens, for tests of that measurement."""
    from app.engine.mlx.loading import probe

    monkeypatch.setattr(probe, "TIMED_TOKENS", timed_briefly)


@pytest.fixture(scope="session")
def stand_ins(tmp_path_factory: pytest.TempPathFactory) -> Samples:
    """Generated models, tokenizers, templates and texts, each created on demand."""
    return Samples(STAND_IN, tmp_path_factory.mktemp("stand-ins"))


@pytest.fixture(scope="module", params=[STAND_IN, pytest.param(REAL, marks=pytest.mark.slow)])
def samples(request: pytest.FixtureRequest, stand_ins: Samples) -> Samples:
    """The generated samples and, if present, real ones from other projects."""
    if request.param == STAND_IN:
        return stand_ins
    if not REAL_DATA.is_dir():
        pytest.skip("the real data is not here: ../shared/realdata is absent")
    return Samples(REAL, REAL_DATA)


@pytest.fixture(scope="session")
def demo_model() -> Path:
    return _bundled("demo")


@pytest.fixture(scope="session")
def demo_draft() -> Path:
    """The bundled draft model that speeds the demo model up."""
    return _bundled("demo-draft")


@pytest.fixture(scope="session")
def tiny_llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Llama with plain RoPE and plain KV caches."""
    return models.tiny_llama(tmp_path_factory.mktemp("models") / "tiny-llama")


@pytest.fixture(scope="session")
def llama3_rope(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Llama with llama3-scaled RoPE."""
    return models.llama3_rope(tmp_path_factory.mktemp("models") / "llama3-rope")


@pytest.fixture(scope="session")
def sliding_window(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random gemma3 with a rotating cache."""
    return models.sliding_window(tmp_path_factory.mktemp("models") / "sliding-window")


@pytest.fixture(scope="session")
def recurrent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Mamba."""
    return models.recurrent(tmp_path_factory.mktemp("models") / "recurrent")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty Hugging Face cache."""
    from huggingface_hub import constants

    folder = tmp_path / "hub"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    return folder


@pytest.fixture
def hub(cache: Path, demo_model: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[hub_of_tests.Hub]:
    """A hub for the client in this process, with an empty cache."""
    from huggingface_hub import close_session, constants

    with hub_of_tests.running() as running:
        template = constants.HUGGINGFACE_CO_URL_TEMPLATE.replace(constants.ENDPOINT, running.address)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(constants, "ENDPOINT", running.address)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        files = {file.name: file.read_bytes() for file in sorted(demo_model.iterdir())}
        running.models[hub_of_tests.DEMO] = hub_of_tests.Shelf(
            files | {"model.py": b"raise SystemExit", "onnx/model.onnx": b"0" * 200_000}
        )
        yield running
        close_session()


@pytest.fixture
def child_environment(hub: hub_of_tests.Hub, cache: Path) -> dict[str, str]:
    """Environment for a child process to use the same hub."""
    place = {"HF_ENDPOINT": hub.address, "HF_HUB_CACHE": str(cache), "HF_HUB_OFFLINE": "0"}
    return {**os.environ, **place}


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """A light theme, restored after the test."""
    from PySide6.QtCore import Qt

    from app.ui.look.theme import Theme

    made = Theme(qapp)
    made.prefer(Qt.ColorScheme.Light)
    yield made
    made.resize(100)
    made.deleteLater()


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication) -> Iterator[Desk]:
    """Main windows with the scripted engine, closed at the end."""
    from app.ui.look.theme import Theme
    from tests.ui.desk import Desk

    made = Desk(qtbot, Theme(qapp))
    yield made
    for window in made.windows:
        window.close()
    made.theme.deleteLater()
    vars(made).clear()


@pytest.fixture
def everything(desk: Desk) -> MainWindow:
    """A main window with an answer, all panes and all dialogs."""
    from tests.ui.whole import whole_window

    return whole_window(desk)


@pytest.fixture
def program(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Program]:
    """The program with the scripted engine and a temporary data folder."""
    from tests.ui.program import Program

    made = Program(qtbot, tmp_path)
    yield made
    for window in made.windows:
        window.close()
    made.windows.clear()


def _bundled(name: str) -> Path:
    folder = DEMO_MODELS / name
    if not (folder / "config.json").is_file():
        pytest.skip(f"the bundled model is not here: resources/models/{name} is absent")
    return folder


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system, if the system allows one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [str(mount), "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "none", str(folder)]
    if mount is None or os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no small file system can be made here: that takes root on Linux")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
