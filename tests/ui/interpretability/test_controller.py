"""The tab Inside with a model without token ids."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton

from app.engine.echo.engine import EchoEngine
from app.engine.types import Capabilities, LoadRequest, Model
from app.files.settings import Layout, Settings
from tests.ui.desk import Desk, named

pytestmark = pytest.mark.slow

TEXT_ALONE = "A server exchanges text, not token ids."


def test_model_without_token_ids_disables_look_with_a_reason(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made = EchoEngine._model

    def elsewhere(engine: EchoEngine, request: LoadRequest) -> Model:
        return replace(made(engine, request), can=Capabilities(ids=False, refusals=(("ids", TEXT_ALONE),)))

    monkeypatch.setattr(EchoEngine, "_model", elsewhere)
    window = desk.ready(Settings(layout=Layout(side_tab="inside")))
    desk.send(window, "Hello")
    look = named(window, QAbstractButton, "inside_look")
    assert (look.isEnabled(), look.toolTip()) == (False, TEXT_ALONE)
