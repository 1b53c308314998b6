"""What is typed and not sent yet, as other rooms know it: the window gives them the field of the prompt."""

from typing import Protocol


class TypedText(Protocol):
    """The text of the next prompt, or of an earlier turn that is being edited."""

    @property
    def unsent(self) -> str:
        """All that was typed, also in place of an earlier turn."""

    @property
    def page_is_touched(self) -> bool:
        """Whether there are words on a page that were not sent."""

    def text(self) -> str: ...

    def set_text(self, text: str) -> None: ...

    def end_editing(self) -> None:
        """Stop editing; the edited text will be a turn of its own."""

    def forget(self) -> None:
        """Nothing is left of it, in either mode."""

    def setFocus(self) -> None: ...
