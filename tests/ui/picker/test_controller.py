"""The picker's controller: folders, deleting, draft models, models that wait for a run, downloads, the keychain."""

import shutil
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QComboBox, QLabel, QSpinBox

from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.types import LoadRequest, Memory
from app.files.settings import Settings
from app.library import cached, drafts_and_adapters, keychain
from app.library.types import DraftChoice, FolderChoice
from app.state import Phase
from app.ui.look.theme import Theme
from app.ui.picker import controller_downloads
from tests.late import held_back
from tests.patience import WAIT_S
from tests.ui.alone import Alone
from tests.ui.desk import named
from tests.ui.dropping import drop, offered
from tests.ui.picker.picking import Picking

SLOW = partial(EchoEngine, EchoOptions(tokens_per_second=5, prefill_per_second=0, load_seconds=0))


@pytest.fixture
def picking(alone: Alone, theme: Theme, tmp_path: Path, demo_model: Path, cache: Path) -> Picking:
    """The bundled models, an empty cache, and a folder for data."""
    return Picking(alone, theme, tmp_path / "data", demo_model.parent)


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


def test_picker_folder_of_models_is_listed_saved_and_removed(picking: Picking, mine: Path) -> None:
    picking.controller.take_folder(mine)
    picking.until(lambda: {"one", "two", "demo"} <= set(picking.names))
    assert picking.dialog.isVisible() and picking.chosen == "one"
    assert picking.controller.updated_settings(Settings()).folders == (str(mine),)
    picking.press("delete_model")
    picking.until(lambda: "one" not in picking.names)
    assert "Removed from the list" in picking.words("delete_question_words")
    assert named(picking.window, QLabel, "delete_question_words").isVisible()
    assert (mine / "one" / "config.json").is_file(), "a folder of the user's is never deleted"
    assert picking.controller.updated_settings(Settings()).folders == ()


def test_picker_dropped_folder_is_inspected_on_a_thread(
    picking: Picking, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be on a network disk that hangs."""
    is_dir = Path.is_dir
    dialog = picking.open("demo")
    checked: list[Path] = []

    def look(path: Path) -> bool:
        if threading.current_thread() is threading.main_thread():
            checked.append(path)
        return is_dir(path)

    monkeypatch.setattr(Path, "is_dir", look)
    wanted, file = picking.playground.state.wanted, mine / "file"
    file.touch()
    assert drop(dialog, offered(file, mine))
    picking.until(lambda: "one" in picking.names)
    assert mine not in checked
    assert picking.playground.state.wanted == wanted, "only folders are taken"


def test_picker_folder_of_one_model_is_opened_and_listed(
    picking: Picking, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()))
    picking.controller.take_folder(mine / "two")
    picking.until(lambda: picking.playground.state.wanted == str(mine / "two"))
    picking.window.until_phase(Phase.READY)
    assert picking.folders.names == (str(mine / "two"),)
    picking.open("two")
    assert picking.chosen == "two"
    picking.press("show_in_files")
    assert shown == [str(mine / "two")]
    picking.until(lambda: mine / "two" in cached.read_last_used(tmp_path / "data"))


def test_picker_delete_asks_first_and_shows_what_it_frees(
    picking: Picking, cache: Path, demo_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dismissed: list[str] = []
    monkeypatch.setattr(
        "app.library.download_queue.Downloads.remove_finished", lambda _, model_id: dismissed.append(model_id)
    )
    snapshot = put_into(cache, "author/gone", demo_model)
    question = picking.open("author/gone").local.question
    picking.choose("author/gone")
    picking.press("delete_model")
    picking.until(lambda: question.asking)
    assert "MB" in picking.words("delete_question_words")
    picking.press("delete_question_no")
    assert snapshot.is_dir()
    picking.press("delete_model")
    picking.until(lambda: question.asking)
    picking.press("delete_question_yes")
    picking.until(lambda: "author/gone" not in picking.names)
    assert not snapshot.exists()
    assert "were freed" in picking.words("delete_question_words")
    picking.until(lambda: dismissed == ["author/gone"])
    put_into(cache, "author/gone", demo_model)
    picking.open("author/gone")
    picking.choose("author/gone")
    shutil.rmtree(cache / "models--author--gone")
    picking.press("delete_model")
    picking.until(lambda: "author/gone" not in picking.names)
    assert picking.words("delete_question_words") == "“author/gone” is no longer in the cache."


def test_picker_delete_of_a_model_opened_meanwhile_is_refused(picking: Picking, cache: Path, demo_model: Path) -> None:
    snapshot = put_into(cache, "author/model", demo_model)
    question = picking.open("author/model").local.question
    picking.choose("author/model")
    picking.press("delete_model")
    picking.until(lambda: question.asking)
    picking.playground.load(LoadRequest(str(snapshot)))
    question.confirmed.emit()  # Yes was pressed in that moment
    picking.until(lambda: "It is in use" in picking.words("delete_question_words"))
    assert snapshot.is_dir()
    picking.window.until_phase(Phase.READY)
    picking.until(lambda: "in use" in picking.button("delete_model").toolTip())
    assert not picking.button("delete_model").isEnabled()


@pytest.mark.parametrize("engine", [SLOW])
def test_picker_during_a_run_shows_why_no_model_opens(picking: Picking, mine: Path) -> None:
    picking.playground.send("Hello")
    picking.controller.take_folder(mine / "two")
    picking.until(lambda: "two" in picking.names and "A run is in progress" in picking.words("delete_question_words"))
    assert picking.dialog.local.isVisible() and picking.chosen == "two"
    button = picking.button("open_chosen")
    assert not button.isEnabled() and "A run is in progress" in button.toolTip()
    picking.playground.stop()
    picking.window.until_phase(Phase.READY)
    button.click()
    assert picking.playground.state.wanted == str(mine / "two")
    assert not picking.dialog.isVisible()
    picking.window.until_phase(Phase.READY)


@pytest.mark.slow
def test_picker_for_a_draft_lists_compatible_models_and_loads_one(
    picking: Picking, demo_model: Path, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[LoadRequest] = []
    picking.playground.load(LoadRequest(str(demo_model)))
    picking.window.until_phase(Phase.READY)

    def load(request: LoadRequest) -> bool:
        asked.append(request)
        return True

    monkeypatch.setattr(picking.playground, "load", load)
    picking.controller.choose_draft()
    picking.until(lambda: picking.names == ["demo-draft"])
    picking.folders.add(mine)
    picking.until(lambda: "two" in picking.names)
    assert "Draft models for" in picking.words("local_words")
    assert picking.chosen == "demo-draft", "a model that comes later changes no choice"
    picking.until(picking.button("use_as_draft").isEnabled)
    picking.press("use_as_draft")
    assert not picking.dialog.isVisible()
    assert [(each.model, Path(each.draft or "").name) for each in asked] == [(str(demo_model), "demo-draft")]


def test_picker_opened_for_a_model_ignores_a_late_list_of_drafts(
    picking: Picking, demo_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picking.playground.load(LoadRequest(str(demo_model)))
    picking.window.until_phase(Phase.READY)
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    def slow(*asked: Any) -> tuple[DraftChoice, ...]:
        begun.set()
        assert go_on.wait(WAIT_S)
        ended.set()
        return suiting(*asked)

    suiting = drafts_and_adapters.drafts_for
    monkeypatch.setattr(drafts_and_adapters, "drafts_for", slow)
    picking.controller.choose_draft()
    picking.until(begun.is_set)
    picking.open("demo", "demo-draft")
    go_on.set()
    picking.until(lambda: ended.is_set() and not picking.controller.tasks.count)
    assert set(picking.names) == {"demo", "demo-draft"}


def test_picker_new_list_keeps_the_chosen_model_and_its_adapter(
    picking: Picking, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[LoadRequest] = []
    known = FolderChoice("mine", tmp_path / "adapter")
    monkeypatch.setattr(drafts_and_adapters, "adapters_for", lambda *_: (known,))
    picking.open("demo")
    picking.choose("demo")
    box = named(picking.window, QComboBox, "adapter")
    picking.until(lambda: box.findText("mine") > 0)
    box.setCurrentIndex(box.findText("mine"))
    box.activated.emit(box.currentIndex())
    picking.controller.downloading.arrived.emit(tmp_path / "whole")
    picking.folders.add(mine)
    picking.until(lambda: "two" in picking.names)
    monkeypatch.setattr(picking.playground, "load", asked.append)
    picking.press("open_chosen")
    assert [(Path(each.model).name, each.adapter) for each in asked] == [("demo", str(known.folder))]


def test_picker_downloaded_model_is_chosen_while_another_page_is_shown(
    picking: Picking, cache: Path, demo_model: Path
) -> None:
    dialog = picking.open("demo")
    dialog.open_at(dialog.hub)
    picking.controller.downloading.arrived.emit(put_into(cache, "author/new", demo_model))
    picking.until(lambda: "author/new" in picking.names)
    assert picking.chosen == "author/new"


def test_picker_model_shown_as_too_large_is_loaded_anyway(picking: Picking, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[LoadRequest] = []
    monkeypatch.setattr(picking.playground, "load", asked.append)
    page = picking.open("demo").local
    picking.choose("demo")
    picking.press("open_chosen")
    picking.playground.measured.emit(Memory(0, 0, 0, 1_000_000, 0, 0, device="H200"))
    assert named(page, QLabel, "fit_bytes_limit").toolTip().startswith("H200: recommended")
    picking.press("open_chosen")
    assert [request.anyway for request in asked] == [False, True]
    context = named(page, QSpinBox, "fit_context")
    context.setValue(context.value() - 1)
    assert named(page, QLabel, "fit_verdict").text() == "Won't fit"


def test_picker_unreadable_downloads_are_an_error_on_the_page(
    picking: Picking, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise PermissionError("not yours")

    monkeypatch.setattr("app.library.download_queue.Downloads", fail)
    picking.open("demo")
    picking.until(lambda: any("operation failed" in each.text() for each in picking.window.findChildren(QLabel)))


Started = list[tuple[str, str | None]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """The downloads that would be started, with their tokens."""
    orders: Started = []
    monkeypatch.setattr(keychain, "unavailable", str)
    monkeypatch.setattr(controller_downloads.DownloadsController, "start", lambda _, *order: orders.append(order))
    return orders


def test_picker_hub_page_shown_reads_the_keychain_once(
    picking: Picking, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []

    def read() -> str:
        reads.append("read")
        return "hf_stored"

    monkeypatch.setattr(keychain, "read", read)
    dialog = picking.open("demo")
    assert reads == [], "local models need no token"
    dialog.open_at(dialog.hub)
    picking.until(picking.button("keep_token").isChecked)
    dialog.downloads.resume_wanted.emit("big/gated")
    picking.until(lambda: started == [("big/gated", "hf_stored")])
    assert reads == ["read"]


def test_picker_download_waiting_for_the_keychain_can_be_cancelled(
    picking: Picking, started: Started, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """The keychain may ask the user for a password."""
    may_read, read = held_back(lambda: "hf_stored")
    request.addfinalizer(may_read.set)
    monkeypatch.setattr(keychain, "read", read)
    downloads = picking.open("demo").downloads
    for each in ("a/first", "a/second"):
        downloads.resume_wanted.emit(each)
    picking.until(lambda: len(downloads.findChildren(QLabel, "download_words")) == 2)
    asking = [f"Asking the {keychain.name()} …"] * 2
    assert [each.text() for each in downloads.findChildren(QLabel, "download_words")] == asking
    downloads.cancel_wanted.emit("a/first")
    assert [job.model_id for job in picking.controller.downloading.jobs] == ["a/second"]
    may_read.set()
    picking.until(lambda: started == [("a/second", "hf_stored")])
