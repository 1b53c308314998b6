"""The window that leads from a question to the tool that answers it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QDialog, QWidget

from app.i18n import tr
from app.ui.look import GAP_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import ScrollColumn, begin_window, in_column, in_grid, layout_widget, plain_label, push_button

FIRST_PX, MIN_PX = (640, 560), (420, 320)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the action that opens its tool, and what the tool measures."""

    action: str
    question: str
    answer: str


QUESTIONS = (
    Question(
        "experiment_draft",
        tr("Is speculative decoding worth it?"),
        tr("Decode speed without draft tokens, with a draft model, and with prompt lookup."),
    ),
    Question(
        "show_runs",
        tr("Would a draft have made my last answer faster?"),
        tr("“Predict draft gain…” in the table of runs predicts it from the answer, also without a draft model."),
    ),
    Question(
        "compare_bits",
        tr("Which quantization?"),
        tr("Size, KL divergence from the original, speed and memory of the open model with 8 to 2 bits per weight."),
    ),
    Question(
        "experiment_cache",
        tr("How much faster is decoding with a KV cache?"),
        tr("Decode speed with the KV cache and without it, early and late in the answer."),
    ),
    Question(
        "experiment_reuse",
        tr("How much time does the prompt cache save in turn 2?"),
        tr("Time to first token with the earlier turns in the cache, and without them."),
    ),
    Question(
        "experiment_sweep",
        tr("Which temperature?"),
        tr("Variety, repetition, length and agreement of the texts at several temperatures. Other settings too."),
    ),
    Question(
        "inside_window",
        tr("Which layer decides the answer?"),
        tr("Logit lens: the most likely token after each layer. Attribution: the parts of the prompt that matter."),
    ),
    Question(
        "experiment_models",
        tr("Which of two models?"),
        tr("Answers, speed and memory of two models for one prompt."),
    ),
    Question(
        "prompt_sets",
        tr("Which model or setting answers correctly more often?"),
        tr("Share of correct answers to a set of prompts, with a test for significance."),
    ),
    Question(
        "measure_speed",
        tr("What limits the speed?"),
        tr("Memory bandwidth of this computer, and the share of it that the model reaches."),
    ),
    Question(
        "experiment_determinism",
        tr("Which settings change the tokens?"),
        tr("The first different token with each setting, and the settings to keep for the same tokens."),
    ),
)


class QuestionsWindow(QDialog):
    """Lists the questions. `choose` gets the name of the action of the chosen one."""

    def __init__(self, theme: Theme, choose: Callable[[str], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        begin_window(theme, self, "questions_window", tr("What Do You Want to Know?"), FIRST_PX, MIN_PX)
        rows = []
        for each in QUESTIONS:
            question = plain_label("", each.question, font=theme.font(Size.NORMAL, bold=True), wraps=True)
            answer = plain_label("", each.answer, font=theme.font(Size.SMALL), muted=True, wraps=True)
            press = partial(self._choose, choose, each.action)
            name = f"question_{each.action}"
            button = push_button(name, tr("Open"), each.answer, each.question, kind="small", press=press)
            rows.append([layout_widget(in_column(question, answer, gap=0)), button])
        listed, inside = ScrollColumn("questions", tr("Questions")), QWidget()
        in_grid(*rows, on=inside, gap=GAP_PX, wide={0: 1})
        listed.setWidget(inside)
        in_column(listed, on=self, margins=MARGIN_PX)

    def _choose(self, choose: Callable[[str], object], action: str) -> None:
        self.accept()
        choose(action)
