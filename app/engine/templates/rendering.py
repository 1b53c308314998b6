"""Renders chat templates: those of the bundled models in this process, all others in a child process."""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256

from app.engine.templates.arguments import inspected
from app.engine.templates.child import ARGUMENTS, LINE, REFUSED, TEXT
from app.engine.templates.process import TemplateEndedError, TemplateProcess
from app.engine.types import Failure, TemplateArgument
from app.files import json_reader
from app.files.json_values import UNFIT, read

OWN = frozenset({"3dc9aaf14db01800884c3bf144cf51d815ac993b2743d23cc1269b7d5251a807"})
"""Digests of the bundled models' templates."""
LONGEST_TEMPLATE = 300_000
"""Characters; the longest known template has a tenth of it."""
LONGEST_QUESTION = 32_000_000
"""Bytes."""
AS_LONG, BESIDE = 4, 1_000_000
"""Limits on the output: a multiple of the input, plus a number of bytes."""
KEPT, LONGEST_KEPT = 32, 200_000
"""Number of cached answers, and maximum bytes of one."""
LONGEST_REFUSAL = 2_000
RECENT = 8
"""Rendered texts whose template lines can be found; the preview of a prompt renders up to 4 of them."""
CLOCK = "strftime_now"

Answer = tuple[bytes, bytes]


class TemplateRefusedError(Exception):
    """An exception of the template or its environment; `kind` is its name."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Templates:
    """Renders untrusted templates in a child process.

    It caches answers, and remembers templates that killed the child.
    """

    def __init__(self, start: Callable[[], TemplateProcess] = TemplateProcess) -> None:
        self._start = start
        self._lock = threading.Lock()
        self._process: TemplateProcess | None = None
        self._asked: set[str] = set()
        """Digests of the templates that this child has seen."""
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._recent: OrderedDict[str, tuple[str, Mapping[str, object]]] = OrderedDict()
        """Template and context of the last rendered texts, by the digest of the text."""
        self._ended: dict[str, Failure] = {}

    @property
    def pid(self) -> int:
        return self._process.pid if self._process is not None else 0

    def begin(self, template: str) -> None:
        """Prepare for a model that is being opened: start a fresh child, and allow its template again."""
        about = _digest(template)
        with self._lock:
            self._ended.pop(about, None)
            if self._asked - {about}:
                self._end()
            if about not in OWN:
                with suppress(TemplateEndedError):  # the request itself reports it
                    self._started()

    def close(self) -> None:
        with self._lock:
            self._end()

    def render(self, template: str, context: Mapping[str, object]) -> str:
        """Render a template.

        Raises TemplateRefusedError for its own errors, and TemplateEndedError if the child was killed.
        """
        text = self._ask({"template": template, "context": context}, TEXT).decode("utf-8", "surrogatepass")
        with self._lock:
            self._recent[_digest(text)] = template, context
            self._recent.move_to_end(_digest(text))
            while len(self._recent) > RECENT:
                self._recent.popitem(last=False)
        return text

    def line_at(self, text: str, position: int) -> int | None:
        """Return the template line that wrote a character of a rendered text; None if the text isn't a recent one."""
        with self._lock:
            template, context = self._recent.get(_digest(text), ("", {}))
        if not template:
            return None
        try:
            return int(self._ask({"template": template, "context": context, "position": position}, LINE))
        except (TemplateRefusedError, TemplateEndedError):
            return None

    def inspect(self, template: str) -> tuple[TemplateArgument, ...]:
        """Return the arguments of a template; empty if they can't be found."""
        try:
            if is_own(template):
                return inspected(template)
            said = self._ask({"template": template, "context": None}, ARGUMENTS)
            return read(tuple[TemplateArgument, ...], json_reader.parse(said))
        except (TemplateRefusedError, TemplateEndedError, *UNFIT):
            return ()

    def _ask(self, asked: Mapping[str, object], wanted: bytes) -> bytes:
        template = str(asked["template"])
        if len(template) > LONGEST_TEMPLATE:
            raise TemplateRefusedError("TemplateSyntaxError", "The template is too long.")
        question = json.dumps(asked, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if len(question) > LONGEST_QUESTION:
            raise TemplateRefusedError("ValueError", "The conversation is too long.")
        with self._lock:
            kind, said = self._answer(template, question)
        if kind == REFUSED:
            name, _, message = said[: 4 * LONGEST_REFUSAL].decode("utf-8", "replace").partition("\n")
            raise TemplateRefusedError(name, message)
        if kind != wanted:
            raise TemplateRefusedError("ValueError", f"an answer of the kind {kind!r}")
        return said

    def _answer(self, template: str, question: bytes) -> Answer:
        digest, about = sha256(question).hexdigest(), _digest(template)
        if about in self._ended:
            raise TemplateEndedError(self._ended[about])
        if digest in self._answers:
            self._answers.move_to_end(digest)
            return self._answers[digest]
        answer = self._answered(question, about)
        if len(answer[1]) <= LONGEST_KEPT and CLOCK not in template:
            self._answers[digest] = answer
            if len(self._answers) > KEPT:
                self._answers.popitem(last=False)
        return answer

    def _answered(self, question: bytes, about: str) -> Answer:
        if self._process is not None and not self._process.is_idle:
            self._end()
        process = self._started()
        self._asked.add(about)
        try:
            return process.ask(question, AS_LONG * len(question) + BESIDE)
        except BaseException as error:
            self._end()
            if isinstance(error, TemplateEndedError) and not error.again:
                self._ended[about] = error.failure
            raise

    def _started(self) -> TemplateProcess:
        if self._process is None:
            self._process = self._start()
        return self._process

    def _end(self) -> None:
        self._asked.clear()
        if self._process is not None:
            self._process.end()
            self._process = None


TEMPLATES = Templates()
"""One for the whole program, since transformers compiles all templates in one place."""


def is_own(template: str) -> bool:
    """Return whether this is a template of a bundled model, which may be rendered in this process."""
    return _digest(template) in OWN


def _digest(template: str) -> str:
    return sha256(template.encode("utf-8", "surrogatepass")).hexdigest()
