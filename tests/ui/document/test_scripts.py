"""Every script streams, wraps and is copied whole.

Glyphs depend on the fonts of a machine, so these tests look at positions and directions only.
"""

import pytest
from PySide6.QtCore import Qt, QTextBoundaryFinder
from PySide6.QtGui import QTextBlock
from PySide6.QtWidgets import QStyleOptionViewItem, QTableWidget, QTableWidgetItem
from pytestqt.qtbot import QtBot

from app.engine.types import Channel, VisibleText
from app.ui.conversation.transcript import Transcript
from app.ui.document.plain_writer import SOFT
from app.ui.document.turns import AnswerView
from app.ui.look.theme import Theme
from app.ui.prompt.editor import PromptEditor
from app.ui.widgets.plain_text import as_mime
from app.ui.widgets.table_model import OwnDirection, is_right_to_left
from tests.ui.document.blocks import blocks

ARABIC = "مرحبا بالعالم، هذا نصّ قصير عن نموذج Sluice وعن 42 رمزًا."
HEBREW = "שלום עולם, זהו טקסט קצר על המודל Sluice ועל 42 סימנים."
DEVANAGARI = "नमस्ते दुनिया, यह क्षेत्र की कहानी है: स्त्री, ज्ञान, कर्म।"
THAI = "สวัสดีชาวโลก นี่คือข้อความสั้นๆ ที่ไม่มีช่องว่างระหว่างคำ"
EMOJI = "A family 👩‍👩‍👧‍👦, a flag 🇰🇷🇺🇦, a pilot 👩🏽‍✈️ and a rainbow 🏳️‍🌈."
SCRIPTS = {"arabic": ARABIC, "hebrew": HEBREW, "devanagari": DEVANAGARI, "thai": THAI, "emoji": EMOJI}
FROM_THE_RIGHT = (ARABIC, HEBREW)
ALL = "\n\n".join(SCRIPTS.values())
ALSO = [pytest.param(view, marks=pytest.mark.slow) for view in (AnswerView.MONO, AnswerView.TOKENS)]
VIEWS = pytest.mark.parametrize("view", [AnswerView.MARKDOWN, AnswerView.PLAIN, *ALSO])
NAMES = pytest.mark.parametrize("name", list(SCRIPTS))
AS_WRITTEN = pytest.mark.parametrize("view", [AnswerView.PLAIN, *ALSO])
SIZES = [7, *(pytest.param(size, marks=pytest.mark.slow) for size in (1, 4_000))]
RIGHT_TO_LEFT, LEFT_TO_RIGHT = Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight


def pieces(text: str, size: int) -> list[str]:
    """Cut a text as tokens may do it, also within a grapheme."""
    return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.fixture
def transcript(qtbot: QtBot, theme: Theme) -> Transcript:
    transcript = Transcript(theme)
    qtbot.addWidget(transcript)
    transcript.resize(400, 300)
    transcript.show()
    return transcript


@pytest.fixture
def prompt(qtbot: QtBot, theme: Theme) -> PromptEditor:
    prompt = PromptEditor(theme)
    qtbot.addWidget(prompt)
    prompt.resize(400, 200)
    prompt.show()
    return prompt


def stream(transcript: Transcript, view: AnswerView, text: str, size: int) -> None:
    transcript.set_view(view)
    transcript.begin_answer(0)
    for piece in pieces(text, size):
        transcript.append_shown((VisibleText(Channel.NORMAL, piece),))
    transcript.end_answer("")


def begins_at_the_right(block: QTextBlock) -> bool:
    line = block.layout().lineAt(0)
    first, second = (line.cursorToX(at) for at in (0, 1))
    return bool(first[0] > second[0])  # type: ignore[index]


def torn(block: QTextBlock) -> list[int]:
    """Lines of a block that begin within a grapheme."""
    layout = block.layout()
    starts = (layout.lineAt(number).textStart() for number in range(layout.lineCount()))
    return [start for start in starts if start and not layout.isValidCursorPosition(start)]


@VIEWS
@NAMES
def test_streamed_script_is_whole_and_wraps_between_graphemes(
    transcript: Transcript, view: AnswerView, name: str
) -> None:
    transcript.set_view(view)
    transcript.begin_answer(0)
    came = ""
    for piece in pieces(SCRIPTS[name], 1):
        came += piece
        transcript.append_shown((VisibleText(Channel.NORMAL, piece),))
        if view is not AnswerView.MARKDOWN:
            assert transcript.plain_text() == f"Model\n{came}"
    transcript.end_answer("")
    assert transcript.turn_text(0) == SCRIPTS[name]
    assert transcript.plain_text() == f"Model\n{SCRIPTS[name]}"
    assert [torn(block) for block in blocks(transcript.document()) if torn(block)] == []


@VIEWS
def test_paragraph_has_the_direction_of_its_text(transcript: Transcript, view: AnswerView) -> None:
    stream(transcript, view, ALL, 3)
    found = {block.text(): block for block in blocks(transcript.document())}
    for text in SCRIPTS.values():
        wanted = RIGHT_TO_LEFT if text in FROM_THE_RIGHT else LEFT_TO_RIGHT
        assert found[text].textDirection() is wanted
        assert begins_at_the_right(found[text]) is (text in FROM_THE_RIGHT)


@AS_WRITTEN
@pytest.mark.parametrize("size", SIZES)
def test_long_paragraph_keeps_its_direction(transcript: Transcript, view: AnswerView, size: int) -> None:
    """Qt takes the direction of a block from its own first word, also after a soft break."""
    hebrew = " ".join([HEBREW, "Some Latin words that begin a line, and go on for a while."] * 12)
    english = " ".join(["Some words of English, and then", HEBREW, ARABIC] * 9)
    text = f"{hebrew}\n{english}\n{hebrew}\n{english}"
    stream(transcript, view, text, size)
    directions: list[list[Qt.LayoutDirection]] = []
    for block in list(blocks(transcript.document()))[1:]:
        if block.userState() != SOFT:
            directions.append([])
        directions[-1].append(block.textDirection())
    told = [set(each) for each in directions[-4:]]
    assert told == [{RIGHT_TO_LEFT}, {LEFT_TO_RIGHT}, {RIGHT_TO_LEFT}, {LEFT_TO_RIGHT}]
    assert max(map(len, directions)) > 1, "there was a cut"
    assert transcript.turn_text(0) == text


@AS_WRITTEN
@NAMES
def test_soft_break_is_between_graphemes(transcript: Transcript, view: AnswerView, name: str) -> None:
    text = SCRIPTS[name].replace(" ", "") * 60
    stream(transcript, view, text, 5)
    at, cuts = 0, []
    for block in list(blocks(transcript.document()))[1:]:
        if block.userState() == SOFT:
            cuts.append(at)
        at += len(block.text())
    assert cuts
    signs = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Grapheme, text)
    units = [len(text[:cut].encode("utf-16-le")) // 2 for cut in cuts]
    for unit in units:
        signs.setPosition(unit)
        assert signs.isAtBoundary(), (unit, name)


def test_prompt_has_the_direction_of_each_line(prompt: PromptEditor) -> None:
    field = prompt.field
    field.insertFromMimeData(as_mime("\n".join(SCRIPTS.values())))
    assert prompt.text() == "\n".join(SCRIPTS.values())
    for block, text in zip(blocks(field.document()), SCRIPTS.values(), strict=True):
        assert begins_at_the_right(block) is (text in FROM_THE_RIGHT)


@pytest.mark.parametrize("text", list(SCRIPTS.values()))
def test_prompt_is_aligned_by_its_direction(prompt: PromptEditor, text: str) -> None:
    field = prompt.field
    prompt.set_text(text)
    right = field.document().defaultTextOption().alignment() == Qt.AlignmentFlag.AlignRight
    assert right is is_right_to_left(text) is (text in FROM_THE_RIGHT)
    prompt.set_text("Latin")
    assert field.document().defaultTextOption().alignment() == Qt.AlignmentFlag.AlignLeft


def test_table_cell_has_the_direction_of_its_text(qtbot: QtBot) -> None:
    table = QTableWidget(1, 2)
    qtbot.addWidget(table)
    delegate = OwnDirection(table)
    for column, (text, wanted) in enumerate(((f"42 {HEBREW}", RIGHT_TO_LEFT), (f"42 Latin {HEBREW}", LEFT_TO_RIGHT))):
        table.setItem(0, column, QTableWidgetItem(text))
        option = QStyleOptionViewItem()
        delegate.initStyleOption(option, table.model().index(0, column))
        assert option.direction is wanted


def test_long_line_of_the_prompt_keeps_its_direction(prompt: PromptEditor) -> None:
    field = prompt.field
    text = " ".join([HEBREW, "Latin"] * 60)
    field.insertFromMimeData(as_mime(f"{text}\nEnglish"))
    found = list(blocks(field.document()))
    assert len(found) > 2
    assert {block.textDirection() for block in found[:-1]} == {RIGHT_TO_LEFT}
    assert found[-1].textDirection() is LEFT_TO_RIGHT
    assert prompt.text() == f"{text}\nEnglish"
