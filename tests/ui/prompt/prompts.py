"""A prompt of six tokens, and its pane."""

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.engine.types import ExactPrompt, PromptPart, PromptSpan
from app.ui.look.theme import Theme
from app.ui.prompt.exact_prompt import ExactPromptPane

PROMPT = ExactPrompt(
    "<s>be kind Hi you\n",
    (1, 50, 51, 52, 53, 54),
    ((0, 3), (3, 5), (5, 10), (10, 13), (13, 17), (17, 18)),
    (
        PromptSpan(PromptPart.SPECIAL, 0, 3),
        PromptSpan(PromptPart.SYSTEM, 3, 10),
        PromptSpan(PromptPart.USER, 10, 17),
        PromptSpan(PromptPart.TEMPLATE, 17, 18),
    ),
    notes=("The system message was folded.",),
)


def words(count: int) -> ExactPrompt:
    text = "word " * count
    offsets = tuple((5 * at, 5 * at + 5) for at in range(count))
    return ExactPrompt(text, tuple(range(count)), offsets, (PromptSpan(PromptPart.USER, 0, len(text)),))


def opened(qtbot: QtBot, theme: Theme) -> ExactPromptPane:
    made = ExactPromptPane(theme)
    qtbot.addWidget(made)
    made.resize(600, 260)
    made.show()
    return made


def label(pane: ExactPromptPane, name: str) -> str:
    found = pane.findChild(QLabel, name)
    assert found is not None
    return str(found.text())


def colors(pane: ExactPromptPane) -> set[str]:
    """All colors of the token chips."""
    image = pane.tokens.viewport().grab().toImage()
    return {QColor(image.pixel(x, y)).name() for x in range(image.width()) for y in range(0, image.height(), 2)}
