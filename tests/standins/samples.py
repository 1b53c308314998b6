"""Where a test finds tokenizers, templates, models and texts: the stand-ins or the real data, laid out alike."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.standins import models, texts, tokenizers

TEMPLATES = Path(__file__).parent / "templates"
STAND_IN, REAL = "stand-in", "real"


@dataclass(frozen=True, slots=True)
class Samples:
    """One of the two."""

    kind: str
    folder: Path

    def path(self, name: str) -> Path:
        """A file or a folder, such as `tokenizers/qwen3`; a stand-in is made when it is first asked for."""
        path = self.folder / name
        if self.kind == STAND_IN and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            MAKERS[name](path)
        return path

    def template(self, name: str) -> str:
        """The text of a chat template."""
        folder = TEMPLATES if self.kind == STAND_IN else self.folder / "templates"
        return (folder / f"{name}.jinja").read_text("utf-8")

    def templates(self) -> set[str]:
        """The names of all chat templates."""
        folder = TEMPLATES if self.kind == STAND_IN else self.folder / "templates"
        return {path.stem for path in folder.glob("*.jinja")}

    def naughty(self) -> list[str]:
        """Strings that break programs."""
        strings: list[str] = json.loads(self.path("text/naughty-strings/blns.json").read_text("utf-8"))
        return strings

    def stress_files(self) -> tuple[Path, ...]:
        """Files whose bytes are no, or barely, UTF-8."""
        if self.kind == STAND_IN:
            return tuple(self.path(f"text/{name}") for name in texts.MAKERS if name.startswith("utf8/"))
        found = (self.folder / "text").glob("utf8/**/*.txt")
        return tuple(sorted(each for each in found if each.name != "SOURCE.txt"))


MAKERS: dict[str, Callable[[Path], None]] = {
    **{f"tokenizers/{name}": make for name, make in tokenizers.MAKERS.items()},
    **{f"models/{name}": make for name, make in models.MAKERS.items()},
    **{f"text/{name}": make for name, make in texts.MAKERS.items()},
}
