"""A model made smaller from the picker: whatever happens, its child process does not outlive it."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.bridge.tasks import Wire
from app.library.child import Child, Starting
from app.library.types import DownloadJob, DownloadState
from app.quantising import convert
from app.quantising.choice import Choice, Outcome
from app.quantising.convert import Conversion
from app.ui.look.theme import Theme
from app.ui.picker import controller_quantise as module
from app.ui.picker.models_table import ModelTable
from app.ui.picker.quantise_dialog import QuantiseDialog
from app.ui.shell.main_window import MainWindow
from app.ui.shell.places import Places
from tests.patience import WAIT_S
from tests.ui.desk import Desk, act, named
from tests.ui.picker.making import LARGE


def test_called_off_between_two_orders_its_child_is_gone(
    demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Child] = []
    ended: list[Child] = []

    class Watched(Child):
        def __init__(self, starting: Starting) -> None:
            super().__init__(starting)
            started.append(self)

        def end(self) -> str:
            ended.append(self)
            return super().end()

    conversion = Conversion(demo_model)
    monkeypatch.setattr(convert, "Child", Watched)
    monkeypatch.setattr(convert, "check_target", lambda to, needed: conversion.cancel())
    to = tmp_path / "four"
    job = module._make(conversion, Choice(4), to, tmp_path / "text", Wire(lambda job: None))
    assert (job.state, job.folder) == (DownloadState.DONE, None) and not to.exists()
    assert len(started) == 1 and ended == started


def test_what_would_change_nothing_is_not_made_after_a_comparison_either(qtbot: QtBot, theme: Theme) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    dialog = QuantiseDialog(theme, LARGE, Path("/nowhere"), lambda weights: "It fits.", over)
    make = named(dialog, QAbstractButton, "quantise_make")
    idle = Outcome(Choice(4), 1_000, 1_000, 16.0, ("all",))
    dialog.show_foreseen(idle)
    assert not make.isEnabled()
    dialog.show_trying()
    dialog.show_trying(ended=True)
    assert not make.isEnabled()
    dialog.show_foreseen(replace(idle, bytes=500))
    dialog.show_trying()
    assert not make.isEnabled()
    dialog.show_trying(ended=True)
    assert make.isEnabled()


def asked_to_make(
    desk: Desk, window: MainWindow, foreseen: Callable[[QAbstractButton, QLabel], bool]
) -> QAbstractButton:
    """The dialog for the chosen model, and the button in it that makes the other."""
    named(window, QAbstractButton, "quantise_model").click()
    button, told = named(window, QAbstractButton, "quantise_make"), named(window, QLabel, "quantise_told")
    desk.qtbot.waitUntil(lambda: foreseen(button, told))
    return button


def test_one_name_is_made_once_at_a_time(
    desk: Desk, cache: Path, demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second one would stand in the row of the first, which nobody could cancel any more."""
    desk.places = Places(tmp_path / "data", demo_model.parent)
    go_on = threading.Event()
    outcome = Outcome(Choice(4), 500, 1_000, 4.5, ())

    def make(conversion: Conversion, choice: Choice, to: Path, text: Path, wire: Wire) -> DownloadJob:
        wire.send(DownloadJob(to.name, DownloadState.QUANTISING, made=True))
        assert go_on.wait(WAIT_S)
        return DownloadJob(to.name, DownloadState.DONE, made=True)

    monkeypatch.setattr(module, "_look", lambda *_: (outcome, 10**9))
    monkeypatch.setattr(module, "_make", make)
    window = desk.ready()
    act(window, "open_model").trigger()
    table = window.findChild(ModelTable, "local_models")
    assert table is not None
    desk.qtbot.waitUntil(lambda: table.count > 0)
    table.selectRow(next(row for row in range(table.count) if table.model().index(row, 0).data() == "demo"))
    asked_to_make(desk, window, lambda button, told: button.isEnabled()).click()
    desk.qtbot.waitUntil(lambda: window.findChild(QuantiseDialog) is None)
    again = asked_to_make(desk, window, lambda button, told: "is being made already" in told.text())
    assert not again.isEnabled()
    named(window, QuantiseDialog, "quantise").reject()
    desk.qtbot.waitUntil(lambda: window.findChild(QuantiseDialog) is None)
    go_on.set()
    desk.qtbot.waitUntil(lambda: not window._features.picker._tasks.going_on)
