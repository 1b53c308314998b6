"""Output format of an answer, as the user wrote it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class FormKind(StrEnum):
    """Kind of output format; the value is the field of `Form` that holds its text."""

    NONE = "none"
    JSON = "json"
    SCHEMA = "schema"
    CHOICES = "choices"
    REGEX = "regex"
    GRAMMAR = "grammar"
    NUMBERS = "numbers"


@dataclass(frozen=True, slots=True)
class Form:
    """An output format. Each kind keeps its text while another one is selected."""

    kind: FormKind = FormKind.NONE
    schema: str = ""
    choices: str = ""
    """The allowed answers, one on each line."""
    regex: str = ""
    grammar: str = ""
    """In Lark syntax."""
    numbers: str = ""
    """Minimum and maximum with two dots between them; only integers if both are integers."""

    @property
    def text(self) -> str:
        """Text of the selected kind; empty if it needs none."""
        return str(getattr(self, self.kind.value)) if self.kind in WRITTEN else ""

    @property
    def alone(self) -> Form:
        """Return the format with only the selected kind, as a request needs it."""
        return Form().put(self.kind, self.text)

    def put(self, kind: FormKind, text: str) -> Form:
        """Return the format with this kind selected and its text set; the other texts stay."""
        return replace(self, kind=kind, **{kind.value: text}) if kind in WRITTEN else replace(self, kind=kind)

    def __bool__(self) -> bool:
        return self.kind is not FormKind.NONE


LATER = {"later": True}
"""Metadata of fields of later versions: with its default value, such a field is not written to files."""
WRITTEN = frozenset(FormKind) - {FormKind.NONE, FormKind.JSON}
"""Kinds that need a text."""
ANIMAL = Form(
    FormKind.SCHEMA,
    schema="""{
  "type": "object",
  "properties": {
    "animal": {"type": "string", "maxLength": 20},
    "legs": {"type": "integer", "minimum": 0, "maximum": 8}
  },
  "required": ["animal", "legs"],
  "additionalProperties": false
}""",
)
