"""The headless verbs: their names, their aliases, and the modules that do their work."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from app.engine.protocol import Collect, Engine

Engines = Mapping[str, Callable[[Collect], Engine]]


@dataclass(frozen=True, slots=True)
class Verb:
    """A command that needs no display. `main` of its module runs it and returns the exit code."""

    name: str
    module: str
    alias: str = ""
    """An older name, with the same switches and JSON output."""

    def run(self, arguments: Sequence[str], engines: Engines, resources: Path) -> int:
        code: int = import_module(self.module).main(arguments, engines, resources)
        return code


VERBS = (
    Verb("ask", "app.cli.ask"),
    Verb("eval", "app.cli.evaluation", "run"),
    Verb("experiment", "app.cli.experiment"),
    Verb("lens", "app.cli.lens", "inside"),
    Verb("perplexity", "app.cli.perplexity", "weigh"),
    Verb("profile", "app.cli.profile", "why"),
    Verb("quantize", "app.cli.quantize", "quantise"),
)


def find_verb(words: Sequence[str]) -> Verb | None:
    """Return the verb of the first argument; None if it isn't one. A file with a verb's name is opened as ./NAME."""
    word = words[0] if words else ""
    return next((each for each in VERBS if word and word in (each.name, each.alias)), None)
