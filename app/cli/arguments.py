"""What stands on the command line, checked before anything heavy is imported or shown."""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from app import __version__
from app.engine.remote.address import server_model
from app.files.regular_files import expand_home, is_folder
from app.files.settings import user_folder

BAD_ARGUMENTS = 2
ASK, EXPERIMENT, INSIDE, QUANTISE, RUN, WEIGH, WHY = "ask", "experiment", "inside", "quantise", "run", "weigh", "why"
COMMANDS = ASK, EXPERIMENT, INSIDE, QUANTISE, RUN, WEIGH, WHY
"""As the first word each is a command: what follows is asked of no window."""
PATH_BEGINNINGS = ("/", ".", "~")


@dataclass(frozen=True, slots=True)
class Arguments:
    """The switches of the program. `model` empty: the one of last time, or the bundled one."""

    model: str
    data_folder: Path
    engine: str
    self_test: Path | None
    session: Path | None = None
    """A session's file to import."""


class OneSentenceParser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage before it."""

    def error(self, message: str) -> NoReturn:
        refuse(message[:1].upper() + message[1:])


class ArgumentsError(SystemExit):
    """The program ends before it began; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(BAD_ARGUMENTS)
        self.sentence = f"{sentence.rstrip('.')}."


def refuse(sentence: str) -> NoReturn:
    """One sentence on stderr, exit code 2."""
    refusal = ArgumentsError(sentence)
    sys.stderr.write(f"sluice: {refusal.sentence}\n")
    raise refusal


def parse(arguments: Sequence[str]) -> Arguments:
    """The checked switches; leaves the program for --help, --version and whatever is wrong."""
    parser = OneSentenceParser(
        prog="sluice",
        description="A native playground for local language models.",
        epilog=f"Without a window, each with --help: sluice {', '.join(COMMANDS)}",
    )
    parser.add_argument("session", nargs="?", type=Path, metavar="FILE", help="open this .sluice session")
    parser.add_argument("--model", default="", metavar="PATH_OR_ID", help="open with this model")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="keep settings and journal in DIR")
    parser.add_argument("--engine", choices=("mlx", "echo"), default="mlx", help="echo: scripted, needs no model")
    parser.add_argument("--self-test", type=Path, metavar="DIR", help="run a check of the whole program into DIR")
    parser.add_argument("--version", action="version", version=f"Sluice {__version__}")
    given = parser.parse_args(arguments)
    self_test = expand_home(given.self_test) if given.self_test else None
    if self_test is not None:
        # A check of the program leaves the user's own settings alone, unless it is told to use them.
        writable(self_test)
    data_folder = expand_home(given.data_dir or self_test or user_folder())
    writable(data_folder)
    return Arguments(known_model(given.model), data_folder, given.engine, self_test, _session(given.session))


def known_model(given: str) -> str:
    """A folder must be there; anything else names a model on a server, or is an id, which the engine looks up."""
    if not given or server_model(given) is not None:
        return given
    folder = expand_home(given)
    if is_folder(folder):
        return str(folder.absolute())
    if given.startswith(PATH_BEGINNINGS) or os.path.lexists(folder) or os.sep not in given:
        refuse(f"There is no model folder {given}")
    return given


def local_model(given: str, why: str) -> str:
    """The same for what takes a model on this machine; `why` one on a server can't be taken."""
    name = known_model(given)
    if server_model(name) is not None:
        refuse(f"{why}; name a model on this machine")
    return name


def known_adapter(given: str) -> str | None:
    """Its folder must be there; what is in it the engine looks at."""
    folder = expand_home(given)
    if given and not is_folder(folder):
        refuse(f"There is no adapter folder {given}")
    return str(folder.absolute()) if given else None


def _session(given: Path | None) -> Path | None:
    """Whether it holds a session shows when it is read."""
    if given is None:
        return None
    path = expand_home(given).absolute()
    with suppress(OSError):  # nobody may look there
        if path.is_file():
            return path
    refuse(f"There is no file {given}")


def writable(folder: Path) -> None:
    """It is made if it isn't there; one that can't be written to is refused."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        refuse(f"The folder {folder} can't be written to ({error.strerror or error})")
