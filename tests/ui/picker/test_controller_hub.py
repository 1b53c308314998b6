"""The hub's page and what it asks: what is known of a model, and what is asked again."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.library import hub, keychain
from app.library.types import HubDetails
from app.ui.look.theme import Theme
from app.ui.picker import controller_hub
from app.ui.picker.controller_hub import HubController
from app.ui.picker.hub_page import HubPage
from app.ui.picker.models_table import ModelTable
from tests.ui.picker.making import DETAILS, FIRST, GATED, named


def test_what_the_hub_could_not_tell_in_time_is_asked_again(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = replace(DETAILS, unusable=Failure("The hub did not answer in time.", "Try again later.", kind="offline"))
    answers = [slow, replace(DETAILS, model=GATED), DETAILS]
    asked: list[str] = []

    def details(model_id: str, token: str | None) -> HubDetails:
        asked.append(model_id)
        return answers.pop(0)

    monkeypatch.setattr(hub, "details", details)
    monkeypatch.setattr(controller_hub, "REST_S", 0.0)
    monkeypatch.setattr(keychain, "unavailable", lambda: "it is only pretended")
    page = HubPage(theme)
    qtbot.addWidget(page)
    owner = QWidget()
    qtbot.addWidget(owner)
    tasks = Tasks(owner)
    HubController(tasks, page, lambda: 0, owner)
    page.show()
    reason, table = named(page, QLabel, "hub_details_reason"), named(page, ModelTable, "hub_models")
    page.show_results((FIRST, GATED))
    qtbot.waitUntil(lambda: "did not answer in time" in reason.text())
    table.selectRow(1)
    qtbot.waitUntil(lambda: len(asked) == 2 and not tasks.going_on)
    table.selectRow(0)
    qtbot.waitUntil(lambda: len(asked) == 3 and not tasks.going_on)
    assert reason.text() == ""
    table.selectRow(1)
    table.selectRow(0)
    assert reason.text() == "" and len(asked) == 3, "what is known is shown at once"
    tasks.close()
