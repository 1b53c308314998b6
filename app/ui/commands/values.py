"""What the palette and the sheet of shortcuts show."""

from dataclasses import dataclass

from app.i18n import tr


@dataclass(frozen=True, slots=True)
class Command:
    """Something to be chosen by its words. `place` is where else it is found; `keys` as the system writes them."""

    name: str
    text: str
    place: str
    tip: str = ""
    keys: str = ""
    enabled: bool = True
    checked: bool = False
    needs: str = ""
    """What it waits for while it can't be used."""

    @property
    def told(self) -> str:
        """For whoever hears it."""
        state = () if self.enabled else (tr("not available"), self.needs)
        return ", ".join(filter(None, (self.text, self.place, tr("on") if self.checked else "", self.keys, *state)))


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A line of the sheet. `keys` are portable; without a name they can't be changed."""

    name: str
    text: str
    group: str
    keys: tuple[str, ...] = ()
    tip: str = ""
    changed: bool = False
