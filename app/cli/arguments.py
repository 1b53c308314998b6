"""Command-line arguments of the window, and the checks that the headless verbs share.

The module imports nothing heavy and shows nothing.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from app import __version__
from app.cli.verbs import VERBS
from app.engine.ranges import LONGEST_FORM
from app.engine.remote.address import server_model
from app.files import regular_files
from app.files.regular_files import expand_home, is_folder
from app.files.settings import user_folder
from app.platform.packages import mlx_backend

BAD_ARGUMENTS = 2
PATH_BEGINNINGS = ("/", ".", "~")
DEMO, DEMO_DRAFT = Path("models", "demo"), Path("models", "demo-draft")
"""The bundled models, in the resources folder."""
SCRIPTED = "echo"


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of the window. `model` empty: the last model, or the bundled one."""

    model: str
    data_folder: Path
    engine: str
    self_test: Path | None
    session: Path | None = None
    """A session file to import."""


class OneSentenceParser(argparse.ArgumentParser):
    """A parser whose error messages are one sentence, without the usage text."""

    def error(self, message: str) -> NoReturn:
        refuse(message[:1].upper() + message[1:])


class ShowVersion(argparse.Action):
    """Prints the version, and the backend of an installed MLX."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        # A bundle has one backend, and its packaging scripts read the version from this line.
        backend = "" if hasattr(sys, "_MEIPASS") else f" ({mlx_backend()})"
        sys.stdout.write(f"Sluice {__version__}{backend}\n")
        parser.exit()


class VerbParser(OneSentenceParser):
    """The parser of a headless verb, with the switches that all verbs share. `json` and `formats` are exclusive."""

    def __init__(
        self,
        verb: str,
        description: str,
        *,
        epilog: str = "",
        model: str = "the model; default: the bundled one",
        json: str = "",
        formats: Mapping[str, str] | None = None,
        data_dir: str = "accepted as by the other commands; nothing is stored",
    ) -> None:
        super().__init__(prog=f"sluice {verb}", description=description, epilog=epilog)
        if model:
            self.add_argument("--model", default="", metavar="PATH_OR_ID", help=model)
        if json:
            self.add_argument("--json", action="store_true", help=json)
        if formats:
            self.set_defaults(format=next(iter(formats)))
            group = self.add_mutually_exclusive_group()
            for name, text in formats.items():
                group.add_argument(f"--{name}", action="store_const", const=name, dest="format", help=f"print {text}")
        self.add_argument("--data-dir", type=Path, metavar="DIR", help=data_dir)

    def add_adapter(self) -> None:
        self.add_argument("--adapter", default="", metavar="DIR", help="a LoRA or DoRA adapter on the model")

    def add_engine(self, engines: Sequence[str]) -> None:
        self.add_argument("--engine", choices=engines, default=engines[0], help="echo: scripted, needs no model")


class ArgumentsError(SystemExit):
    """Invalid arguments, which end the program; `sentence` is the error message."""

    def __init__(self, sentence: str) -> None:
        super().__init__(BAD_ARGUMENTS)
        self.sentence = f"{sentence.rstrip('.')}."


def refuse(sentence: str) -> NoReturn:
    """Print one sentence on stderr and exit with code 2."""
    refusal = ArgumentsError(sentence)
    sys.stderr.write(f"sluice: {refusal.sentence}\n")
    raise refusal


def parse(arguments: Sequence[str]) -> Arguments:
    """Return the checked arguments of the window. Exit for --help, --version and bad arguments."""
    parser = OneSentenceParser(
        prog="sluice",
        description="A native playground for local language models.",
        epilog=f"Without a window, each with --help: sluice {', '.join(each.name for each in VERBS)}",
    )
    parser.add_argument("session", nargs="?", type=Path, metavar="FILE", help="open this .sluice session")
    parser.add_argument("--model", default="", metavar="PATH_OR_ID", help="open with this model")
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="the folder with settings and session database")
    parser.add_argument("--engine", choices=("mlx", SCRIPTED), default="mlx", help="echo: scripted, needs no model")
    parser.add_argument("--self-test", type=Path, metavar="DIR", help="run the self-test; write the report to DIR")
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="print the version and MLX's backend")
    options = parser.parse_args(arguments)
    self_test = expand_home(options.self_test) if options.self_test else None
    if self_test is not None:
        check_writable(self_test)
    # A self-test leaves the user's own settings alone, unless --data-dir names them.
    data_folder = expand_home(options.data_dir or self_test or user_folder())
    check_writable(data_folder)
    return Arguments(known_model(options.model), data_folder, options.engine, self_test, _session(options.session))


def known_model(name: str) -> str:
    """Return the absolute path of a model folder; refuse a missing one. Ids and names on servers stay unchanged."""
    if not name or server_model(name) is not None:
        return name
    folder = expand_home(name)
    if is_folder(folder):
        return str(folder.absolute())
    if name.startswith(PATH_BEGINNINGS) or os.path.lexists(folder) or os.sep not in name:
        refuse(f"There is no model folder {name}")
    return name


def local_model(name: str, why: str) -> str:
    """Return the result of `known_model`; refuse a model on a server with the sentence `why`."""
    if server_model(name) is not None:
        refuse(f"{why}; name a model on this machine")
    return known_model(name)


def known_adapter(name: str) -> str | None:
    """Return the absolute path of an existing adapter folder; None for an empty name."""
    folder = expand_home(name)
    if name and not is_folder(folder):
        refuse(f"There is no adapter folder {name}")
    return str(folder.absolute()) if name else None


def _session(file: Path | None) -> Path | None:
    if file is None:
        return None
    path = expand_home(file).absolute()
    with suppress(OSError):  # the folder may not be readable
        if path.is_file():
            return path
    refuse(f"There is no file {file}")


def check_writable(folder: Path) -> None:
    """Create the folder if it doesn't exist; refuse it if it can't be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        refuse(f"The folder {folder} can't be written to ({error.strerror or error})")


def read_text(file: str | Path) -> str:
    """Return the text of a schema file; refuse one that can't be read."""
    try:
        return regular_files.read(expand_home(file), LONGEST_FORM).decode()
    except OSError as error:
        refuse(f"{file} can't be read ({error.strerror or error})")
    except UnicodeDecodeError:
        refuse(f"{file} can't be read (it isn't UTF-8 text)")


def read_prompt(text: str) -> str:
    """Return the prompt; `-`: read it from stdin."""
    return sys.stdin.read() if text == "-" else text


def within(least: int, most: int) -> Callable[[str], int]:
    """Return an argparse type for a whole number in a range."""

    def number(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not between {least} and {most:,}")
        return value

    return number
