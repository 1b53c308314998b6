from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.engine.ranges import RANGES
from app.ui.look.theme import MUTED_ROLE, Theme
from app.ui.widgets import named
from app.ui.widgets.field_row import FieldRow
from app.ui.widgets.number_field import NumberField, WholeField, number_text


class Typist:
    """Types into a field, and records the reasons of its refusals."""

    def __init__(self, field: WholeField | NumberField) -> None:
        self.field = field
        self.refusals: list[str] = []
        field.refused.connect(self.refusals.append)

    def type(self, text: str) -> None:
        self.field.setFocus()
        self.field.selectAll()
        self.refusals.clear()
        QTest.keyClicks(self.field, text)

    def enter(self) -> None:
        QTest.keyClick(self.field, Qt.Key.Key_Return)

    @property
    def reason(self) -> str:
        return self.refusals[-1] if self.refusals else ""


@pytest.fixture
def typist(request: pytest.FixtureRequest, qtbot: QtBot) -> Iterator[Typist]:
    name = str(request.param)
    limits = RANGES[name]
    made = Typist(WholeField(name, limits) if limits.whole else NumberField(name, limits, 0.05))
    qtbot.addWidget(made.field)
    made.field.show()
    yield made
    vars(made).clear()


@pytest.mark.parametrize(
    ("typist", "text", "kept", "reason"),
    [
        ("top_p", "0.5x", 0.5, "A number, from 0.01 to 1."),
        ("top_p", "7", 0.01, "A number, from 0.01 to 1."),
        ("top_p", "0,25", 0.25, ""),
        ("temperature", "-1", 0.0, "A number: 0, or from 0.01 to 10."),
        ("top_k", "1.5", 15, "A whole number, from 0 to 1,000,000."),
        ("top_k", "forty", 0, "A whole number, from 0 to 1,000,000."),
    ],
    indirect=["typist"],
)
def test_number_field_refuses_an_invalid_key(typist: Typist, text: str, kept: float, reason: str) -> None:
    typist.type(text)
    assert next(filter(None, typist.refusals), "") == reason
    assert typist.field.value() == kept


@pytest.mark.parametrize("typist", ["temperature"], indirect=True)
def test_number_field_out_of_range_is_reset_with_the_reason(typist: Typist) -> None:
    typist.type("0.005")
    typist.enter()
    assert (typist.field.text(), typist.reason) == ("0.00", "A number: 0, or from 0.01 to 10.")


@pytest.mark.parametrize("typist", ["repetition_penalty"], indirect=True)
def test_number_field_empty_is_reset_to_its_value(typist: Typist) -> None:
    typist.field.setValue(1.1)  # type: ignore[arg-type]
    typist.type("")
    QTest.keyClick(typist.field, Qt.Key.Key_Backspace)
    typist.enter()
    assert (typist.field.text(), typist.reason) == ("1.10", "A number, from 0.1 to 10.")


@pytest.mark.parametrize("typist", ["top_k"], indirect=True)
def test_whole_field_limit_of_the_model_has_its_own_reason(typist: Typist) -> None:
    field = typist.field
    assert isinstance(field, WholeField)
    field.limit_to(99, "the vocabulary has 100 tokens.")
    typist.type("100")
    assert typist.reason == "From 0 to 99: the vocabulary has 100 tokens."
    assert field.value() == 10
    field.limit_to(None)
    typist.type("100")
    assert (typist.reason, field.value()) == ("", 100)


@pytest.mark.parametrize("typist", ["temperature"], indirect=True)
def test_number_field_show_value_keeps_typed_text(typist: Typist) -> None:
    chosen: list[float] = []
    typist.field.chosen.connect(chosen.append)
    typist.field.chosen.connect(typist.field.show_value)
    typist.type("0.25")
    assert typist.field.text() == "0.25"
    assert (typist.field.value(), chosen[-1]) == (0.25, 0.25)
    typist.field.setValue(3.0)  # type: ignore[arg-type]
    assert typist.field.text() == "3.00"


def test_number_text_has_two_or_three_decimal_places() -> None:
    assert [number_text(value) for value in (0, 0.7, 0.125, 10)] == ["0.00", "0.70", "0.125", "10.00"]


def test_field_row_reason_of_a_disabled_field_is_no_warning(qtbot: QtBot, theme: Theme) -> None:
    row = FieldRow(theme, "System prompt", "What it is", named(QLineEdit(), "system"))
    qtbot.addWidget(row)
    row.refuse("no number")
    said = row.findChild(QLabel, "system_reason")
    assert said is not None
    assert said.text() == "no number" and said.foregroundRole() != MUTED_ROLE
    row.grey("not in Raw mode")
    row.refuse("not in Raw mode")
    assert said.text() == "not in Raw mode" and said.foregroundRole() == MUTED_ROLE
