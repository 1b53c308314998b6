"""The unsent text, as other packages see it: the window gives them the prompt field."""

from typing import Protocol


class TypedText(Protocol):
    """The text of the next prompt, or of an earlier turn that is being edited."""

    @property
    def unsent(self) -> str:
        """All unsent text, including the edit of an earlier turn."""

    @property
    def page_is_touched(self) -> bool:
        """Whether the Raw page has unsent text."""

    def text(self) -> str: ...

    def set_text(self, text: str) -> None: ...

    def end_editing(self) -> None:
        """Stop editing; the edited text will be a turn of its own."""

    def forget(self) -> None:
        """Delete the unsent text of both modes."""

    def setFocus(self) -> None: ...
