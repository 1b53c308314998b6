"""A screen reader hears answers by the sentence, and what happens; without one nothing is made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit

from app.controls import Controls, Mode
from app.engine.echo.engine import EchoOptions
from app.engine.meter.frame import Frame
from app.engine.types import Channel, Failure, Limits, VisibleText
from app.library.types import DownloadJob, DownloadState, FileProgress
from app.state import Phase
from app.ui.shell.announcements import LONGEST, Sentences
from app.ui.shell.main_window import MainWindow
from app.ui.widgets.naming import Announcer
from tests.ui.desk import Desk, named

SLOW = EchoOptions(tokens_per_second=50, prefill_per_second=0, load_seconds=0)


class Ear:
    """What was said, and what of it at once."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.urgent: list[str] = []

    def take(self, event: QAccessibleAnnouncementEvent) -> None:
        self.said.append(event.message())
        if event.politeness() is QAccessible.AnnouncementPoliteness.Assertive:
            self.urgent.append(event.message())


@pytest.fixture
def ear(monkeypatch: pytest.MonkeyPatch) -> Ear:
    made = Ear()
    monkeypatch.setattr("app.ui.widgets.naming.QAccessible.updateAccessibility", made.take)
    monkeypatch.setattr(Announcer, "is_active", True)
    return made


def frames(window: MainWindow, *pieces: tuple[float, str, Channel]) -> None:
    for at, text, voice in pieces:
        window.playground.advanced.emit(Frame(shown=(VisibleText(voice, text),), at=at))


def test_the_answer_comes_by_sentences_in_one_breath_a_second(desk: Desk, ear: Ear) -> None:
    window = desk.ready()
    ear.said.clear()
    normal = Channel.NORMAL
    frames(window, (1.0, "One. Tw", normal), (1.03, "o. Thr", normal), (1.5, "ee. Fo", normal), (2.1, "ur. F", normal))
    assert ear.said == ["One.", "Two. Three. Four."]


def test_reasoning_is_named_and_not_read_out(desk: Desk, ear: Ear) -> None:
    window = desk.ready()
    ear.said.clear()
    frames(
        window,
        (1.0, "Hm. Well. ", Channel.REASONING),
        (3.0, "So. ", Channel.REASONING),
        (5.0, "Yes. N", Channel.NORMAL),
    )
    assert ear.said == ["The model is reasoning.", "Yes."]


@pytest.mark.slow
def test_the_last_sentence_precedes_the_ending(desk: Desk, ear: Ear) -> None:
    window = desk.ready()
    assert ear.said == ["echo is open."]
    desk.send(window, "hello")
    answer, ending = " ".join(ear.said[1:-1]), ear.said[-1]
    assert answer.split() == window.playground.state.turns[-1].text.split()
    assert ending.startswith("Finish reason: stop")
    assert ear.urgent == []


@pytest.mark.slow
def test_who_stops_hears_at_once_why_it_ended(desk: Desk, ear: Ear) -> None:
    window = desk.ready(knobs=SLOW)
    named(window, QPlainTextEdit, "prompt").setPlainText("hello")
    named(window, QAbstractButton, "send").click()
    desk.until(window, Phase.GENERATING)
    named(window, QAbstractButton, "stop").click()
    desk.until(window, Phase.READY)
    assert ear.urgent == [ear.said[-1]]
    assert ear.said[-1].startswith("Finish reason: stopped by you")


@pytest.mark.slow
def test_a_reason_that_is_a_sentence_has_one_full_stop(desk: Desk, ear: Ear) -> None:
    window = desk.ready()
    window.playground.set_controls(Controls(mode=Mode.RAW, limits=Limits(2)))
    desk.send(window, "hello")
    assert ear.said[-1].startswith("Finish reason: length, ") and ear.said[-1].endswith("the model may not stop.")


def test_a_failure_is_told_at_once(desk: Desk, ear: Ear) -> None:
    window = desk.ready()
    window._parts.notice.show_failure(Failure("It broke.", "Mend it.", "", "test"))
    assert ear.urgent == ["It broke. Mend it."]


def test_a_download_is_told_by_the_quarter(desk: Desk, ear: Ear) -> None:
    window = desk.ready()
    ear.said.clear()
    for done in (0, 100, 250, 260):
        files = (FileProgress("model.safetensors", done, 1000),)
        window._parts.downloads.show_jobs((DownloadJob("lab/model", DownloadState.DOWNLOADING, files),))
    assert [words.partition(" of")[0] for words in ear.said] == ["lab/model: 0 %", "lab/model: 25 %"]
    assert ear.urgent == []


@pytest.mark.slow
def test_nothing_is_made_where_nobody_listens(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QAccessible, "updateAccessibility", pytest.fail)
    monkeypatch.setattr("app.ui.shell.announcements.Announcements._take", pytest.fail)
    window = desk.ready()
    desk.send(window, "hello")
    assert not Announcer(window).is_active


@pytest.mark.parametrize(
    ("pieces", "said", "rest"),
    [
        (("Hel", "lo. Wor", "ld"), ["Hello."], "World"),
        (("One.", " Two! “Three?” Four"), ["One.", "Two!", "“Three?”"], "Four"),
        (("Pi is 3.14 or so. And",), ["Pi is 3.14 or so."], "And"),
        (("1. First\n2. Second\n",), ["1. First", "2. Second"], ""),
        (("안녕하세요. 반가워요.",), ["안녕하세요."], "반가워요."),
        (("你好。再见。",), ["你好。", "再见。"], ""),
        (("\n\n\n",), [], ""),
    ],
)
def test_whole_sentences_come_as_soon_as_they_are_whole(pieces: tuple[str, ...], said: list[str], rest: str) -> None:
    sentences = Sentences()
    assert [sentence for piece in pieces for sentence in sentences.take(piece)] == said
    assert sentences.rest() == rest
    assert sentences.rest() == ""


def test_what_never_ends_is_said_at_a_blank() -> None:
    sentences = Sentences()
    said = sentences.take("word " * (LONGEST // 5) + "unfinish")
    assert said == (("word " * (LONGEST // 5)).strip(),)
    assert sentences.rest() == "unfinish"


@given(st.lists(st.text(alphabet="ab1 .!?\n。”", max_size=30)))
def test_nothing_is_lost_or_said_twice(pieces: list[str]) -> None:
    sentences = Sentences()
    said = [sentence for piece in pieces for sentence in sentences.take(piece)]
    said.append(sentences.rest())
    assert "".join("".join(said).split()) == "".join("".join(pieces).split())
