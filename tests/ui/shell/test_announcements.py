import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit

from app.controls import Controls, Mode
from app.engine.echo.engine import EchoOptions
from app.engine.meter.meter import Frame
from app.engine.types import Channel, Failure, Limits, VisibleText
from app.library.types import DownloadJob, DownloadState, FileProgress
from app.state import Phase
from app.ui.shell.announcements import LONGEST, SentenceSplitter
from app.ui.shell.main_window import MainWindow
from app.ui.widgets.naming import Announcer
from tests.ui.desk import Desk, named

SLOW = EchoOptions(tokens_per_second=50, prefill_per_second=0, load_seconds=0)


class Listener:
    def __init__(self) -> None:
        self.said: list[str] = []
        self.urgent: list[str] = []

    def take(self, event: QAccessibleAnnouncementEvent) -> None:
        self.said.append(event.message())
        if event.politeness() is QAccessible.AnnouncementPoliteness.Assertive:
            self.urgent.append(event.message())


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    made = Listener()
    monkeypatch.setattr("app.ui.widgets.naming.QAccessible.updateAccessibility", made.take)
    monkeypatch.setattr(Announcer, "is_active", True)
    return made


def frames(window: MainWindow, *pieces: tuple[float, str, Channel]) -> None:
    for at, text, voice in pieces:
        window.playground.advanced.emit(Frame(shown=(VisibleText(voice, text),), at=at))


def test_answer_is_announced_by_sentences_once_a_second(desk: Desk, listener: Listener) -> None:
    window = desk.ready()
    listener.said.clear()
    normal = Channel.NORMAL
    frames(window, (1.0, "One. Tw", normal), (1.03, "o. Thr", normal), (1.5, "ee. Fo", normal), (2.1, "ur. F", normal))
    assert listener.said == ["One.", "Two. Three. Four."]


def test_reasoning_is_named_and_not_announced(desk: Desk, listener: Listener) -> None:
    window = desk.ready()
    listener.said.clear()
    frames(
        window,
        (1.0, "Hm. Well. ", Channel.REASONING),
        (3.0, "So. ", Channel.REASONING),
        (5.0, "Yes. N", Channel.NORMAL),
    )
    assert listener.said == ["The model is reasoning.", "Yes."]


@pytest.mark.slow
def test_last_sentence_is_announced_before_the_finish_reason(desk: Desk, listener: Listener) -> None:
    window = desk.ready()
    assert listener.said == ["echo is open."]
    desk.send(window, "hello")
    answer, ending = " ".join(listener.said[1:-1]), listener.said[-1]
    assert answer.split() == window.playground.state.turns[-1].text.split()
    assert ending.startswith("Finish reason: stop")
    assert listener.urgent == []


@pytest.mark.slow
def test_finish_reason_of_a_stop_is_urgent(desk: Desk, listener: Listener) -> None:
    window = desk.ready(knobs=SLOW)
    named(window, QPlainTextEdit, "prompt").setPlainText("hello")
    named(window, QAbstractButton, "send").click()
    desk.until(window, Phase.GENERATING)
    named(window, QAbstractButton, "stop").click()
    desk.until(window, Phase.READY)
    assert listener.urgent == [listener.said[-1]]
    assert listener.said[-1].startswith("Finish reason: stopped by you")


@pytest.mark.slow
def test_finish_reason_that_is_a_sentence_has_one_full_stop(desk: Desk, listener: Listener) -> None:
    window = desk.ready()
    window.playground.set_controls(Controls(mode=Mode.RAW, limits=Limits(2)))
    desk.send(window, "hello")
    assert listener.said[-1].startswith("Finish reason: length, ") and listener.said[-1].endswith(
        "the model may not stop."
    )


def test_failure_is_urgent(desk: Desk, listener: Listener) -> None:
    window = desk.ready()
    window._parts.notice.show_failure(Failure("It broke.", "Mend it.", "", "test"))
    assert listener.urgent == ["It broke. Mend it."]


def test_download_is_announced_by_the_quarter(desk: Desk, listener: Listener) -> None:
    window = desk.ready()
    listener.said.clear()
    for done in (0, 100, 250, 260):
        files = (FileProgress("model.safetensors", done, 1000),)
        window._parts.downloads.show_jobs((DownloadJob("lab/model", DownloadState.DOWNLOADING, files),))
    assert [words.partition(" of")[0] for words in listener.said] == ["lab/model: 0 %", "lab/model: 25 %"]
    assert listener.urgent == []


@pytest.mark.slow
def test_announcements_without_a_screen_reader_make_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_sentences_are_returned_once_complete(pieces: tuple[str, ...], said: list[str], rest: str) -> None:
    sentences = SentenceSplitter()
    assert [sentence for piece in pieces for sentence in sentences.take(piece)] == said
    assert sentences.rest() == rest
    assert sentences.rest() == ""


def test_sentences_long_text_is_split_at_a_space() -> None:
    sentences = SentenceSplitter()
    said = sentences.take("word " * (LONGEST // 5) + "unfinish")
    assert said == (("word " * (LONGEST // 5)).strip(),)
    assert sentences.rest() == "unfinish"


@given(st.lists(st.text(alphabet="ab1 .!?\n。”", max_size=30)))
def test_sentences_lose_and_repeat_nothing(pieces: list[str]) -> None:
    sentences = SentenceSplitter()
    said = [sentence for piece in pieces for sentence in sentences.take(piece)]
    said.append(sentences.rest())
    assert "".join("".join(said).split()) == "".join("".join(pieces).split())
