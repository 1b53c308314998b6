"""The form that an answer has to have, as the user wrote it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class FormKind(StrEnum):
    """Which language a form is written in; the value is the field of `Form` that holds its text."""

    NONE = "none"
    JSON = "json"
    SCHEMA = "schema"
    CHOICES = "choices"
    REGEX = "regex"
    GRAMMAR = "grammar"
    NUMBERS = "numbers"


@dataclass(frozen=True, slots=True)
class Form:
    """The text of each kind stays while another one is in use."""

    kind: FormKind = FormKind.NONE
    schema: str = ""
    choices: str = ""
    """One on each line."""
    regex: str = ""
    grammar: str = ""
    """In Lark's notation."""
    numbers: str = ""
    """The least and the largest with two dots between them; whole ones where both are."""

    @property
    def text(self) -> str:
        """What the kind in use says; empty where it needs no words."""
        return str(getattr(self, self.kind.value)) if self.kind in WRITTEN else ""

    @property
    def alone(self) -> Form:
        """Only the kind in use: what a run is asked."""
        return Form().put(self.kind, self.text)

    def put(self, kind: FormKind, text: str) -> Form:
        """This kind in use, with this text; those of the others stay."""
        return replace(self, kind=kind, **{kind.value: text}) if kind in WRITTEN else replace(self, kind=kind)

    def __bool__(self) -> bool:
        return self.kind is not FormKind.NONE


LATER = {"later": True}
"""Of a field that came when there were files already: those that don't use it are written as ever."""
WRITTEN = frozenset(FormKind) - {FormKind.NONE, FormKind.JSON}
"""Those that are nothing without a text."""
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
"""An example."""
