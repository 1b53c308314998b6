"""The composition root: the only module that connects arguments, engine, threads and window."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.platform.startup import begin

if __name__ == "__main__":
    begin(sys.argv[1:])

from app import __version__
from app.cli import arguments
from app.cli.arguments import Arguments
from app.cli.verbs import find_verb
from app.engine import crash_guard
from app.engine.errors import missing_backend
from app.engine.remote.address import server_model
from app.files import regular_files, settings
from app.i18n import tr
from app.library import cached
from app.library.keychain import ServerKeys, stored_key
from app.platform import log_file, single_instance
from app.platform.resources import resources_folder
from app.platform.shutdown import SHUTDOWN_S
from app.platform.startup import (
    FETCH_SWITCH,
    QUANTISE_SWITCH,
    SERVE_SWITCH,
    TEMPLATE_SWITCH,
    bypass_pyside_import,
    disable_telemetry,
    freeze_gc,
    has_screen,
    limit_malloc_arenas,
    restart,
    restore_environment,
    use_full_float32,
)

if TYPE_CHECKING:
    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QApplication

    from app.bridge.worker import EngineFactory
    from app.engine.crash_guard import UnfinishedStep
    from app.engine.protocol import Collect, Engine
    from app.engine.remote.engine import KeyOf
    from app.files.settings import Settings, UnreadSettings
    from app.records.journal import Journal
    from app.ui.shell.main_window import MainWindow

SWITCH_INTERVAL_S = 0.001
"""Interval in seconds after which Python switches threads. A fifth of its default makes the slowest frames a third
shorter.
"""
SCRIPTED = "echo"
BUSY = "Sluice is already running with this data folder, but it is busy. Waiting up to 15 s for its window.\n"
NO_ANSWER = "It did not answer, so a second window opens.\n"
NAME = "Sluice"


def main() -> int:
    """Run a child process, a headless verb, or the window."""
    disable_telemetry(os.environ)
    use_full_float32(os.environ)
    if sys.argv[1:2] == [FETCH_SWITCH]:
        return _fetch(*sys.argv[2:])
    if sys.argv[1:2] == [TEMPLATE_SWITCH]:
        from app.engine.templates.child import main as render

        return render(*sys.argv[2:])
    limit_malloc_arenas()
    if sys.argv[1:2] == [SERVE_SWITCH]:
        _forget_starter()  # mlx.launch starts a shell
        from app.engine.mlx.serve import main as serve

        return serve(sys.argv[2:])
    if sys.argv[1:2] == [QUANTISE_SWITCH]:
        from app.quantization.child import main as answer

        _set_language(*sys.argv[2:])
        return answer(ENGINES["mlx"])
    if (verb := find_verb(sys.argv[1:])) is not None:
        return verb.run(sys.argv[2:], ENGINES, resources_folder())
    with _startup_errors_shown():
        options = arguments.parse(sys.argv[1:])
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # there is no work to save yet
        if _is_second(options):
            sys.stdout.write("Sluice is already running with this data folder. Its window is in front now.\n")
            return 0
        in_environment = os.environ.get(cached.HUB_CACHE)
        with freeze_gc():
            application, window = _begin(options)
            _settle(window)
        window.show()
    if options.self_test is not None:
        return _self_test(window, options.self_test)
    from app.ui.shell.application import ProcessExit, SystemSignals

    SystemSignals(window)
    again = partial(restart, options.session, {cached.HUB_CACHE: in_environment})
    ending = ProcessExit(window, again)
    # A normal quit is no crash, even if the engine is still loading a model.
    window.leaving.connect(partial(crash_guard.forget, options.data_folder))
    return ending.end(application.exec())


@contextmanager
def _startup_errors_shown() -> Iterator[None]:
    """Show startup errors also in a message box, if no terminal shows them."""
    try:
        yield
    except (Exception, arguments.ArgumentsError) as error:
        if _needs_message_box():
            with suppress(Exception):  # Qt itself may be what is broken
                from app import i18n
                from app.i18n import translation
                from app.ui.shell.application import show_start_failure

                if not i18n.current_language():  # the settings may not have been read
                    translation.begin("", resources_folder() / "languages")
                show_start_failure(
                    error.sentence
                    if isinstance(error, arguments.ArgumentsError)
                    else f"{type(error).__name__}: {error}"
                )
        if isinstance(error, ImportError):
            from app.platform import qt_libraries

            if qt_libraries.main(["screen"]):
                sys.exit(1)
        raise


def _needs_message_box() -> bool:
    """Return whether stderr isn't a terminal, but there is a display, and this is no self-test."""
    shown = has_screen(os.environ) and os.environ.get("QT_QPA_PLATFORM") not in ("offscreen", "minimal")
    return shown and "--self-test" not in sys.argv and not (sys.stderr is not None and sys.stderr.isatty())


def build(switches: Sequence[str], engine: EngineFactory | None = None) -> MainWindow:
    """Assemble the program, ready to be shown, without entering the event loop.

    `engine` replaces the default engines, for benchmarks; it is created on the worker's thread too.
    """
    options = arguments.parse(switches)
    with freeze_gc():
        return _assemble(options, _application(), engine, *settings.load(options.data_folder), cached.folder_of_cache())


def bundled_model() -> Path:
    """Return the demo model that comes with the program."""
    return resources_folder() / "models" / "demo"


def _forget_starter() -> None:
    if bundle := getattr(sys, "_MEIPASS", ""):
        restore_environment(os.environ, bundle)


def _begin(options: Arguments) -> tuple[QApplication, MainWindow]:
    from app.i18n import translation

    stored = settings.load(options.data_folder)
    usual_cache = cached.folder_of_cache()
    cached.use(stored[0].cache)
    # Before the window is imported, since its modules translate texts on import.
    spoken = translation.begin(stored[0].language, resources_folder() / "languages")
    application = _application()
    translation.translate_qt(application, spoken)
    log_file.begin(log_file.folder_beside(options.data_folder, settings.user_folder()))
    _forget_starter()
    from app.ui.shell.later_starts import LaterStarts

    later = LaterStarts(options.data_folder)
    window = _assemble(options, application, None, *stored, usual_cache)
    later.serve(window)
    return application, window


def _assemble(
    options: Arguments,
    application: QApplication,
    engine: EngineFactory | None,
    stored: Settings,
    unread: UnreadSettings | None,
    usual_cache: Path,
) -> MainWindow:
    from app.bridge.playground import Playground
    from app.ui.conversation import first_prompts
    from app.ui.look.theme import Theme
    from app.ui.shell.features import DataPaths
    from app.ui.shell.main_window import MainWindow

    sys.setswitchinterval(SWITCH_INTERVAL_S)
    keys = ServerKeys()
    usual = SCRIPTED if options.engine == SCRIPTED else _bundled()
    unfinished = None if options.model else crash_guard.unfinished(options.data_folder)
    gone = "" if options.model or unfinished is not None else _missing_model_sentence(stored.model, usual)
    window = MainWindow(
        Playground(
            engine or partial(ENGINES[options.engine], key_of=keys.of, marks=options.data_folder),
            opener=partial(_journal, options.data_folder, stored.told_before, stored.session),
        ),
        Theme(application, native=stored.native_look and sys.platform == "darwin"),
        stored,
        partial(settings.save, folder=options.data_folder),
        {bundled_model(): first_prompts.read(bundled_model())} if _bundled() else {},
        options.model or _first_model(stored.model, usual, unfinished),
        " ".join(filter(None, (unread.sentence() if unread is not None else "", gone))),
        DataPaths(options.data_folder, bundled_model().parent, keys, usual_cache),
        unfinished,
    )
    if options.session is not None:
        window.open_sessions((options.session,))
    return window


def _fetch(spoken: str = "") -> int:
    """Return the child process that downloads a model."""
    _set_language(spoken)
    from app.library.download_file import main as fetch_model

    return fetch_model()


def _set_language(spoken: str = "") -> None:
    """Set the language of a child process to that of its parent. English needs no Qt."""
    if spoken:
        from app.i18n import translation

        translation.begin(spoken, resources_folder() / "languages")


def _is_second(options: Arguments) -> bool:
    """Return whether another Sluice uses this data folder; it then opens the arguments' files and model."""
    if options.self_test is not None:
        return False
    was_busy = False

    def on_busy() -> None:
        nonlocal was_busy
        was_busy = True
        sys.stdout.write(BUSY)

    message = single_instance.message_of(options.session, options.model)
    is_received = single_instance.send_to_first(options.data_folder, message, on_busy)
    if was_busy and not is_received:
        sys.stdout.write(NO_ANSWER)
    return is_received


def _settle(window: MainWindow) -> None:
    """Connect the window to the system; benchmarks don't need that."""
    from app.platform.app_nap import sleep_blocker
    from app.ui.shell.application import SleepPrevention, dock_menu, log_qt

    log_qt()
    if (awake := sleep_blocker()) is not None:
        SleepPrevention(window.playground, window.downloading, awake, window)
        dock_menu(window)


def _first_model(stored: str, usual: str, unfinished: UnfinishedStep | None) -> str:
    """Return the last model, or the bundled one. If the last start crashed while loading it, return another or none."""
    if unfinished is not None:
        return usual if unfinished.model != usual else ""
    return _last_model(stored) or usual


def _last_model(stored: str) -> str:
    """Return the last model; empty if its folder is gone, so that no start fails. A server may come back.

    A model of the Hugging Face cache may have a newer revision: its id then opens the new folder.
    """
    if server_model(stored) is not None or (Path(stored).is_absolute() and regular_files.is_folder(Path(stored))):
        return stored
    model_id = cached.id_of(stored)
    return model_id if model_id and cached.has(model_id) else ""


def _missing_model_sentence(stored: str, usual: str) -> str:
    """Return a sentence about a missing last model; empty if it exists. The Hugging Face cache may have moved."""
    if not stored or _last_model(stored) or Path(stored).name == Path(usual).name:
        return ""
    sentence = tr("“{model}” no longer exists.").format(model=stored)
    instead = tr("The model that comes with Sluice is open instead.") if usual else tr("No model is open.")
    return f"{sentence} {instead}"


def _bundled() -> str:
    return str(bundled_model()) if (bundled_model() / "config.json").is_file() else ""


def _application() -> QApplication:
    from PySide6.QtWidgets import QApplication

    if not has_screen(os.environ):
        arguments.refuse("There is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are not set)")
    bypass_pyside_import()
    from app.ui.shell.application import Application

    bundled = hasattr(sys, "_MEIPASS")
    if sys.platform == "darwin" and not bundled:
        from app.platform.app_nap import mac_runtime, set_program_name

        if (runtime := mac_runtime()) is not None:
            set_program_name(NAME, runtime)
    running = QApplication.instance()
    application = running if isinstance(running, QApplication) else Application(sys.argv[:1])
    application.setApplicationName(NAME)
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("sluice")
    if sys.platform != "darwin" or not bundled:  # macOS reads it from the bundle
        application.setWindowIcon(_icon())
    return application


def _icon() -> QIcon:
    from PySide6.QtGui import QIcon

    icon = QIcon()
    for file in sorted((resources_folder() / "icons").glob("sluice-*.png")):
        icon.addFile(str(file))
    return icon


def _self_test(window: MainWindow, folder: Path) -> int:
    from app.selftest import SelfTest

    trials = {"whole": _check_contents} if hasattr(sys, "_MEIPASS") else {}
    return SelfTest(window, window.playground, trials | {"device": _try_device, "formula": _try_formula}, folder).run()


# Called on another thread when the window is visible.


def _journal(folder: Path, before: float, session: int) -> Journal:
    """Open the journal, and wait up to `SHUTDOWN_S` for a closing window that still uses it."""
    from app.records.journal import open_journal
    from app.records.purge import ExpiredSessions

    return open_journal(folder, ExpiredSessions(before, session), SHUTDOWN_S)


# Called on the worker's thread when the window is visible, so the heavy imports happen there.


def _mlx(collect: Collect) -> Engine:
    from app.engine.mlx.loading import library_imports

    library_imports.keep_structure()
    try:
        with library_imports.waiting():
            from app.engine.mlx.engine import MlxEngine
    except ImportError as error:
        raise missing_backend(error) from error
    return MlxEngine(collect)


def _scripted(_collect: Collect) -> Engine:
    from app.engine.echo.engine import EchoEngine

    return EchoEngine()


LOCAL = {"mlx": _mlx, SCRIPTED: _scripted}


def _engines(name: str, collect: Collect, key_of: KeyOf = stored_key, marks: Path | None = None) -> Engine:
    """Return the local engine of this name together with the one for servers."""
    from app.engine.engines import Engines

    def remote() -> Engine:
        from app.engine.remote.engine import RemoteEngine

        return RemoteEngine(key_of)

    return Engines(LOCAL[name](collect), remote, lambda model: server_model(model) is not None, marks)


ENGINES = {name: partial(_engines, name) for name in LOCAL}


def _try_formula() -> str:
    """Render a formula, which needs data files of libraries."""
    from app.ui.document.latex import LatexFormula, render

    picture = render(LatexFormula(r"\frac{\alpha}{2}"))
    assert picture is not None
    return f"{picture.width:.1f} em"


def _try_device() -> str:
    from app.engine.mlx.loading.import_check import try_device

    return try_device()


def _check_contents() -> str:
    """Check that the frozen program contains the modules and licenses that it loads late."""
    import app.ui.widgets.plots.overlay_plot  # noqa: F401
    from app.engine.mlx.loading.import_check import try_whole
    from app.library.supported_architectures import ALIASES, model_types
    from app.platform import licenses

    resources = resources_folder()
    parts = licenses.everything(resources / "licences", resources.parent / "LICENSE")
    if unlicensed := [part.name for part in parts if not part.text]:
        raise LookupError(f"no licence for {', '.join(unlicensed)}")
    return f"{try_whole(model_types() - ALIASES)}, {len(parts)} licences"


if __name__ == "__main__":
    sys.exit(main())
