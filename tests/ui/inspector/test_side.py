import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit, QTabBar, QTabWidget, QWidget

from app.files.settings import Layout, Settings
from app.ui.conversation.transcript import Transcript
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, named


def shown(window: MainWindow) -> str:
    """Which page of the right side is to be seen; button and menu say the same."""
    side = named(window, QTabWidget, "side")
    page = side.currentWidget().objectName() if side.isVisible() else ""
    button = named(window, QAbstractButton, "inspector_button")
    assert button.isChecked() is act(window, "toggle_side").isChecked() is bool(page)
    for name in ("controls", "inspector", "exact_prompt"):
        assert act(window, f"toggle_{name}").isChecked() is (name == page)
        assert named(window, QWidget, name).isVisible() is (name == page)
    return page


@pytest.mark.slow
def test_side_has_a_page_for_each_action_and_a_picked_token_shows_its_own(desk: Desk) -> None:
    window = desk.ready()
    window.resize(1000, 700)
    assert shown(window) == "controls"
    for name in ("inspector", "exact_prompt", "controls"):
        act(window, f"toggle_{name}").trigger()
        assert shown(window) == name
    act(window, "toggle_controls").trigger()
    assert shown(window) == ""
    for page in ("controls", ""):
        named(window, QAbstractButton, "inspector_button").click()
        assert shown(window) == page
    desk.send(window, "Hello")
    text = named(window, Transcript, "transcript")
    text.token_pointed.emit(1, 1)
    assert shown(window) == "", "it was only pointed at"
    text.token_picked.emit(1, 2)
    assert shown(window) == "inspector"
    window.resize(900, 600)
    assert (window.width(), shown(window)) == (900, "inspector")


@pytest.mark.slow
def test_side_in_a_narrow_window_stays_closed_until_asked(desk: Desk) -> None:
    window = desk.ready()
    window.resize(1000, 700)
    desk.theme.resize(200)
    desk.qtbot.waitUntil(lambda: shown(window) == "")
    act(window, "toggle_exact_prompt").trigger()
    assert shown(window) == "exact_prompt"
    act(window, "toggle_sessions").trigger()
    assert shown(window) == "", "there is room for one"
    desk.theme.resize(100)
    desk.qtbot.waitUntil(lambda: shown(window) == "exact_prompt")


@pytest.mark.slow
def test_side_is_restored_at_the_next_start(desk: Desk) -> None:
    window = desk.ready()
    window.resize(1600, 1000)
    act(window, "toggle_inspector").trigger()
    window.close()
    kept = desk.kept[0]
    assert (kept.layout.side_shown, kept.layout.side_tab) == (True, "inspector")
    assert len(kept.layout.columns) == 3
    assert all(kept.layout.columns)
    assert shown(desk.ready(kept)) == "inspector"


@pytest.mark.slow
def test_hidden_fields_pass_the_focus_to_no_other_field(desk: Desk) -> None:
    window = desk.ready(Settings(layout=Layout(side_tab="inspector")))
    window.resize(1600, 1000)
    desk.send(window, "Hello")
    prompt = named(window, QPlainTextEdit, "prompt")
    for position, page in (
        ("temperature", "controls"),
        ("fork_text", "inspector"),
        ("exact_prompt_tokens", "exact_prompt"),
        ("session_search", ""),
    ):
        other = "toggle_controls" if page == "inspector" else "toggle_inspector"
        for way in ("toggle_side", other) if page else ("toggle_sessions",):
            if page and shown(window) != page:
                act(window, f"toggle_{page}").trigger()
            field = named(window, QWidget, position)
            desk.qtbot.waitUntil(field.isVisible)
            field.setFocus()
            act(window, way).trigger()
            assert not field.isVisible()
            now = QApplication.focusWidget()
            assert isinstance(now, (QAbstractButton, QTabBar)) and now.isVisible(), (position, now)
            prompt.setFocus()
            act(window, way).trigger()
            assert prompt.hasFocus(), position


@pytest.mark.slow
def test_folded_controls_pass_the_focus_to_no_other_field(desk: Desk) -> None:
    window = desk.ready()
    more, heading = (named(window, QAbstractButton, name) for name in ("more_controls", "fold_sampling"))
    for button in (more, heading):
        if not more.isChecked():
            more.click()
        field = named(window, QWidget, "seed")
        desk.qtbot.waitUntil(field.isVisible)
        field.setFocus()
        assert field.hasFocus()
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click gives it no keyboard, as on a Mac
        button.click()
        assert not field.isVisible()
        assert button.hasFocus()
