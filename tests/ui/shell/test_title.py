from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QWidget

from app.files.settings import Settings
from app.i18n import tr
from app.state import Phase
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, named
from tests.ui.program import Program

OTHERS = ("/models/Qwen3-4B & more", "/hub/models--a--b/snapshots/1", "http://127.0.0.1:1/#tiny")
NEW = tr("New session")


def menu_of(window: MainWindow) -> dict[str, bool]:
    """The entries of the model button's menu, and whether they are enabled."""
    named(window, QAbstractButton, "model_button").click()
    menu = window.findChild(QMenu, "recent_models")
    return {act.text(): act.isEnabled() for act in menu.actions() if act.text()} if menu is not None else {}


@pytest.mark.slow
@pytest.mark.in_korean
def test_title_names_the_session_and_the_model(program: Program) -> None:
    program.start()
    window = program.window
    title = named(window, QLabel, "page_title")
    assert (title.text(), window.windowTitle()) == (NEW, f"{NEW} — echo")
    program.send("Tell me about <b>foxes</b>")
    program.until(lambda: title.text() == "Tell me about <b>foxes</b>")
    assert window.windowTitle() == "Tell me about <b>foxes</b> — echo"
    program.act("new_session")
    assert title.text() == NEW


@pytest.mark.slow
def test_model_button_without_recent_models_opens_the_picker(desk: Desk) -> None:
    window = desk.ready()
    assert menu_of(window) == {}
    assert named(window, QWidget, "model_picker").isVisible()


@pytest.mark.slow
@pytest.mark.in_korean
def test_model_button_lists_recent_models(desk: Desk) -> None:
    window = desk.ready(Settings(recent_models=OTHERS))
    assert menu_of(window) == {
        "Qwen3-4B && more": True,
        "a/b": True,
        tr("{model} on {server}").format(model="tiny", server="127.0.0.1:1"): True,
        tr("All Models…"): True,
    }
    window.close()
    assert desk.kept[-1].recent_models == ("echo", *OTHERS)
    again = desk.ready(replace(desk.kept[-1]))
    assert list(menu_of(again))[:1] == ["Qwen3-4B && more"], "without the open one"
    chosen = named(again, QMenu, "recent_models").actions()[1]
    with desk.qtbot.waitSignal(again.playground.changed, check_params_cb=lambda _, new: new.wanted == OTHERS[1]):
        chosen.trigger()


@pytest.mark.slow
@pytest.mark.in_korean
def test_model_button_after_an_unload_names_no_model(desk: Desk) -> None:
    window = desk.ready()
    button = named(window, QAbstractButton, "model_button")
    assert button.toolTip().startswith("echo")
    window.playground.unload()
    desk.until(window, Phase.EMPTY)
    assert button.toolTip() == tr("Open a model")
