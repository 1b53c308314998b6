"""The transcript with foreign texts, and streamed Markdown against the whole."""

import pytest
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from app.engine.types import Channel, Role, VisibleText
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import AnswerView
from app.ui.look.theme import Theme
from tests.conftest import PROJECT
from tests.standins.samples import Samples

ANSWERS = [
    "# One\n\nText *with* **marks** and `code`.\nGoes on.\n\n## Two\n\nEnd.\n",
    "Intro:\n\n1. one\n2. two\n   - inner\n   - more\n3. three\n\nAfter.\n",
    "- loose\n\n- list\n\n- here\n\n> quote\n> goes on\n\n---\n\nend",
    "| a | b |\n|---|--:|\n| 1 | **2** |\n\nText after a table with ~~one~~ two.\n",
    "Steps:\n* a\n* b\n\nNow [a link](https://example.org) and 3 < 4 & 5 > 2.\n\n1. x\n\n   still x\n\n2. y\n",
    "Setext\n======\n\nSecond\n------\n\nשלום **עולם** 한국어 👩‍👩‍👧\n",
]


@pytest.fixture
def transcript(qtbot: QtBot, theme: Theme) -> Transcript:
    transcript = Transcript(theme)
    qtbot.addWidget(transcript)
    transcript.resize(600, 300)
    transcript.show()
    return transcript


def streamed(transcript: Transcript, text: str, step: int) -> str:
    transcript.remove_from(0)
    transcript.begin_answer(0)
    for at in range(0, len(text), step):
        transcript.append_shown((VisibleText(Channel.NORMAL, text[at : at + step]),))
    transcript.end_answer("")
    return transcript.plain_text().removeprefix("Model\n")


def whole(text: str) -> str:
    document = QTextDocument()
    document.setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownNoHTML | _GITHUB)
    return document.toPlainText()


_GITHUB = QTextDocument.MarkdownFeature.MarkdownDialectGitHub


@pytest.mark.parametrize("step", [1, 5, 30])
@pytest.mark.parametrize("answer", ANSWERS)
def test_text_in_blocks_equals_the_whole(transcript: Transcript, answer: str, step: int) -> None:
    assert streamed(transcript, answer, step).split() == whole(answer).split()


def test_long_answer_equals_the_whole(transcript: Transcript) -> None:
    answer = (PROJECT / "tests" / "bench" / "answer.md").read_text("utf-8")
    assert streamed(transcript, answer, 29).split() == whole(answer).split()


@pytest.mark.slow
def test_naughty_strings_break_no_view(transcript: Transcript, samples: Samples) -> None:
    for number, string in enumerate(samples.naughty()):
        transcript.add_turn(2 * number, Role.USER, string)
        transcript.add_turn(2 * number + 1, Role.ASSISTANT, string)
    for view in (AnswerView.PLAIN, AnswerView.MONO, AnswerView.MARKDOWN):
        transcript.set_view(view)
    assert transcript.turn_text(21) == samples.naughty()[10]
    transcript.remove_from(0)
    assert transcript.plain_text() == ""
