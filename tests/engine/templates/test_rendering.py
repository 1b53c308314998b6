import json
import os
import select
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from app.engine.system_load import resident_bytes
from app.engine.templates.child import REFUSED, TEXT
from app.engine.templates.process import RESIDENT_BYTES, TemplateEndedError, TemplateProcess, template_command
from app.engine.templates.rendering import (
    BESIDE,
    KEPT,
    LONGEST_QUESTION,
    LONGEST_TEMPLATE,
    RECENT,
    TemplateRefusedError,
    Templates,
    is_own,
)
from tests.engine.hostile_templates import OPERATIONS, made_up
from tests.engine.tiers import mostly_slow
from tests.examples import at_most

MESSAGES = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
PLAIN = "{{ messages[0].content }}"
ENDLESS = "{{ 10 ** (10 ** 10) }}"
QUICK = ("a macro that doubles", "a power")
HOSTILE = (*QUICK, "nested lists compared", "links in letters", "loops that say nothing")
"""These can't end by themselves on any machine."""


class Counted(TemplateProcess):
    asked = 0

    def ask(self, question: bytes, most: int) -> tuple[bytes, bytes]:
        Counted.asked += 1
        return super().ask(question, most)


class Scripted(TemplateProcess):
    said = (TEXT, b"")

    def ask(self, question: bytes, most: int) -> tuple[bytes, bytes]:
        return self.said


@pytest.fixture
def templates() -> Iterator[Templates]:
    Counted.asked = 0
    made = Templates(lambda: Counted(template_command(0.1)))
    yield made
    made.close()


@pytest.fixture(scope="module")
def quick() -> Iterator[Templates]:
    made = Templates(lambda: TemplateProcess(template_command(0.2)))
    yield made
    made.close()


def ended(templates: Templates, template: str) -> str:
    try:
        written = templates.render(template, {"messages": MESSAGES})
    except TemplateRefusedError as error:
        assert error.kind.isidentifier()
        return "refused"
    except TemplateEndedError as error:
        assert error.failure.what.endswith(".")
        return "ended"
    assert len(written) <= LONGEST_TEMPLATE * 4 + BESIDE
    return "written"


@pytest.mark.parametrize("name", mostly_slow(OPERATIONS, *QUICK))
def test_render_endless_template_is_ended(name: str, quick: Templates) -> None:
    before = resident_bytes(os.getpid())
    assert ended(quick, OPERATIONS[name]) == "ended" or name not in HOSTILE
    assert resident_bytes(os.getpid()) - before < 50_000_000
    assert quick.render(PLAIN, {"messages": MESSAGES}) == "Hello", "another process is there"


@pytest.mark.slow
@at_most(15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False))
def test_render_random_template_stays_within_limits(quick: Templates, luck: Random) -> None:
    ended(quick, made_up(luck))
    assert resident_bytes(quick.pid) < RESIDENT_BYTES


def test_render_ended_template_is_not_tried_again(templates: Templates) -> None:
    for text in ("a", "b"):
        with pytest.raises(TemplateEndedError, match="takes too long"):
            templates.render(ENDLESS, {"messages": text})
    assert Counted.asked == 1
    assert templates.inspect(ENDLESS) == ()
    assert Counted.asked == 1
    assert templates.render(PLAIN, {"messages": MESSAGES}) == "Hello"


@pytest.mark.slow
def test_begin_tries_an_ended_template_again(templates: Templates) -> None:
    for _ in range(2):
        templates.begin(ENDLESS)
        with pytest.raises(TemplateEndedError):
            templates.render(ENDLESS, {})
    assert Counted.asked == 2


def test_begin_starts_a_process_for_each_model(templates: Templates) -> None:
    templates.begin(PLAIN)
    first = templates._process
    templates.render(PLAIN, {"messages": MESSAGES})
    templates.begin(PLAIN)
    assert templates._process is first
    templates.begin("other")
    assert templates._process is not first
    assert first is not None
    with pytest.raises(ProcessLookupError):
        os.kill(first.pid, 0)


def test_render_after_a_failed_start_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    templates = Templates()
    with monkeypatch.context() as patch:
        patch.setattr("app.engine.templates.process.template_command", lambda: ["/nowhere/at/all"])
        templates.begin(PLAIN)
        with pytest.raises(TemplateEndedError, match="respond"):
            templates.render(PLAIN, {"messages": MESSAGES})
    assert templates.render(PLAIN, {"messages": MESSAGES}) == "Hello"
    templates.close()


def test_render_caches_answers(templates: Templates) -> None:
    for _ in range(3):
        assert templates.render(PLAIN, {"messages": MESSAGES}) == "Hello"
    assert Counted.asked == 1
    os.kill(templates.pid, signal.SIGKILL)
    assert templates._process is not None
    select.select([templates._process._stdout], [], [])  # its end of the pipe is closed
    assert templates.render(PLAIN, {"messages": [{"content": "Hi"}]}) == "Hi"
    for _ in range(2):
        templates.render("{{ strftime_now('%H:%M:%S') }}", {})
    assert Counted.asked == 4, "the time is rendered each time"
    for number in range(2 * KEPT):
        templates.render(PLAIN, {"messages": [{"content": number}]})
    assert len(templates._answers) == KEPT


def test_render_refusal_is_the_template_s_exception(templates: Templates) -> None:
    with pytest.raises(TemplateRefusedError, match="Not on Sundays") as refused:
        templates.render("{{ raise_exception('Not on Sundays.') }}", {})
    assert refused.value.kind == "TemplateError"
    with pytest.raises(TemplateRefusedError) as refused:
        templates.render("{{ raise_exception('x' * 999999) }}", {})
    assert len(str(refused.value)) < 10_000


@pytest.mark.parametrize(
    ("template", "context"),
    [("x" * (LONGEST_TEMPLATE + 1), {}), (PLAIN, {"messages": [{"content": "x" * LONGEST_QUESTION}]})],
)
def test_render_beyond_the_limits_is_refused(template: str, context: dict[str, object], templates: Templates) -> None:
    with pytest.raises(TemplateRefusedError, match="too long"):
        templates.render(template, context)
    assert Counted.asked == 0


def test_render_any_text_stays(templates: Templates) -> None:
    for text in ("half \ud83d a pair", "\x00", "é🎉", "\udfff", "{{ x }}"):
        assert templates.render(PLAIN, {"messages": [{"content": text}]}) == text


@pytest.mark.parametrize(
    "said",
    [b"", b"null", b"[1]", b'[{"name": 1, "kind": "text"}]', b'[{"name": "x", "kind": "?"}]', b"[" * 9_999, b"\xff"],
)
def test_invalid_answers_of_the_child_are_refused(said: bytes) -> None:
    templates = Templates(Scripted)
    for kind in (b"A", TEXT, REFUSED, b"?"):
        Scripted.said = (kind, said)
        assert templates.inspect(PLAIN + str(kind)) == ()
        with suppress(UnicodeDecodeError) if kind == TEXT else pytest.raises(TemplateRefusedError):
            templates.render(PLAIN + str(kind), {})
    templates.close()


def test_bundled_templates_need_no_process(demo_model: Path, demo_draft: Path, templates: Templates) -> None:
    for folder in (demo_model, demo_draft):
        template = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))["chat_template"]
        assert is_own(template)
        assert not is_own(template + " ")
        templates.begin(template)
        assert templates.inspect(template) == ()
    assert templates._process is None
    assert Counted.asked == 0


def test_line_at_is_the_line_that_writes_the_character(templates: Templates) -> None:
    template = "{% macro loud(text) %}{{ text | upper }}{% endmacro %}\n{{ first }}\n{{- loud('bc') }}\n{{- end }}"
    text = templates.render(template, {"first": "a", "end": "d"})
    assert (text, [templates.line_at(text, at) for at in range(5)]) == ("aBCd", [2, 3, 3, 4, 0])
    assert templates.line_at("another text", 0) is None


def test_line_at_after_a_text_was_rendered_again_is_still_known(templates: Templates) -> None:
    for number in (0, *range(1, RECENT), 0, RECENT):
        templates.render("{{ number }}", {"number": number})
    assert [templates.line_at(str(number), 0) for number in (0, 1)] == [1, None]
