"""A model made smaller from the picker: whatever happens, its child process does not outlive it."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.bridge.tasks import CrossThreadCallback
from app.library.download_process import DownloadProcess, LaunchOptions
from app.library.types import DownloadJob, DownloadState
from app.quantization import convert
from app.quantization.choice import QuantizationCost, QuantizationOutcome, QuantizationSettings
from app.quantization.convert import Conversion
from app.ui.look.theme import Theme
from app.ui.picker import controller_quantize as module
from app.ui.picker.quantize_dialog import QuantizeDialog, headline
from app.ui.widgets.table import NumbersTable
from tests.patience import WAIT_S
from tests.ui.alone import Alone
from tests.ui.desk import named
from tests.ui.picker.builders import LARGE
from tests.ui.picker.picking import Picking


@pytest.mark.slow
def test_called_off_between_two_orders_its_child_is_gone(
    demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[DownloadProcess] = []
    ended: list[DownloadProcess] = []

    class Watched(DownloadProcess):
        def __init__(self, starting: LaunchOptions) -> None:
            super().__init__(starting)
            started.append(self)

        def end(self) -> str:
            ended.append(self)
            return super().end()

    conversion = Conversion(demo_model)
    monkeypatch.setattr(convert, "DownloadProcess", Watched)
    monkeypatch.setattr(convert, "check_target", lambda to, needed: conversion.cancel())
    to = tmp_path / "four"
    job = module._make(
        conversion, QuantizationSettings(4), to, tmp_path / "text", CrossThreadCallback(lambda job: None)
    )
    assert (job.state, job.folder) == (DownloadState.DONE, None) and not to.exists()
    assert len(started) == 1 and ended == started


def test_what_would_change_nothing_is_not_made_after_a_comparison_either(qtbot: QtBot, theme: Theme) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    dialog = QuantizeDialog(theme, LARGE, Path("/nowhere"), lambda weights: None, over)
    make = named(dialog, QAbstractButton, "quantise_make")
    idle = QuantizationOutcome(QuantizationSettings(4), 1_000, 1_000, 16.0, ("all",))
    dialog.show_outcome(idle)
    assert not make.isEnabled()
    dialog.show_comparing()
    dialog.show_comparing(is_done=True)
    assert not make.isEnabled()
    dialog.show_outcome(replace(idle, bytes=500))
    dialog.show_comparing()
    assert not make.isEnabled()
    button = named(dialog, QAbstractButton, "quantise_try")
    assert button.text() == "Stop" and not named(dialog, NumbersTable, "quantise_ladder").isVisibleTo(dialog)
    with qtbot.waitSignal(dialog.stop_wanted):
        button.click()
    result = QuantizationOutcome(QuantizationSettings(8), 500, 1_000, 8.5, ())
    cost = QuantizationCost(0.1, None, 0.1, None, 0.9, None, None, 0)
    dialog.add_result(result, cost)
    dialog.show_comparing(is_done=True)
    assert make.isEnabled() and button.text() == "Compare the other widths"
    assert named(dialog, QLabel, "quantise_told").text() == "1 of 2 bit widths compared"
    assert named(dialog, NumbersTable, "quantise_ladder").isVisibleTo(dialog), "results so far stay"
    with qtbot.waitSignal(dialog.comparison_wanted) as wanted:
        button.click()
    assert wanted.args == [(4,)]
    dialog.show_comparing()
    dialog.add_result(replace(result, choice=QuantizationSettings(4)), cost)
    dialog.show_comparing(is_done=True)
    assert button.text() == "Compare 6, 5, 3 and 2 bits" and named(dialog, QLabel, "quantise_told").text() == ""
    assert named(dialog, QLabel, "quantise_headline").text().startswith("No quantization keeps the top token")
    with qtbot.waitSignal(dialog.comparison_wanted) as wanted:
        button.click()
    assert wanted.args == [(6, 5, 3, 2)]
    assert dialog.choice.bits == 4, "no width is recommended"
    dialog.show_comparing()
    dialog.add_result(replace(result, choice=QuantizationSettings(6, 64)), replace(cost, same_first=0.97))
    dialog.show_comparing(is_done=True)
    assert button.text() == "Compare the other widths"
    with qtbot.waitSignal(dialog.comparison_wanted) as wanted:
        button.click()
    assert wanted.args == [(5, 3, 2)]
    dialog.show_comparing()
    for bits in (5, 3, 2):
        dialog.add_result(replace(result, choice=QuantizationSettings(bits, 64), bytes=900), cost)
    dialog.show_comparing(is_done=True)
    assert dialog.choice.bits == 6 and not button.isVisibleTo(dialog), "6 bits are recommended"


def test_headline_names_the_smallest_quantization_that_keeps_the_top_token() -> None:
    def result(bits: int, same: float) -> tuple[QuantizationOutcome, QuantizationCost]:
        outcome = QuantizationOutcome(QuantizationSettings(bits), 100 * bits, 1_600, bits, ())
        return outcome, QuantizationCost(0.1, None, 0.1, None, same, None, None, 0)

    words = headline([result(8, 0.99), result(6, 0.97), result(4, 0.9)])
    assert words.startswith("6 bits keep the top token at 97 % of the positions, and are 2.7 times smaller on disk.")
    assert words.endswith(" 4 bits keep it at 90 %.")
    assert headline([result(8, 0.9), result(4, 0.5)]).endswith("8 bits keep it at 90 %.")


def test_quantise_same_name_while_it_is_made_is_refused(
    alone: Alone, theme: Theme, cache: Path, demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second one would take the row of the first, which could not be cancelled any more."""
    go_on = threading.Event()
    outcome = QuantizationOutcome(QuantizationSettings(4), 500, 1_000, 4.5, ())

    def make(
        conversion: Conversion, choice: QuantizationSettings, to: Path, text: Path, wire: CrossThreadCallback
    ) -> DownloadJob:
        wire.send(DownloadJob(to.name, DownloadState.QUANTISING, made=True))
        assert go_on.wait(WAIT_S)
        return DownloadJob(to.name, DownloadState.DONE, made=True)

    monkeypatch.setattr(module, "_estimate", lambda *_: (outcome, 10**9))
    monkeypatch.setattr(module, "_make", make)
    picking = Picking(alone, theme, tmp_path / "data", demo_model.parent)
    picking.open("demo")
    picking.choose("demo")
    picking.press("quantise_model")
    picking.until(lambda: picking.button("quantise_make").isEnabled())
    picking.press("quantise_make")
    picking.until(lambda: alone.findChild(QuantizeDialog) is None)
    picking.press("quantise_model")
    picking.until(lambda: "is already being created" in picking.words("quantise_told"))
    assert not picking.button("quantise_make").isEnabled()
    named(alone, QuantizeDialog, "quantise").reject()
    picking.until(lambda: alone.findChild(QuantizeDialog) is None)
    go_on.set()
    picking.until(lambda: not picking.controller.tasks.count)
