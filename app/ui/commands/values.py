"""The entries of the command palette and of the keyboard shortcuts."""

from dataclasses import dataclass

from app.i18n import tr


@dataclass(frozen=True, slots=True)
class Command:
    """An entry of the palette. `place` is its menu; `keys` are written as the system does."""

    name: str
    text: str
    place: str
    tip: str = ""
    keys: str = ""
    enabled: bool = True
    checked: bool = False
    needs: str = ""
    """The reason why it is disabled; empty: it is enabled."""

    @property
    def told(self) -> str:
        """The text for screen readers."""
        state = () if self.enabled else (tr("not available"), self.needs)
        return ", ".join(filter(None, (self.text, self.place, tr("on") if self.checked else "", self.keys, *state)))


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A row of the shortcuts' window. `keys` are portable; without a name they are fixed."""

    name: str
    text: str
    group: str
    keys: tuple[str, ...] = ()
    tip: str = ""
    changed: bool = False
