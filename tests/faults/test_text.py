import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QTimer, QUrl
from PySide6.QtGui import Qt, QTextDocument
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QMessageBox,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.types import ENDLESS, Failure, LoadRequest
from app.files.json_values import clean
from app.records.export import as_markdown, as_plain_text
from app.records.session_file import read_session, session_text
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import AnswerView
from tests.faults.full import IS_FULL, times
from tests.faults.hostile import MARKUP, OWN, own_and_naughty
from tests.faults.repeating_engine import REFUSED, Parrot
from tests.faults.windows import Scene, part, scene
from tests.standins.samples import Samples
from tests.ui.desk import act

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("qapp")]

BEAT_MS = 5
HANG_MS = 10_000
"""Even of a window that is given ten megabytes at once."""
HALF = re.compile("[\ud800-\udfff]")
A_SESSION = 20
"""Strings that are said in one session."""
SIGN = "<img"
MOST_COLUMNS = 40
MOST_ROWS = 30
TIPS = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.WhatsThisRole)
OPENED = (
    *("show_runs", "show_branches", "view_code", "experiment_sampling", "show_tables", "stop_steps"),
    *("report_problem", "about"),
)
LINK = f"https://example.invalid/\u202e{MARKUP}"


@pytest.fixture
def texts() -> Sequence[str]:
    """Our own strings; in full also those that others have collected."""
    return own_and_naughty() if IS_FULL else OWN


def test_text_that_is_said_comes_back_whole_from_page_journal_and_exports(texts: Sequence[str], tmp_path: Path) -> None:
    for at in range(0, len(texts), A_SESSION):
        with scene(tmp_path / str(at), Parrot) as made:
            for text in texts[at : at + A_SESSION]:
                assert list(_say(made, text)) == [], repr(text[:60])
            assert list(_export_and_import(made)) == []


def test_bytes_that_are_no_utf_8_are_said_and_refused_as_a_session(samples: Samples, tmp_path: Path) -> None:
    files = [each for each in samples.stress_files() if IS_FULL or each.stat().st_size < 30_000]
    assert len(files) > 2
    with scene(tmp_path, Parrot) as made:
        for file in files:
            made.playground.new_session()
            content = file.read_bytes()
            assert list(_say(made, content.decode("utf-8", "replace"))) == [], file.name
            assert isinstance(read_session(content, file.name), Failure), file.name


def test_titles_and_searches_of_hostile_text_leave_the_journal_whole(texts: Sequence[str], tmp_path: Path) -> None:
    with scene(tmp_path, Parrot) as made:
        made.say("the sluice gate")
        sessions = made.journal.sessions
        for text in texts:
            sessions.rename(made.state.session, text)
            sessions.search(text)
            assert made.journal.failure is None, repr(text[:60])
        assert sessions.search("sluice")


def test_paste_of_a_large_text_is_whole(tmp_path: Path) -> None:
    length = times(300_000, 10_000_000)
    with scene(tmp_path, Parrot) as made, _gaps() as longest:
        field = made.window._parts.prompt
        QApplication.clipboard().setText(("a line of words\n" * (length // 16))[:length])
        field.field.paste()
        made.live(500)
        QApplication.clipboard().clear()
        assert len(field.text()) == length
        assert longest() <= HANG_MS


def test_answer_of_many_lines_is_whole_on_the_page_and_in_the_journal(tmp_path: Path) -> None:
    lines = times(2_000, 100_000)
    text = "".join(f"{number} of them\n" for number in range(lines))
    knobs = EchoOptions((text,), tokens_per_second=0, prefill_per_second=0, load_seconds=0, context=100 * lines)
    with scene(tmp_path, lambda: EchoEngine(knobs)) as made, _gaps() as longest:
        _without_limit(made)
        made.say("Go")
        assert part(made.window, Transcript, "transcript").turn_text(1) == text
        made.journal.flush()
        assert made.journal.sessions.turns(made.state.session)[1].text == text
        assert longest() <= HANG_MS


def test_text_of_others_is_markup_in_no_widget(tmp_path: Path) -> None:
    with scene(tmp_path, lambda: Parrot(MARKUP)) as made:
        assert list(dict.fromkeys(_walk(made))) == []
    assert not QApplication.activeModalWidget()


def _say(made: Scene, text: str) -> Iterator[str]:
    """What became of a text that was put into the prompt, sent, and answered with itself."""
    _without_limit(made)
    prompt = made.window._parts.prompt
    prompt.set_text(text)
    typed = prompt.text()
    if clean(_as_qt_has_it(text)) != typed:
        yield f"typed as {_where(typed, clean(_as_qt_has_it(text)))}"
    if not made.say(typed):
        return
    question, answer = made.state.turns[-2:]
    if question.text != typed:
        yield f"said as {_where(question.text, typed)}"
    if answer.runs[-1].finish.failure is not None:
        yield f"answered with {answer.runs[-1].finish.failure.what}"
    elif answer.text != typed:
        yield f"answered as {_where(answer.text, typed)}"
    page = part(made.window, Transcript, "transcript")
    if page.turn_text(len(made.state.turns) - 1) != answer.text:
        yield "not on the page as it was answered"


def _where(text: str, wanted: str) -> str:
    """The first place in which they differ."""
    at = next((at for at, pair in enumerate(zip(text, wanted, strict=False)) if pair[0] != pair[1]), len(wanted))
    return f"{text[at : at + 20]!r} for {wanted[at : at + 20]!r} at {at}"


def _export_and_import(made: Scene) -> Iterator[str]:
    journal = made.journal
    journal.flush()
    whole = journal.sessions.whole(made.state.session)
    if whole is None:
        yield "nothing to export"
        return
    if [turn.text for turn in whole.turns if not turn.hidden] != [clean(turn.text) for turn in made.state.turns]:
        yield "the journal has another text"
    for form in (as_markdown, as_plain_text):
        form(whole).encode()
    content = session_text(whole).encode()
    again = read_session(content)
    if isinstance(again, Failure) or session_text(again).encode() != content:
        yield "the session is another one when it comes back"


def _as_qt_has_it(text: str) -> str:
    """One kind of paragraph, some characters that it keeps for itself, no half characters."""
    for mark in ("\r\n", "\r", "\u2029", "\ufdd0", "\ufdd1"):
        text = text.replace(mark, "\n")
    return HALF.sub("", text)


def _without_limit(made: Scene) -> None:
    controls = made.state.controls
    made.playground.set_controls(replace(controls, limits=replace(controls.limits, max_tokens=ENDLESS)))


@contextmanager
def _gaps() -> Iterator[Callable[[], float]]:
    """The longest time between two beats of the window's event loop, in ms."""
    times = [time.perf_counter()]
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: times.append(time.perf_counter()))
    timer.start(BEAT_MS)
    yield lambda: 1000 * max((after - before for before, after in pairwise(times)), default=0.0)
    timer.stop()


def _walk(made: Scene) -> Iterator[str]:
    window = made.window
    controls = made.state.controls
    limits = replace(controls.limits, stop_strings=(f"never {MARKUP}",))
    made.playground.set_controls(replace(controls, system=MARKUP, observe=5, reply_start="", limits=limits))
    made.say(MARKUP)
    made.playground.regenerate()
    made.until_ready()
    made.say(f"# {MARKUP}\n\n![{MARKUP}](http://example.invalid/i.png)\n\n| {MARKUP} | b |\n| - | - |\n| c | d |\n")
    made.journal.sessions.rename(made.state.session, MARKUP)
    window._parts.sessions.search.setText("bold")
    for name in ("toggle_inspector", "toggle_exact_prompt"):
        if not act(window, name).isChecked():
            act(window, name).trigger()
    page = part(window, Transcript, "transcript")
    for view in AnswerView:
        page.set_view(view)
        made.live(150)
        yield from _looked(f"{view.value} view")
    for name in OPENED:
        act(window, name).trigger()
        made.live(150)
        yield from _looked(name)
        if (front := QApplication.activeModalWidget()) is not None:
            front.close()
    page.anchorClicked.emit(QUrl(LINK))
    made.live(50)
    yield from _looked("link")
    if (front := QApplication.activeModalWidget()) is not None:
        if isinstance(front, QMessageBox) and "\u202e" in front.informativeText():
            yield "the address of a link turns its direction"
        front.close()
    made.playground.load(LoadRequest(REFUSED + MARKUP))
    made.until_settled()
    yield from _looked("failure")


def _looked(place: str) -> Iterator[str]:
    for widget in QApplication.allWidgets():
        for what in _wrong_in(widget):
            yield f"{place}: {what} of {type(widget).__name__} “{widget.objectName()}”"


def _wrong_in(widget: QWidget) -> Iterator[str]:
    for name, text in (
        ("tooltip", widget.toolTip()),
        ("What's This", widget.whatsThis()),
        ("status", widget.statusTip()),
    ):
        if _is_rich(text):
            yield name
    if isinstance(widget, QLabel):
        rich = widget.textFormat() in (Qt.TextFormat.RichText, Qt.TextFormat.MarkdownText)
        auto = widget.textFormat() is Qt.TextFormat.AutoText and _is_rich(widget.text())
        if auto or (rich and SIGN in widget.text()):
            yield "text"
    if isinstance(widget, QMessageBox) and widget.textFormat() is not Qt.TextFormat.PlainText and _box_is_rich(widget):
        yield "text"
    if isinstance(widget, QTextEdit | QPlainTextEdit) and _has_image(widget.document()):
        yield "image"
    if isinstance(widget, QAbstractItemView | QComboBox) and any(map(_is_rich, _tips(widget.model()))):
        yield "tooltip of a row"


def _is_rich(text: str) -> bool:
    return SIGN in text and Qt.mightBeRichText(text)


def _has_image(document: QTextDocument) -> bool:
    return any(form.isImageFormat() for form in document.allFormats())


def _box_is_rich(box: QMessageBox) -> bool:
    return _is_rich(box.text()) or _is_rich(box.informativeText())


def _tips(model: QAbstractItemModel | None) -> Iterator[str]:
    if model is None:
        return
    for row in range(min(model.rowCount(), MOST_ROWS)):
        for column in range(MOST_COLUMNS):
            if (index := model.index(row, column)).isValid():
                yield from (str(index.data(role) or "") for role in TIPS)
