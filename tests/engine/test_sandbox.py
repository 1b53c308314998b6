"""Templates that would take all memory or all time end in an error, and real ones don't notice."""

from __future__ import annotations

import threading

import pytest
from jinja2 import TemplateError
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from app.engine.sandbox import Sandbox
from app.engine.template_time_limit import TimeLimitError, time_limit
from tests.faults.mutations import templates

MESSAGES = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]


def render(template: str) -> str:
    return Sandbox(trim_blocks=True, lstrip_blocks=True).from_string(template).render(messages=MESSAGES)


@pytest.mark.parametrize("name", templates.ENDLESS)
def test_what_has_no_end_is_ended(name: str) -> None:
    with pytest.raises((TimeLimitError, RecursionError, SecurityError)), time_limit(0.2):
        render(templates.ENDLESS[name])


@pytest.mark.parametrize("name", templates.ENORMOUS)
def test_what_is_enormous_is_never_made(name: str) -> None:
    with pytest.raises((TemplateError, TimeLimitError, RecursionError)), time_limit(0.2):
        render(templates.ENORMOUS[name])


@pytest.mark.parametrize("name", templates.REACHING)
def test_what_reaches_out_gets_nothing(name: str) -> None:
    try:
        written = render(templates.REACHING[name])
    except (TemplateError, TypeError):
        return
    assert "root:" not in written and "<class" not in written


@pytest.mark.parametrize(
    "template",
    [
        "{{ 2 ** 10 }} {{ 3 * 4 }} {{ 'ab' * 3 }} {{ [1, 2] * 2 }} {{ 1.5 * 2 }} {{ 7 % 3 }}",
        "{{ 'a' ~ 1 ~ none ~ messages[0].role }} {{ 'a' + 'b' }} {{ [1] + [2] }}",
        "{{ '%s-%05d' % ('a', 7) }} {{ '%s' | format('b') }} {{ '{:>8}|{}'.format('a', 'b') }}",
        "{{ 'a,b'.replace(',', ';') }} {{ 'a' | replace('a', 'bb') }}",
        "{{ ', '.join(['a', 'b']) }} {{ ['a'] | join('/') }}",
        "{{ messages | tojson(indent=2) }} {{ 'x' | indent(4) }} {{ 'x' | center(9) }} {{ 'a'.ljust(5) }}|",
        "{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}",
        "{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m('a') ~ m(2) }}{% set b %}in {{ m(1) }}{% endset %}{{ b }}",
        "{{ messages | map(attribute='role') | list }} {{ messages | selectattr('role', 'equalto', 'user') | list }}",
        "{{ 1700000000 | default(1700000000) }} {{ '%d' % 1700000000 }} {{ 'all'.find('l', 0, 10000000) }}",
        "{{ nothing ~ 'a' }}{{ messages | last | attr('role') }}{{ 'a  b'.split() }}{{ ' a '.strip() }}",
    ],
)
def test_real_templates_write_what_they_always_did(template: str) -> None:
    plain = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    assert render(template) == plain.from_string(template).render(messages=MESSAGES)


def test_filters_that_come_later_are_weighed_too() -> None:
    sandbox = Sandbox()
    sandbox.filters["indent"] = lambda text, width: " " * width + text
    assert sandbox.from_string("{{ 'a' | indent(2) }}").render() == "  a"
    with pytest.raises(SecurityError):
        sandbox.from_string("{{ 'a' | indent(10000000000) }}").render()


def test_patience_is_over_when_it_is_over() -> None:
    with time_limit(0.0), pytest.raises(TimeLimitError):
        render("{% for x in range(9) %}{{ x }}{% endfor %}")
    assert render("{{ 'a' | upper }}") == "A"


def test_the_shorter_patience_counts() -> None:
    with time_limit(0.0), time_limit(9.0), pytest.raises(TimeLimitError):
        render("{{ 'a' | upper }}")


def test_other_threads_have_their_own_patience() -> None:
    written: list[str] = []
    thread = threading.Thread(target=lambda: written.append(render("{{ 'a' | upper }}")))
    with time_limit(0.0):
        thread.start()
        thread.join()
    assert written == ["A"]
