"""Suggested models: offered while there are only bundled ones, downloaded with one click, and opened."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.engine.types import Failure, LoadRequest, Memory
from app.library.suggested_models import COURSE_MODEL, MODELS
from app.library.types import DownloadState as S
from app.state import Phase
from app.ui.look.theme import Theme
from app.ui.picker.controller_downloads import DownloadsController
from app.ui.picker.download_strip import DownloadStrip
from app.ui.picker.model_suggestions import ModelSuggestions
from tests.ui.alone import Alone
from tests.ui.desk import named
from tests.ui.picker.builders import GB, job
from tests.ui.picker.picking import Picking
from tests.ui.picker.test_controller import put_into

OFFLINE = Failure("The hub can't be reached.", "Check the connection.")


@pytest.fixture
def picking(alone: Alone, theme: Theme, tmp_path: Path, demo_model: Path, cache: Path) -> Picking:
    """The bundled model is open, and the cache is empty."""
    made = Picking(alone, theme, tmp_path / "data", demo_model.parent)
    assert made.playground.load(LoadRequest(str(demo_model)))
    made.until(made.first.isVisible)
    alone.until_phase(Phase.READY)
    made.playground.measured.emit(Memory(0, 0, 0, 12 * GB, 0, 0))
    return made


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The downloads that would be started."""
    ids: list[str] = []
    monkeypatch.setattr(DownloadsController, "start", lambda _, model_id, token: ids.append(model_id))
    return ids


class Transfers:
    """Shows states of the course model's download, as the queue would."""

    def __init__(self, picking: Picking) -> None:
        self.downloading = picking.controller.downloading
        self.removed: list[str] = []

    def jobs(self) -> tuple[object, ...]:
        return self._jobs

    def show(self, state: S, **changes: object) -> None:
        self._jobs = (job(state, model_id=COURSE_MODEL.id, **changes),)
        self.downloading._downloads = self  # type: ignore[assignment]
        self.downloading.refresh()

    def remove_finished(self, model_id: str) -> None:
        self.removed.append(model_id)

    def close(self) -> None: ...


@pytest.fixture
def transfers(picking: Picking) -> Transfers:
    return Transfers(picking)


def test_suggestions_show_size_time_license_and_memory(picking: Picking) -> None:
    button = picking.button("suggestion_2")
    assert button.accessibleName() == "Download Llama 3.2 1B"
    assert button.accessibleDescription() == "Chat and summaries, about 710 MB, 2 min, Llama 3.2 license"
    assert "12.0 GB of memory" in picking.words("suggestion_conditions")
    assert picking.button("suggestion_3").accessibleName() == "Download Qwen3 8B"
    assert picking.open("demo").local.suggestions.isVisible()


def test_suggestions_with_a_model_in_the_cache_or_another_open_are_hidden(
    picking: Picking, cache: Path, demo_model: Path
) -> None:
    picking.window.open_model("echo")
    assert not picking.first.isVisible()
    put_into(cache, "author/own", demo_model)
    picking.window.open_model(str(demo_model))
    picking.until(lambda: not picking.controller.tasks.is_running("suggestions"))
    assert not picking.first.isVisible()
    assert not picking.open("author/own").local.suggestions.isVisible()


def test_suggestions_download_shows_its_progress_in_place_of_the_offer(
    picking: Picking, started: list[str], transfers: Transfers
) -> None:
    strip = named(picking.window, DownloadStrip, "download_strip")
    picking.press("suggestion_2")
    assert started == [COURSE_MODEL.id]
    transfers.show(S.DOWNLOADING)
    assert picking.words("download_words") == "25 % of 2.00 MB · 250 kB/s · 6.00 s left"
    assert not picking.first.suggestions.isVisible() and not strip.isVisible()
    transfers.show(S.FAILED, failure=OFFLINE)
    assert picking.words("download_words") == "The hub can't be reached. Check the connection."
    assert not strip.isVisible(), "a failure is shown once"
    picking.press("download_go")
    assert started == [COURSE_MODEL.id] * 2
    picking.first.hide()
    picking.until(strip.isVisible)


@pytest.mark.parametrize("is_used", [False, True])
def test_suggestions_complete_model_is_opened_unless_the_open_one_was_used(
    picking: Picking, started: list[str], transfers: Transfers, cache: Path, demo_model: Path, is_used: bool
) -> None:
    picking.press("suggestion_2")
    if is_used:
        picking.window.send("Hello")
    snapshot = put_into(cache, COURSE_MODEL.id, demo_model)
    transfers.show(S.DONE, folder=snapshot)
    picking.window.until_phase(Phase.READY)
    picking.until(lambda: not picking.first.isVisible())
    model = picking.playground.state.model
    assert model is not None and model.folder == (demo_model if is_used else snapshot)
    assert transfers.removed == ([] if is_used else [COURSE_MODEL.id])
    if is_used:
        picking.until(named(picking.window, DownloadStrip, "download_strip").isVisible)
        picking.press("strip_open")
        picking.until(lambda: picking.playground.state.wanted == str(snapshot))
        picking.window.until_phase(Phase.READY)


def test_download_that_can_not_begin_is_shown_without_the_picker(picking: Picking) -> None:
    picking.controller.downloading.failed.emit(OFFLINE)
    assert OFFLINE.what in picking.words("notice_what")


def test_suggestions_hide_their_licenses_where_they_do_not_fit(qtbot: QtBot, theme: Theme) -> None:
    made = ModelSuggestions(theme)
    qtbot.addWidget(made)
    made.show_models(MODELS[:2], 12 * GB)
    made.resize(700, 200)
    made.show()
    texts = [named(made, QLabel, f"suggestion_license_{number}") for number in (1, 2, 3)]
    assert [text.isVisible() for text in texts] == [True, True, False], "there are only two models"
    made.resize(300, 200)
    assert not any(text.isVisible() for text in texts)
