import dataclasses
import re
import types
import typing
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6 import QtGui
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QTextDocumentFragment
from PySide6.QtWidgets import QAbstractButton, QGroupBox, QLabel, QMenu, QTabBar

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Cancellation, Failure, LoadRequest, Model, Server, ServerModel
from app.files.settings import Settings
from app.library.types import DownloadJob, HubDetails, HubModel, LocalModel
from app.presets import Preset, PresetStore
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.picker.downloads import DownloadsList
from app.ui.picker.hub_page import HubPage
from app.ui.picker.local_page import LocalPage
from app.ui.picker.models_table import LocalRow
from app.ui.picker.servers_page import ServersPage
from app.ui.shell.main_window import MainWindow
from app.ui.widgets.notices import NoticeBar
from tests.languages.said import name_of, texts_of
from tests.ui.desk import QUICK, Desk, act, make_pages, named
from tests.ui.whole import DIALOGS, show_panes

MARK = "<b>zq1x</b>&amp;</s>"
FILE = "<b>zq1x&amp;<s>"
"""In the name of a file, which has no slash."""
AS_WRITTEN = re.compile(r"<b>zq1x(</b>&amp;</s>|&amp;<s>|\S{0,16}…)")
TRACE = re.compile(r"zq\S{0,4}1x", re.IGNORECASE)
UNSEEN = dict.fromkeys(map(ord, "\u200b\u2060"))
MNEMONIC = re.compile(r"&(.)")

might_be_rich: Callable[[str], bool] = QtGui.Qt.mightBeRichText
"""Qt's guess, with which it shows a text whose format isn't set."""
Value = TypeVar("Value")


def hostile(kind: type[Value], **known: object) -> Value:
    """One of this kind, with the mark for each text in it, at any depth."""
    hints = typing.get_type_hints(kind)
    fields = [each for each in dataclasses.fields(kind) if each.init and each.name not in known]  # type: ignore[arg-type]
    return kind(**{each.name: _value(hints[each.name]) for each in fields}, **known)


def _value(hint: Any) -> Any:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _value(next(part for part in parts if part is not type(None)))
    if origin is tuple:
        return (_value(parts[0]),) if parts[-1] is Ellipsis else tuple(map(_value, parts))
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return hostile(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    return {str: MARK, Path: Path("/models") / FILE, int: 1, float: 1.0, bool: True}[hint]


def seen(each: QObject, what: str, text: str) -> str:
    """What somebody sees who looks at this text, or who points at it: without the places where a line may be broken."""
    return _shown(each, what, text).translate(UNSEEN)


def _shown(each: QObject, what: str, text: str) -> str:
    match each, what:
        case (QLabel(), "text"):
            rich = each.textFormat() is Qt.TextFormat.AutoText and might_be_rich(text)
            return _rendered(text) if rich or each.textFormat() is Qt.TextFormat.RichText else text
        case (_, "tip" | "help" | "cell tip"):
            return _rendered(text) if might_be_rich(text) else text
        case (QAbstractButton() | QAction() | QGroupBox() | QMenu() | QTabBar(), "text" | "title" | "tab"):
            return MNEMONIC.sub(r"\1", text)
    return text


def _rendered(text: str) -> str:
    return QTextDocumentFragment.fromHtml(text).toPlainText()


STRANGE = replace(QUICK, replies=(f"{MARK} `{MARK}`",), reasoning=MARK)
KEPT = Settings(
    presets=PresetStore((Preset(MARK),), MARK),
    servers=(Server("http://127.0.0.1:9/v1", MARK),),
    folders=(f"/models/{FILE}",),
)


class Stranger(EchoEngine):
    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        loaded = super().load(request, emit, stop)
        strange = {"name": MARK, "architecture": MARK, "report": (MARK,), "folder": Path("/models") / FILE}
        return replace(loaded, **strange) if isinstance(loaded, Model) else loaded  # type: ignore[arg-type]


@pytest.fixture
def window(desk: Desk) -> MainWindow:
    """The main window with all panels and windows, and markup in each of their texts."""
    made = desk.open(KEPT, STRANGE, engine=Stranger)
    desk.until(made, Phase.READY)
    show_panes(made)
    made.playground.set_controls(replace(made.playground.state.controls, system=MARK, observe=4))
    desk.send(made, MARK)
    desk.qtbot.waitUntil(lambda: act(made, "view_code").isEnabled())
    for dialog in DIALOGS:
        act(made, dialog).trigger()
    make_pages(made)
    fill(made)
    return made


def fill(window: MainWindow) -> None:
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


@pytest.mark.slow
def test_foreign_texts_are_never_markup(window: MainWindow) -> None:
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
