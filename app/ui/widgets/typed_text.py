"""What is typed and not sent yet, as other rooms know it: the window gives them the field of the prompt."""

from __future__ import annotations

from typing import Protocol


class TypedText(Protocol):
    """The text of the next prompt, or of an earlier turn that is being edited."""

    @property
    def editing(self) -> int | None:
        """The turn that what is being typed will replace."""

    @property
    def page_is_touched(self) -> bool:
        """Whether there are words on a page that were not sent."""

    def text(self) -> str: ...

    def set_text(self, text: str) -> None: ...

    def leave_editing(self) -> None:
        """The earlier turn stays as it is."""

    def forget(self) -> None:
        """Nothing is left of it, in either mode."""

    def setFocus(self) -> None: ...
