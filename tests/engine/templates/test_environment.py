from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from jinja2 import TemplateError

from app.engine.mlx.chat_templates import compile_inside
from app.engine.templates.environment import environment
from app.engine.templates.rendering import TemplateRefusedError, Templates
from app.engine.types import ChatPrompt
from tests.engine.made_templates import SHAPES, TEMPLATES
from tests.engine.tiers import mostly_slow
from tests.faults.mutations.templates import BROKEN, REACHING
from tests.standins.samples import Samples

MESSAGES = [{"role": "user", "content": "Hello <b>"}, {"role": "assistant", "content": "Hi é \ud83d"}]
CONTEXT: dict[str, Any] = {"messages": MESSAGES, "tools": None, "documents": None, "add_generation_prompt": True}
FEATURES = (
    "{{ 2 ** 10 }} {{ 3 * 4 }} {{ 'ab' * 3 }} {{ [1, 2] * 2 }} {{ 1.5 * 2 }} {{ 7 % 3 }}",
    "{{ 'a' ~ 1 ~ none ~ messages[0].role }} {{ 'a' + 'b' }} {{ [1] + [2] }}",
    "{{ '%s-%05d' % ('a', 7) }} {{ '%s' | format('b') }} {{ '{:>8}|{}'.format('a', 'b') }}",
    "{{ messages | tojson(indent=2) }}{{ messages | tojson }}{{ {'b': 1, 'a': 2} | tojson(sort_keys=true) }}",
    "{{ {'b': 1} | tojson(separators=(',', ':'), ensure_ascii=true) }}{{ 'x' | indent(4) }}{{ nothing | tojson }}",
    "{% set ns = namespace(n=0, self=1) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}",
    "{% set ns = namespace(_n=0) %}",
    "{% set ns = namespace() %}{% set ns._n = 0 %}",
    "{{ dict(a=1) }}{{ dict([('b', 2)]).items() | list }}{{ dict.fromkeys('ab', 1) }}{{ dict.__class__ }}",
    "{% for m in messages %}{% if loop.last %}{% break %}{% endif %}{% continue %}{% endfor %}x",
    "{% for m in messages %}\n {% generation %}{{ m.content }}{% set x = 1 %}{% endgeneration %}{{ x }}\n{% endfor %}",
    "  {% if true %}\n  a\n  {% endif %}\n{#- gone -#}\n b {{- 'c' }}\n\n",
    "{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m('a') ~ m(2) }}{% set b %}in {{ m(1) }}{% endset %}{{ b }}",
    "{{ messages | selectattr('role', 'equalto', 'user') | list }}{{ messages | map(attribute='role') | join }}",
    "{{ strftime_now('%Y') }}{{ strftime_now(format='%d') }}",
    "{{ raise_exception('Not on Sundays.') }}",
    "{{ range(10 ** 9) | length }}",
    "{{ messages.append(1) }}",
    "{{ tools is none }}{{ documents }}{{ add_generation_prompt }}{{ undefined_one }}",
)


@pytest.fixture(scope="module")
def process() -> Iterator[Templates]:
    made = Templates()
    yield made
    made.close()


def outcome(compiled: Any, context: dict[str, Any]) -> str:
    try:
        return str(compiled().render(context))
    except Exception as error:
        return f"{type(error).__name__}: {error}".partition(" at 0x")[0]


def asked(process: Templates, template: str) -> str:
    try:
        return process.render(template, CONTEXT)
    except TemplateRefusedError as error:
        return f"{error.kind}: {error}"


def same(template: str, context: dict[str, Any]) -> None:
    ours = outcome(lambda: environment().from_string(template), context)
    assert ours == outcome(lambda: compile_inside(template), context)


@pytest.mark.parametrize("template", [*FEATURES, *REACHING.values(), *BROKEN.values()])
def test_environment_renders_like_transformers(template: str) -> None:
    same(template, CONTEXT)


@pytest.mark.parametrize("template", [*FEATURES, *BROKEN.values()])
def test_child_renders_like_the_environment(template: str, process: Templates) -> None:
    assert asked(process, template) == outcome(lambda: environment().from_string(template), CONTEXT)


@pytest.mark.parametrize("subject", ["messages", "'a <b>&amp;'", "7", "{'a': 1}"])
def test_child_has_every_module_that_jinja_needs(subject: str, process: Templates) -> None:
    made = environment()
    names = [f"{{{{ {subject} | {name} }}}}" for name in made.filters]
    names += [f"{{{{ {subject} is {name} }}}}" for name in made.tests]
    names += [
        f"{{{{ {subject}.{name}() }}}}" for kind in (str, list, dict, int) for name in dir(kind) if name[0] != "_"
    ]
    for template in (*names, "{{ lipsum(1) }}", "{{ 'a b' | wordwrap(1) }}", "{{ cycler(1).next() }}{{ joiner()() }}"):
        told = asked(process, template)
        assert not told.startswith(("OSError", "ImportError", "ModuleNotFoundError", "LookupError")), template


@pytest.mark.parametrize("name", mostly_slow(TEMPLATES, "google-gemma-2-2b-it"))
def test_environment_real_templates_are_the_same(name: str, samples: Samples) -> None:
    template = samples.template(name)
    for shape in SHAPES.values():
        for more in ({}, {"enable_thinking": False}, {"tools": [{"function": {"name": "f", "parameters": {}}}]}):
            same(template, _context(shape) | more)


@pytest.mark.parametrize("name", REACHING)
def test_environment_blocks_access_to_the_system(name: str) -> None:
    with suppress(TemplateError, TypeError):
        written = environment().from_string(REACHING[name]).render(CONTEXT)
        assert "root:" not in written and "<class" not in written


def _context(shape: ChatPrompt) -> dict[str, Any]:
    messages = [{"role": str(message.role), "content": message.text} for message in shape.messages]
    return CONTEXT | {"messages": messages, "bos_token": "<s>", "eos_token": "</s>"}
