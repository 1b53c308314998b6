"""Keeps the raw page in step with the playground's turns, and the user's edits where possible."""

from app.bridge.conversation import page_of
from app.controls import Mode
from app.engine.types import Role, VisibleText
from app.state import State, Turn
from app.ui.prompt.field import PromptField

Turns = tuple[Turn, ...]


class PageController:
    """Updater of the raw page. Answers stream by frames; other changes are applied as the difference of two states."""

    def __init__(self, field: PromptField) -> None:
        self._field = field
        self._session = 0
        """Session of the page."""

    def apply(self, old: State, new: State) -> None:
        """Update the page in raw mode if its turns have changed."""
        if new.controls.mode is not Mode.RAW:
            return
        another = new.session != self._session and new.turns is not old.turns
        stays = old.controls.mode is Mode.RAW and new.turns is old.turns
        self._session = new.session
        if stays or (old.controls.mode is Mode.CHAT and not another):
            return
        was_open, is_open = old.controls.mode is Mode.RAW and _is_open(old.turns), _is_open(new.turns)
        if is_open and not was_open:
            if not new.turns[-1].runs:
                self._put(new.turns[:-1])
            self._field.begin_answer()
        elif was_open and not is_open:
            self._field.end_answer()
        elif not is_open:
            self._put(new.turns)

    def write(self, shown: tuple[VisibleText, ...]) -> None:
        """Append a frame's text of all channels."""
        self._field.write_answer("".join(piece.text for piece in shown))

    def _put(self, turns: Turns) -> None:
        if self._field.text() != page_of(turns):
            self._field.show_page([(page_of((turn,)), turn.role is Role.ASSISTANT) for turn in turns])


def _is_open(turns: Turns) -> bool:
    return bool(turns) and turns[-1].open
