"""The page of the set on the echo engine: open, drop, refuse, preview."""

import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag
from app.engine.types import (
    Cancellation,
    Capabilities,
    ChatPrompt,
    ExactPrompt,
    Failure,
    LoadRequest,
    Model,
    PromptSource,
    Reason,
)
from app.evaluation.types import PromptSet, Template
from app.ui.evaluation.rows import TOKENS
from app.ui.evaluation.set_page import SetPage
from app.ui.look.theme import Theme
from app.ui.study_window import StudyWindow
from tests.patience import WAIT_S
from tests.ui.alone import Alone
from tests.ui.desk import QUICK, named
from tests.ui.dropping import drop, offered
from tests.ui.evaluation.room import Room

MANY = 10_000
TABLE = "question,answer\nWhat is 3 + 4?,7\nWhat is 12 + 8?,20\n"


class Untold(EchoEngine):
    """Its model has no chat template, so it takes no conversation."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        loaded = super().load(request, emit, stop)
        return replace(loaded, can=Capabilities(chat=False)) if isinstance(loaded, Model) else loaded

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        return Failure("No template.", "") if isinstance(source, ChatPrompt) else super().render(source)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "sums.csv"
    file.write_text(TABLE, "utf-8")
    return file


def test_window_begins_with_open_file(room: Room) -> None:
    assert room.view.focusWidget() is room.button("sets_file")
    start = room.button("sets_start")
    assert not start.isEnabled() and start.toolTip() == "Run every row with every variant"


def test_dropped_file_is_opened_and_previewed(room: Room, table: Path) -> None:
    assert drop(room.view, offered(table))
    room.until(lambda: room.label("sets_title") == "sums · 2 rows")
    assert named(room.view, QPlainTextEdit, "sets_prompt").toPlainText() == "{question}"
    room.until(lambda: "What is 3 + 4?" in room.text("sets_preview"))
    room.rows.setCurrentIndex(room.rows.model().index(1, 0))
    room.until(lambda: "What is 12 + 8?" in room.text("sets_preview"))
    assert room.button("sets_start").isEnabled()


def test_preview_and_counts_include_the_system_prompt(room: Room, table: Path) -> None:
    room.take(table)
    room.until(lambda: all(row[1] for row in room.cells("sets_rows")))
    before = [row[1] for row in room.cells("sets_rows")]
    room.set_controls(system="Answer in Latin, and briefly.")
    room.until(lambda: "Answer in Latin" in room.text("sets_preview") and "What is 3 + 4?" in room.text("sets_preview"))
    cells = partial(room.cells, "sets_rows")
    room.until(lambda: all(int(row[1] or 0) > int(was) for row, was in zip(cells(), before, strict=True)))


@pytest.mark.parametrize("engine", [partial(Untold, QUICK)])
def test_preview_without_chat_template_is_raw(room: Room, table: Path) -> None:
    room.take(table)
    room.until(lambda: all(row[1] for row in room.cells("sets_rows")))
    assert all(row[1].isdigit() for row in room.cells("sets_rows")), "each can be sent"
    room.until(lambda: room.text("sets_preview") == "What is 3 + 4?")
    assert not room.label("sets_template_wrong")
    (first, _) = room.run().answers
    assert first.reason is not Reason.ERROR


def test_start_is_disabled_until_the_set_is_shown(room: Room, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, let = threading.Event(), threading.Event()

    def looked_up(*given: object) -> None:
        asked.set()
        assert let.wait(WAIT_S)

    monkeypatch.setattr("app.ui.evaluation.set_opener.earlier", looked_up)
    assert drop(room.view, offered(table))
    room.until(asked.is_set)
    assert not room.button("sets_start").isEnabled() and not room.label("sets_title")
    let.set()
    room.until(room.button("sets_start").isEnabled)
    assert room.label("sets_title") == "sums · 2 rows"


@pytest.mark.parametrize("content", [b"\x00\x01\xff" * 99, b"", b'{"a": ' * 5_000], ids=["bytes", "empty", "nested"])
def test_invalid_file_is_refused_and_the_set_stays(room: Room, table: Path, tmp_path: Path, content: bytes) -> None:
    room.take(table)
    wrong = tmp_path / "wrong.json"
    wrong.write_bytes(content)
    assert drop(room.view, offered(wrong))
    room.until(lambda: bool(room.label("sets_trouble")))
    assert room.label("sets_trouble").endswith(".") and "Traceback" not in room.label("sets_trouble")
    assert room.label("sets_title") == "sums · 2 rows"


def test_markup_in_a_set_is_plain_text(room: Room, tmp_path: Path) -> None:
    room.take(tmp_path / "odd.csv", 'prompt\n"<img src=x><b>bold</b>"\n')
    room.until(lambda: "<b>bold</b>" in room.text("sets_preview"))
    assert room.cells("sets_rows")[0][-1] == "<img src=x><b>bold</b>"


def test_template_with_unknown_column_does_not_start(room: Room, table: Path) -> None:
    room.take(table)
    named(room.view, QPlainTextEdit, "sets_prompt").setPlainText("{nowhere}")
    room.until(lambda: "nowhere" in room.label("sets_template_wrong"))
    room.button("sets_start").click()
    assert "nowhere" in room.label("sets_trouble")
    assert not room.view.foot.is_running


def test_chip_inserts_its_column(room: Room, table: Path) -> None:
    room.take(table)
    prompt = named(room.view, QPlainTextEdit, "sets_prompt")
    prompt.setPlainText("")
    room.button("sets_chip_1").click()
    assert prompt.toPlainText() == "{answer}"


@pytest.mark.parametrize("engine", [partial(EchoEngine, replace(QUICK, context=64))])
def test_row_without_room_for_an_answer_is_marked(room: Room, tmp_path: Path) -> None:
    room.take(tmp_path / "long.csv", f"prompt\nshort\n{'word ' * 300}\n")
    room.until(lambda: all(row[1] for row in room.cells("sets_rows")))
    short_one, long_one = room.cells("sets_rows")
    assert "too long" not in short_one[1] and long_one[1].endswith("too long")
    model = room.rows._rows
    tokens = next(each for each in model.columns if each.name == TOKENS)
    assert model.color(0, tokens) is None and model.color(1, tokens) is not None


def test_table_of_ten_thousand_rows_makes_and_repaints_visible_cells(qtbot: QtBot, theme: Theme, alone: Alone) -> None:
    made: set[int] = set()

    class Watched(tuple[str, ...]):
        def __getitem__(self, position: object) -> str:  # type: ignore[override]
            made.add(int(tuple.__getitem__(self, 1)))
            return str(tuple.__getitem__(self, position))  # type: ignore[call-overload]

    rows = [Watched((f"row {at}", str(at))) for at in range(MANY)]
    prompts = PromptSet("many", ("prompt", "place"), rows, Template(), "d")
    window = StudyWindow(alone.playground, theme, alone, "study", "Study", "Start it")
    page = SetPage(theme, window, lambda: lambda prompt: prompt, lambda: None, *[lambda *_: None] * 5)
    qtbot.addWidget(page)
    page.resize(900, 600)
    page.show()
    page.show_set(prompts, prompts.template)
    page.grab()
    assert not made, "the rows are painted in another event than the page"
    qtbot.waitUntil(lambda: page.table.model().rowCount() == MANY)
    page.grab()
    assert 0 < len(made) < 200
    assert max(made) < 200
    repaints = list[int]()
    page.table.model().dataChanged.connect(lambda first: repaints.append(first.row()))
    page.table.renew(MANY - 64, MANY - 1)
    page.table.renew(0, 63)
    assert repaints == [0]
    page.table.scrollToBottom()
    page.grab()
    assert MANY - 1 in made and len(made) < 400


@pytest.mark.parametrize("percent", [100, 200])
def test_window_start_is_visible_in_any_text_size(room: Room, theme: Theme, percent: int) -> None:
    view, qtbot = room.view, room.qtbot
    theme.resize(300 - percent)
    theme.resize(percent)
    for width, most in ((1000, 340 * percent // 100), (1600, 340 * percent // 100)):
        view.resize(width, 700)
        qtbot.waitUntil(lambda width=width: view.width() == width)  # type: ignore[misc]
        assert view.rect().contains(view.foot.geometry()) and view.foot.width() <= most
    assert view.foot.width() == most, "where there is room"
    view.close()
