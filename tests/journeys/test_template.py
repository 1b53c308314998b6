from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit

from app.ui.look.palette import Color
from tests.journeys.journey import Journey

pytestmark = [pytest.mark.in_korean, pytest.mark.slow]


def test_chat_template_is_shown_and_copied(demo: Journey, demo_model: Path) -> None:
    demo.act("toggle_exact_prompt")
    way = demo.window.findChild(QAction, "exact_prompt_template")
    assert isinstance(way, QAction) and way.isEnabled()
    way.trigger()
    page = demo.find(QPlainTextEdit, "template_text")
    assert page.isVisible() and page.isReadOnly()
    there = "".join(path.read_text() for path in demo_model.glob("*") if path.suffix in (".json", ".jinja"))
    text = page.toPlainText()
    assert "{%" in text and text.splitlines()[0][:20] in there.replace("\\n", "\n")
    colors = {each.format.foreground().color().name() for each in page.document().firstBlock().layout().formats()}
    assert colors & {demo.window._parts.theme.hex(color) for color in (Color.KEYWORD, Color.STRING)}
    demo.press("template_copy")
    assert QGuiApplication.clipboard().text() == text
