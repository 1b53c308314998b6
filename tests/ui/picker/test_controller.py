"""The picker in the window, on the scripted engine: folders, deleting, drafts, what waits for a run, what is kept."""

import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDialog, QLabel, QSpinBox, QWidget

from app.engine.echo.engine import Knobs
from app.engine.types import LoadRequest, Memory
from app.library import adapters, drafts, keychain, used
from app.library.fit import fit_of, system_memory
from app.library.types import DraftChoice, FolderChoice
from app.settings import Settings
from app.state import Phase
from app.ui.picker import controller_downloads
from app.ui.picker.dialog import ModelPicker
from app.ui.picker.models_table import ModelTable
from app.ui.shell.main_window import MainWindow
from app.ui.shell.places import Places
from tests.patience import WAIT_S
from tests.ui.desk import Desk, act, named


@pytest.fixture
def places(tmp_path: Path, demo_model: Path, cache: Path, desk: Desk) -> Places:
    """The bundled models, an empty cache, and a folder for data."""
    desk.places = Places(tmp_path / "data", demo_model.parent)
    return desk.places


@pytest.fixture
def mine(tmp_path: Path, demo_model: Path) -> Path:
    """A folder with two models of the user's."""
    for name in ("one", "two"):
        shutil.copytree(demo_model, tmp_path / "mine" / name)
    return tmp_path / "mine"


def put_into(cache: Path, name: str, model: Path) -> Path:
    """A model in the Hugging Face cache, as its client would leave it."""
    repository = cache / f"models--{name.replace('/', '--')}"
    commit = "c" * 40
    snapshot = repository / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    (repository / "blobs").mkdir()
    for number, file in enumerate(sorted(model.iterdir())):
        blob = repository / "blobs" / f"{number:040x}"
        shutil.copy(file, blob)
        (snapshot / file.name).symlink_to(Path("..", "..", "blobs", blob.name))
    return snapshot


def drop(onto: MainWindow | ModelPicker, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    onto.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, button, keys))


def names(window: MainWindow) -> list[str]:
    table = window.findChild(ModelTable, "local_models")
    if table is None:
        return []
    return [table.model().index(row, 0).data() for row in range(table.model().rowCount())]


def choose(window: MainWindow, name: str) -> None:
    """Put the keyboard on the row of this model."""
    table = named(window, ModelTable, "local_models")
    table.selectRow(names(window).index(name))


def opened(desk: Desk, window: MainWindow, *expected: str) -> None:
    """Open the picker, and wait for what it finds."""
    act(window, "open_model").trigger()
    desk.qtbot.waitUntil(lambda: set(expected) <= set(names(window)))


def test_a_folder_of_models_is_listed_kept_and_taken_off(desk: Desk, places: Places, mine: Path) -> None:
    window = desk.ready()
    drop(window, mine)
    desk.qtbot.waitUntil(lambda: {"one", "two", "demo"} <= set(names(window)))
    picker = named(window, ModelPicker, "model_picker")
    assert picker.isVisible()
    assert picker.local.model is not None and picker.local.model.name == "one"
    named(window, QAbstractButton, "delete_model").click()
    desk.qtbot.waitUntil(lambda: "one" not in names(window))
    assert "taken off the list" in named(window, QLabel, "delete_question_words").text()
    assert named(window, QLabel, "delete_question_words").isVisible()
    assert (mine / "one" / "config.json").is_file(), "a folder of the user's is never deleted"
    drop(picker, mine)
    desk.qtbot.waitUntil(lambda: "one" in names(window))
    window.close()
    assert desk.kept[0].folders == (str(mine),)
    again = desk.ready(desk.kept[0])
    opened(desk, again, "one", "two")


def test_what_is_dropped_on_the_picker_is_looked_at_on_another_thread(
    desk: Desk, places: Places, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its disk may be one of the network's that hangs."""
    window, is_dir = desk.ready(), Path.is_dir
    opened(desk, window, "demo")
    looked: list[Path] = []

    def look(path: Path) -> bool:
        if threading.current_thread() is threading.main_thread():
            looked.append(path)
        return is_dir(path)

    monkeypatch.setattr(Path, "is_dir", look)
    wanted, file = window.playground.state.wanted, mine / "file"
    file.touch()
    drop(named(window, ModelPicker, "model_picker"), file, mine)
    desk.qtbot.waitUntil(lambda: "one" in names(window))
    assert mine not in looked
    assert window.playground.state.wanted == wanted, "only folders are taken"


def test_a_dropped_model_is_opened_and_listed(desk: Desk, places: Places, mine: Path) -> None:
    window = desk.ready()
    drop(window, mine / "two")
    desk.qtbot.waitUntil(lambda: window.playground.state.wanted == str(mine / "two"))
    desk.until(window, Phase.READY)
    assert window._features.folders.kept == (str(mine / "two"),)
    opened(desk, window, "two")
    assert named(window, ModelPicker, "model_picker").local.model is not None
    desk.qtbot.waitUntil(lambda: mine / "two" in used.read(places.data))


def test_deleting_says_what_it_frees_and_asks_once(desk: Desk, places: Places, cache: Path, demo_model: Path) -> None:
    snapshot = put_into(cache, "author/gone", demo_model)
    window = desk.ready()
    opened(desk, window, "author/gone")
    choose(window, "author/gone")
    picker = named(window, ModelPicker, "model_picker")
    named(window, QAbstractButton, "delete_model").click()
    desk.qtbot.waitUntil(lambda: picker.local.question.asking)
    assert "MB" in named(window, QLabel, "delete_question_words").text()
    assert snapshot.is_dir(), "nothing has happened yet"
    named(window, QAbstractButton, "delete_question_no").click()
    assert snapshot.is_dir()
    named(window, QAbstractButton, "delete_model").click()
    desk.qtbot.waitUntil(lambda: picker.local.question.asking)
    named(window, QAbstractButton, "delete_question_yes").click()
    desk.qtbot.waitUntil(lambda: "author/gone" not in names(window))
    assert not snapshot.exists()
    assert "are free again" in named(window, QLabel, "delete_question_words").text()


def test_the_picker_opens_during_a_run_and_opening_waits(desk: Desk, places: Places) -> None:
    window = desk.ready(knobs=Knobs(tokens_per_second=5, prefill_per_second=0, load_seconds=0))
    window.playground.send("Hello")
    opened(desk, window, "demo")
    choose(window, "demo")
    button = named(window, QAbstractButton, "open_chosen")
    assert not button.isEnabled()
    assert "A run is going on" in button.toolTip()
    window.playground.stop()
    desk.until(window, Phase.READY)
    assert button.isEnabled()
    button.click()
    assert window.playground.state.wanted.endswith("demo")
    assert not named(window, QDialog, "model_picker").isVisible()
    desk.until(window, Phase.READY)


def test_a_draft_is_chosen_among_those_that_suit(desk: Desk, places: Places, demo_model: Path) -> None:
    window = desk.ready()
    window.playground.load(LoadRequest(str(demo_model)))
    desk.until(window, Phase.READY)
    named(window, QAbstractButton, "more_controls").click()
    named(window, QAbstractButton, "browse_drafts").click()
    desk.qtbot.waitUntil(lambda: names(window) == ["demo-draft"])
    use = named(window, QAbstractButton, "use_as_draft")
    desk.qtbot.waitUntil(use.isEnabled)
    asked: list[str] = []
    window.playground.changed.connect(lambda old, new: asked.append(new.wanted))
    use.click()
    assert not named(window, QDialog, "model_picker").isVisible()
    assert asked[-1] == str(demo_model)
    desk.until(window, Phase.READY)


def test_a_draft_is_still_chosen_when_a_model_arrives(desk: Desk, places: Places, demo_model: Path, mine: Path) -> None:
    window = desk.ready()
    window.playground.load(LoadRequest(str(demo_model)))
    desk.until(window, Phase.READY)
    window._features.picker.choose_draft()
    desk.qtbot.waitUntil(lambda: names(window) == ["demo-draft"])
    window._features.folders.add(mine)
    desk.qtbot.waitUntil(lambda: "two" in names(window))
    assert "Draft models for" in named(window, QLabel, "local_words").text()
    page = named(window, ModelPicker, "model_picker").local
    assert page.model is not None and page.model.name == "demo-draft", "nobody chose another"


def test_what_suits_as_a_draft_is_not_shown_to_whoever_opens_a_model(
    desk: Desk, places: Places, demo_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = desk.ready()
    window.playground.load(LoadRequest(str(demo_model)))
    desk.until(window, Phase.READY)
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def slow(*asked: Any) -> tuple[DraftChoice, ...]:
        begun.set()
        assert go_on.wait(WAIT_S)
        ended.set()
        return suiting(*asked)

    suiting = drafts.drafts_for
    monkeypatch.setattr(drafts, "drafts_for", slow)
    window._features.picker.choose_draft()
    desk.qtbot.waitUntil(begun.is_set)
    opened(desk, window, "demo", "demo-draft")
    go_on.set()
    desk.qtbot.waitUntil(lambda: ended.is_set() and not window._features.picker._tasks.going_on)
    assert set(names(window)) == {"demo", "demo-draft"}


def test_a_new_list_takes_away_neither_the_choice_nor_its_adapter(
    desk: Desk, places: Places, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is about to press Open opens what he chose."""
    asked: list[LoadRequest] = []
    known = FolderChoice("mine", tmp_path / "adapter")
    monkeypatch.setattr(adapters, "adapters_for", lambda *_: (known,))
    window = desk.ready()
    opened(desk, window, "demo")
    choose(window, "demo")
    box = named(window, QComboBox, "adapter")
    desk.qtbot.waitUntil(lambda: box.findText("mine") > 0)
    box.setCurrentIndex(box.findText("mine"))
    box.activated.emit(box.currentIndex())
    window._features.picker.downloading.arrived.emit(tmp_path / "whole")
    window._features.folders.add(mine)
    desk.qtbot.waitUntil(lambda: "two" in names(window))
    monkeypatch.setattr(window.playground, "load", asked.append)
    named(window, QAbstractButton, "open_chosen").click()
    assert [(Path(each.model).name, each.adapter) for each in asked] == [("demo", str(known.folder))]


def test_what_arrived_is_chosen_where_nobody_is_choosing(
    desk: Desk, places: Places, cache: Path, demo_model: Path
) -> None:
    window = desk.ready()
    opened(desk, window, "demo")
    picker = named(window, ModelPicker, "model_picker")
    picker.open_at(picker.hub)
    window._features.picker.downloading.arrived.emit(put_into(cache, "author/new", demo_model))
    desk.qtbot.waitUntil(lambda: "author/new" in names(window))
    assert picker.local.model is not None and picker.local.model.name == "author/new"


def test_what_is_opened_meanwhile_is_not_deleted(desk: Desk, places: Places, cache: Path, demo_model: Path) -> None:
    snapshot = put_into(cache, "author/model", demo_model)
    window = desk.ready()
    opened(desk, window, "author/model")
    choose(window, "author/model")
    delete = named(window, QAbstractButton, "delete_model")
    delete.click()
    question = named(window, ModelPicker, "model_picker").local.question
    desk.qtbot.waitUntil(lambda: question.asking)
    window.playground.load(LoadRequest(str(snapshot)))
    question.confirmed.emit()  # the very press
    words = named(window, QLabel, "delete_question_words")
    desk.qtbot.waitUntil(lambda: "It is in use" in words.text())
    assert snapshot.is_dir()
    desk.until(window, Phase.READY)
    desk.qtbot.waitUntil(lambda: "in use" in delete.toolTip())
    assert not delete.isEnabled()


def test_a_model_that_somebody_else_has_deleted_leaves_the_list(
    desk: Desk, places: Places, cache: Path, demo_model: Path
) -> None:
    put_into(cache, "author/gone", demo_model)
    window = desk.ready()
    opened(desk, window, "author/gone")
    choose(window, "author/gone")
    shutil.rmtree(cache / "models--author--gone")
    named(window, QAbstractButton, "delete_model").click()
    desk.qtbot.waitUntil(lambda: "author/gone" not in names(window))
    words = named(window, QLabel, "delete_question_words")
    assert words.isVisible() and words.text() == "“author/gone” is not in the cache any more."


def test_a_deleted_model_is_no_longer_said_to_have_arrived(
    desk: Desk, places: Places, cache: Path, demo_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dismissed: list[str] = []
    monkeypatch.setattr("app.library.download.Downloads.dismiss", lambda _, model_id: dismissed.append(model_id))
    put_into(cache, "author/gone", demo_model)
    window = desk.ready()
    opened(desk, window, "author/gone")
    choose(window, "author/gone")
    named(window, QAbstractButton, "delete_model").click()
    question = named(window, ModelPicker, "model_picker").local.question
    desk.qtbot.waitUntil(lambda: question.asking)
    named(window, QAbstractButton, "delete_question_yes").click()
    desk.qtbot.waitUntil(lambda: dismissed == ["author/gone"])


def test_what_can_not_be_opened_now_is_shown_with_the_reason(desk: Desk, places: Places, mine: Path) -> None:
    window = desk.ready(knobs=Knobs(tokens_per_second=5, prefill_per_second=0, load_seconds=0))
    window.playground.send("Hello")
    drop(window, mine / "two")
    desk.qtbot.waitUntil(lambda: "two" in names(window))
    words = named(window, QLabel, "delete_question_words")
    desk.qtbot.waitUntil(lambda: "A run is going on" in words.text())
    page = named(window, ModelPicker, "model_picker").local
    assert page.isVisible() and page.model is not None and page.model.name == "two"
    window.playground.stop()
    desk.until(window, Phase.READY)


def test_the_folder_of_a_model_is_shown(
    desk: Desk, places: Places, demo_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()))
    window = desk.ready()
    opened(desk, window, "demo")
    choose(window, "demo")
    named(window, QAbstractButton, "show_in_files").click()
    assert shown == [str(demo_model)]


def test_a_window_may_close_while_it_looks(desk: Desk, places: Places) -> None:
    window = desk.ready()
    act(window, "open_model").trigger()
    window.close()
    assert not named(window, QWidget, "model_picker").isVisible()


def test_settings_of_before_have_no_folders(desk: Desk, places: Places) -> None:
    assert desk.ready(Settings())._features.folders.kept == ()


def test_without_a_word_from_the_device_the_memory_of_the_machine_counts() -> None:
    assert fit_of(0, None, 4096, 0) is None
    told, untold = fit_of(1000, None, 4096, 5_000), fit_of(1000, None, 4096, 0)
    assert told is not None and told.limit == 5_000
    assert untold is not None and untold.limit == system_memory() > 10**8


def test_what_was_told_not_to_fit_is_loaded_all_the_same(
    desk: Desk, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[LoadRequest] = []
    window = desk.ready()
    monkeypatch.setattr(window.playground, "load", asked.append)
    opened(desk, window, "demo")
    choose(window, "demo")
    open_it = named(window, QAbstractButton, "open_chosen")
    open_it.click()
    window.playground.measured.emit(Memory(0, 0, 0, 1_000_000, 0, 0))
    open_it.click()
    assert [request.anyway for request in asked] == [False, True]
    page = named(window, ModelPicker, "model_picker").local
    context, verdict = page.findChild(QSpinBox, "fit_context"), page.findChild(QLabel, "fit_verdict")
    assert context is not None and verdict is not None
    context.setValue(context.value() - 1)
    assert verdict.text() == "Won't fit"


def test_downloads_that_can_not_be_looked_at_are_told_in_place(
    desk: Desk, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise PermissionError("not yours")

    monkeypatch.setattr("app.library.download.Downloads", fail)
    window = desk.ready()
    opened(desk, window, "demo")

    def told() -> bool:
        words = window.findChild(QLabel, "hub_words")
        return words is not None and "could not be done" in words.text()

    desk.qtbot.waitUntil(told)


def test_the_keychain_is_asked_when_its_token_may_be_needed(
    desk: Desk, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    started: list[tuple[str, str | None]] = []

    def read() -> str:
        asked.append("read")
        return "hf_kept"

    monkeypatch.setattr(keychain, "unavailable", str)
    monkeypatch.setattr(keychain, "read", read)
    monkeypatch.setattr(controller_downloads.DownloadsController, "start", lambda _, *order: started.append(order))
    window = desk.ready()
    opened(desk, window, "demo")
    assert asked == [], "the models of this machine need no token"
    picker = named(window, ModelPicker, "model_picker")
    picker.downloads.resume_wanted.emit("big/gated")
    desk.qtbot.waitUntil(lambda: started == [("big/gated", "hf_kept")])
    picker.open_at(picker.hub)
    assert named(window, QAbstractButton, "keep_token").isChecked()
    assert asked == ["read"]


def test_a_download_is_seen_while_the_keychain_is_asked_and_can_be_called_off(
    desk: Desk, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may wait for a password that somebody has to type."""
    started: list[tuple[str, str | None]] = []
    gate = threading.Event()

    def read() -> str:
        assert gate.wait(WAIT_S)
        return "hf_kept"

    monkeypatch.setattr(keychain, "unavailable", str)
    monkeypatch.setattr(keychain, "read", read)
    monkeypatch.setattr(controller_downloads.DownloadsController, "start", lambda _, *order: started.append(order))
    window = desk.ready()
    opened(desk, window, "demo")
    downloads = named(window, ModelPicker, "model_picker").downloads
    for each in ("a/first", "a/second"):
        downloads.resume_wanted.emit(each)
    desk.qtbot.waitUntil(lambda: len(downloads.findChildren(QLabel, "download_words")) == 2)
    asking = [f"Asking the {keychain.name()} …"] * 2
    assert [each.text() for each in downloads.findChildren(QLabel, "download_words")] == asking
    downloads.cancel_wanted.emit("a/first")
    assert [job.model_id for job in window.downloading.jobs] == ["a/second"]
    gate.set()
    desk.qtbot.waitUntil(lambda: started == [("a/second", "hf_kept")])


def test_the_keychain_is_asked_when_the_page_of_the_hub_comes_up(
    desk: Desk, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keychain, "unavailable", lambda: "it is only pretended")
    window = desk.ready()
    opened(desk, window, "demo")
    picker = named(window, ModelPicker, "model_picker")
    picker.open_at(picker.hub)
    words = named(window, QLabel, "token_words")
    desk.qtbot.waitUntil(lambda: "it is only pretended." in words.text())
