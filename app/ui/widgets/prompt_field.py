"""What other rooms may do with the field in which the next prompt is typed."""

from __future__ import annotations

from typing import Protocol


class PromptField(Protocol):
    """The window gives them the field itself."""

    @property
    def page_is_touched(self) -> bool:
        """Whether there are words on a page that were not sent."""

    def text(self) -> str: ...

    def set_text(self, text: str) -> None: ...

    def setFocus(self) -> None: ...
