"""A form is looked at while it is typed, and what is wrong with it stands below."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QLabel

from app.engine.types import Form, FormKind
from tests.ui.desk import WAIT_MS, Desk, named


def test_the_newest_form_is_looked_at(desk: Desk) -> None:
    window = desk.ready()
    wrong = named(window, QLabel, "form_wrong")
    for text in ('{"maxLenght": 3}', "{"):
        form = Form(FormKind.SCHEMA, schema=text)
        window.playground.set_controls(replace(window.playground.state.controls, form=form))
    desk.qtbot.waitUntil(lambda: bool(wrong.text()), timeout=WAIT_MS)
    assert wrong.text() == "This is no JSON schema: it is no JSON at line 1."
    window.playground.set_controls(replace(window.playground.state.controls, form=Form()))
    desk.qtbot.waitUntil(lambda: not window.playground.tasks.going_on, timeout=WAIT_MS)
    assert wrong.text() == ""
