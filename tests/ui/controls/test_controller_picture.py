"""The picture in the controls follows them, and shows what a run recorded."""

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QLabel

from app.controls import Controls
from app.settings import Settings
from app.ui.controls.sampling_picture import EXAMPLE, SamplingPicture
from tests.ui.desk import Desk, named


def test_candidates_are_recorded_shown_and_asked_for_again(desk: Desk) -> None:
    window = desk.ready(Settings(controls=Controls(seed=3)))
    named(window, QCheckBox, "record_candidates").click()
    assert named(window, QLabel, "sampling_source").text() == EXAMPLE
    desk.send(window, "Hello")
    source = named(window, QLabel, "sampling_source").text()
    assert source != EXAMPLE
    assert named(window, QLabel, "recording_cost").text().endswith("% of the last run.")
    named(window, QCheckBox, "record_candidates").click()
    desk.send(window, "And now?")
    assert named(window, QLabel, "recording_cost").isHidden()
    assert named(window, QLabel, "sampling_source").text() == source
    assert source.startswith("Highest-entropy token of the last recorded run"), "which is not the last one"
    named(window, QCheckBox, "record_candidates").click()
    window.close()
    assert desk.kept[0].controls.observe > 0
    assert named(desk.ready(desk.kept[0]), QCheckBox, "record_candidates").isChecked()


def test_the_picture_follows_the_controls(desk: Desk) -> None:
    window = desk.ready()
    picture = named(window, SamplingPicture, "sampling_picture")
    before = picture.accessibleDescription()
    controls = window.playground.state.controls
    window.playground.set_controls(replace(controls, sampling=replace(controls.sampling, temperature=0.0)))
    assert "At temperature 0" in picture.accessibleDescription()
    assert picture.accessibleDescription() != before
