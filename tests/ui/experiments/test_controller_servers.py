"""Models on servers beside those of this machine, where an experiment asks for a second one."""

import pytest

from app.engine.remote import directory
from app.engine.types import Server
from app.library.server_keys import ServerKeys
from app.settings import Settings
from app.ui.experiments import controller_models
from app.ui.experiments.form import Form
from app.ui.experiments.values import Choice
from tests.engine.remote.faults import serving
from tests.ui.desk import Desk, act


def test_what_answers_is_offered_and_what_doesn_t_is_left_out() -> None:
    with serving() as faults:
        keys = ServerKeys()
        keys.give(faults.address, "hush")
        found = controller_models.choices((Server("http://127.0.0.1:9/v1"), Server(faults.address, "Studio")), keys)
        assert faults.asked[0].headers["authorization"] == "Bearer hush"
    assert found == (
        Choice("one on Studio", f"{faults.address}#one"),
        Choice("two on Studio", f"{faults.address}#%2Fdisk%2Ftwo"),
    )


def test_nobody_is_asked_of_whom_the_user_is_to_be_warned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "list_models", lambda *_: pytest.fail("it was asked"))
    assert controller_models.choices((Server("http://192.0.2.7/v1"),), ServerKeys()) == ()


def test_the_window_of_experiments_offers_them(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[Choice, ...]] = []
    real = Form.show_models

    def show(form: Form, drafts: tuple[Choice, ...], others: tuple[Choice, ...], looking: bool = False) -> None:
        shown.append(others)
        real(form, drafts, others, looking)

    monkeypatch.setattr(Form, "show_models", show)
    with serving() as faults:
        window = desk.ready(Settings(servers=(Server(faults.address, "Studio"),)))
        act(window, "experiment_models").trigger()
        desk.qtbot.waitUntil(lambda: "one on Studio" in [each.name for each in shown[-1]])
