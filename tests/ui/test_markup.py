"""What a model, a server or a file says is shown as it is written, wherever it can be read."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Failure, LoadRequest, Model, Server, ServerModel, Stopped
from app.files.settings import Settings
from app.library.types import DownloadJob, HubDetails, HubModel, LocalModel
from app.presets.preset import Preset
from app.presets.preset_store import PresetStore
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.picker.downloads import DownloadsList
from app.ui.picker.hub_page import HubPage
from app.ui.picker.local_page import LocalPage
from app.ui.picker.models_table import LocalRow
from app.ui.picker.servers_page import ServersPage
from app.ui.shell.main_window import MainWindow
from app.ui.widgets.notice_bar import NoticeBar
from tests.languages.said import name_of, texts_of
from tests.ui.desk import QUICK, Desk, act, make_pages, named
from tests.ui.hostile import AS_WRITTEN, FILE, MARK, TRACE, hostile, seen
from tests.ui.whole import DIALOGS, PANES

STRANGE = replace(QUICK, replies=(f"{MARK} `{MARK}`",), reasoning=MARK)
KEPT = Settings(
    presets=PresetStore((Preset(MARK),), MARK),
    servers=(Server("http://127.0.0.1:9/v1", MARK),),
    folders=(f"/models/{FILE}",),
)


class Stranger(EchoEngine):
    """All that it says of its model is somebody else's."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Stopped:
        loaded = super().load(request, emit, stop)
        strange = {"name": MARK, "architecture": MARK, "report": (MARK,), "folder": Path("/models") / FILE}
        return replace(loaded, **strange) if isinstance(loaded, Model) else loaded  # type: ignore[arg-type]


@pytest.fixture
def window(desk: Desk) -> MainWindow:
    """All its panes and windows, and strangers' words in every one of them."""
    made = desk.open(KEPT, STRANGE, engine=Stranger)
    desk.until(made, Phase.READY)
    for pane in PANES:
        if not act(made, f"toggle_{pane}").isChecked():
            act(made, f"toggle_{pane}").trigger()
    made.playground.set_controls(replace(made.playground.state.controls, system=MARK, observe=4))
    desk.send(made, MARK)
    desk.qtbot.waitUntil(lambda: act(made, "view_code").isEnabled())
    for dialog in DIALOGS:
        act(made, dialog).trigger()
    make_pages(made)
    fill(made)
    return made


def fill(window: MainWindow) -> None:
    """As the library, the hub and the servers tell it."""
    local, failure = hostile(LocalModel, shape=None), hostile(Failure)
    named(window, NoticeBar, "notice").show_failure(failure)
    page = named(window, LocalPage, "local_page")
    page.show_models((LocalRow(local, MARK, is_open=True),), local.folder)
    page.details.show_model(MARK, ((MARK, MARK),), MARK)
    hub = named(window, HubPage, "hub_page")
    hub.show_results((hostile(HubModel),))
    hub.show_details(hostile(HubDetails, shape=None))
    servers = named(window, ServersPage, "servers_page")
    servers.show_servers((Server("http://127.0.0.1:9/v1", MARK),), "http://127.0.0.1:9/v1")
    servers.show_models((hostile(ServerModel),))
    window.findChildren(DownloadsList)[0].show_jobs((hostile(DownloadJob),))


def test_what_strangers_write_is_no_markup_anywhere(window: MainWindow) -> None:
    places, wrong = set(), []
    for each in (window, *window.findChildren(QObject)):
        for what, text in texts_of(each):
            if TRACE.search(text):
                places.add(name_of(each))
                shown = seen(each, what, text)
                if len(AS_WRITTEN.findall(shown)) < len(TRACE.findall(text)):
                    wrong.append(f"{name_of(each)} {what}: {text!r} is seen as {shown!r}")
    assert "\n".join(wrong) == ""
    assert len(places) >= 25, sorted(places)
    for view in ("markdown", "plain", "mono", "tokens"):
        act(window, f"view_{view}").trigger()
        page = named(window, Transcript, "transcript").toPlainText()
        assert page.count(MARK) >= (2 if view == "markdown" else 3), "in Markdown prose an &amp; is a sign of its own"
        assert page.count(MARK.partition("&")[0]) >= 3, view


def test_a_label_that_takes_markup_is_found() -> None:
    label = QLabel(MARK)
    label.setObjectName("careless")
    (text,) = [text for what, text in texts_of(label) if what == "text"]
    assert not AS_WRITTEN.search(seen(label, "text", text))
