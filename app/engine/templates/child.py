"""The child process that renders untrusted chat templates and compiles grammars. It answers requests on a pipe.

It limits itself before it reads untrusted input: after that it opens no file and no connection, and starts nothing. The
parent kills it if it doesn't answer.
"""

from __future__ import annotations

import os
import resource
import signal
import struct
import sys
import time
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from app.engine.templates.arguments import inspected
from app.engine.types import TemplateArgument
from app.files import json_reader
from app.files.json_values import dumps

if TYPE_CHECKING:
    from jinja2 import Template

LENGTH = struct.Struct(">I")
HEAD = struct.Struct(">cI")
"""Kind of an answer and number of bytes that follow."""
READY, TEXT, ARGUMENTS, LINE, REFUSED, TOO_LARGE = b"R", b"T", b"A", b"L", b"E", b"M"

ADDRESSES_BYTES = 600_000_000
"""Maximum bytes of address space; a conversation of a million tokens takes a quarter of it."""
LATER = (
    *("app.engine.templates.environment", "jinja2.constants", "jinja2.debug", "jinja2.meta"),
    *("encodings.unicode_escape", "html", "pprint", "textwrap", "app.engine.structured_output.grammar", "llguidance"),
)
"""Modules that are imported on demand; they must be loaded before files are blocked."""
TEMPLATES = 8
"""Maximum number of compiled templates kept."""
LONGEST_REFUSAL = 2_000
STDIN, STDOUT = 0, 1


def main(processor_s: str) -> int:
    """Answer requests until the parent closes the pipe; each has a limit of processor time."""
    _limit()
    _say(READY, b"")
    while (question := _read_request()) is not None:
        signal.setitimer(signal.ITIMER_PROF, float(processor_s))
        kind, content = _answer(question)
        signal.setitimer(signal.ITIMER_PROF, 0)
        _say(kind, content)
        if kind == TOO_LARGE:  # its state after a MemoryError is unknown
            return 1
    return 0


def _limit() -> None:
    for name in LATER:
        import_module(name)
    time.localtime()  # loads the time zone while files can be read
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_NPROC: 0, resource.RLIMIT_NOFILE: 3}
    if sys.platform == "linux":  # macOS doesn't enforce it
        limits[resource.RLIMIT_AS] = ADDRESSES_BYTES
    for limit, most in limits.items():
        resource.setrlimit(limit, (most, most))


def _answer(question: bytes) -> tuple[bytes, bytes]:
    try:
        asked: dict[str, Any] = json_reader.own(question.decode("utf-8", "surrogatepass"))
        if "grammar" in asked:
            from app.engine.structured_output.grammar import complaint  # imported late, because of a circular import

            return TEXT, complaint(asked["grammar"]).encode("utf-8", "replace")
        if (context := asked["context"]) is None:
            found = inspected(asked["template"])
            return ARGUMENTS, dumps(tuple[TemplateArgument, ...], found).encode()
        if "position" in asked:
            return LINE, str(_line_at(_compiled(asked["template"]), context, asked["position"])).encode()
        return TEXT, _compiled(asked["template"]).render(context).encode("utf-8", "surrogatepass")
    except MemoryError:
        return TOO_LARGE, b""
    except Exception as error:  # an untrusted template may raise anything
        content = f"{type(error).__name__}\n{str(error)[:LONGEST_REFUSAL]}"
        return REFUSED, content.encode("utf-8", "surrogatepass")


def _line_at(template: Template, context: dict[str, Any], position: int) -> int:
    """Return the line that writes the character at `position`; 0 if the text is shorter.

    Output of a macro belongs to the line of its call, and constant text to the statement before it, since Jinja records
    no line for that.
    """
    pieces: Any = template.root_render_func(template.new_context(context))
    written = 0
    for piece in pieces:
        written += len(piece)
        if written > position:
            return template.get_corresponding_lineno(pieces.gi_frame.f_lineno)
    return 0


@lru_cache(maxsize=TEMPLATES)
def _compiled(template: str) -> Template:
    from app.engine.templates.environment import environment  # late: the parent imports this module

    return environment().from_string(template)


def _read_request() -> bytes | None:
    size = _read(LENGTH.size)
    return None if size is None else _read(*LENGTH.unpack(size))


def _read(size: int) -> bytes | None:
    parts = []
    while size:
        part = os.read(STDIN, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _say(kind: bytes, content: bytes) -> None:
    left = memoryview(HEAD.pack(kind, len(content)) + content)
    while left:
        left = left[os.write(STDOUT, left) :]
