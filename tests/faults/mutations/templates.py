"""The chat template: endless, enormous, broken, or reaching for what is none of its business."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.faults.mutations.mutation import Mutation, Spoil, beside, setting, write

MANY = "range(100000)"


def growing(first: str, next_one: str) -> str:
    """A value that is made of itself a hundred times."""
    return f"{{% set ns = namespace(v={first}) %}}{{% for i in range(99) %}}{{% set ns.v = {next_one} %}}{{% endfor %}}"


ENDLESS = {
    "loops in loops": "".join(f"{{% for i{n} in {MANY} %}}" for n in range(5)) + "x" + "{% endfor %}" * 5,
    "loops that say nothing": "".join(f"{{% for i{n} in {MANY} %}}" for n in range(5)) + "{% endfor %}" * 5,
    "a list of lists": f"{{{{ {MANY}|map('string')|list|map('list')|list|map('join')|join|length }}}}",
    "a macro without end": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "a macro that calls itself twice": (
        "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}"
    ),
    "sums of sums": f"{{% for i in {MANY} %}}{{% set x = {MANY}|sum %}}{{% endfor %}}",
    "sorts of sorts": f"{{% for i in {MANY} %}}{{% set x = {MANY}|list|reverse|sort %}}{{% endfor %}}",
}
ENORMOUS = {
    "a power": "{{ 10 ** (10 ** 10) }}",
    "a power that grows": growing("10", "ns.v ** 10"),
    "a product that grows": growing("10", "ns.v * ns.v"),
    "a word many times": "{{ 'a' * 10000000000 }}",
    "a word many times, hidden": "{% set n = messages|length * 100000 %}{{ ('a' * n * n)|length }}",
    "a list many times": "{% set n = messages|length * 100000 %}{{ ([1] * n * n)|length }}",
    "a word that doubles": growing("'aaaaaaaa'", "ns.v ~ ns.v"),
    "a list that doubles": growing("[1]", "ns.v + ns.v"),
    "a wide word": "{{ 'a'.ljust(10000000000)|length }}",
    "a wide format": "{{ ('%10000000000d' % 1)|length }}",
    "a wide format with a star": "{{ ('%*d' % (10000000000, 1))|length }}",
    "a wide brace": "{{ '{:10000000000}'.format(1)|length }}",
    "a wide filter": "{{ ('a'|center(10000000000))|length }}",
    "a wide indent": "{{ (messages|tojson(indent=10000000000))|length }}",
    "an exchange": "{% set s = 'a' * 100000 %}{{ s.replace('a', s)|length }}",
    "an exchange by filter": "{% set s = 'a' * 100000 %}{{ (s|replace('a', s))|length }}",
    "a joint": "{% set s = 'a' * 100000 %}{{ s.join(s)|length }}",
    "a joint by filter": "{% set s = 'a' * 100000 %}{{ (s|join(s))|length }}",
    "a long text": "{% for i in range(100000) %}{{ 'a' * 100000 }}{% endfor %}",
    "a deep expression": "{{ " + "(" * 100_000 + "1" + ")" * 100_000 + " }}",
    "ten megabytes": "{{ 1 }}" * 1_500_000,
}
REACHING = {
    "the classes": "{{ ().__class__.__bases__[0].__subclasses__() }}",
    "the globals": "{{ lipsum.__globals__['os'].system('touch RAN') }}",
    "the globals by attribute": "{{ lipsum|attr('__globals__') }}",
    "the system": "{{ cycler.__init__.__globals__.os.popen('touch RAN').read() }}",
    "a file": "{% include '/etc/passwd' %}",
    "a module": "{% import 'os' as os %}{{ os.system('touch RAN') }}",
    "a builtin": "{{ ''.__class__.__mro__[1].__subclasses__()[0]('touch RAN') }}",
    "open": "{{ open('/etc/passwd').read() }}",
    "a format": "{{ '{0.__class__.__init__.__globals__}'.format(namespace) }}",
    "a self": "{{ self.__init__.__globals__ }}",
    "a frame": "{% for x in (g for g in [1]) %}{{ x.gi_frame }}{% endfor %}",
    "its messages": "{{ messages.append(messages) }}{{ messages }}",
}
BROKEN = {
    "an exception": "{{ raise_exception('no') }}",
    "a division": "{{ 1 // 0 }}",
    "no such filter": "{{ 1|nothing }}",
    "no end": "{% for x in messages %}",
    "nothing at all": "",
    "only spaces": "   ",
    "half a surrogate": "{{ '\\ud800' }}",
    "a zero": "{{ '\\x00' }}",
    "an undefined": "{{ nothing.at.all }}",
    "no words": "{{ messages[0].role }}",
    "only a number": "{{ 5 }}",
}


ITSELF = "{% include 'chat_template.jinja' %}{% extends 'chat_template.jinja' %}"


def a_thousand(folder: Path, luck: Random) -> None:
    (folder / "additional_chat_templates").mkdir()
    for at in range(1_000):
        write(folder / "additional_chat_templates" / f"x{at}.jinja", "{{ messages }}")


def template(text: str) -> Spoil:
    return setting("tokenizer_config.json", chat_template=text)


def all_of_them() -> Iterator[Mutation]:
    for kind, templates in (("endless", ENDLESS), ("enormous", ENORMOUS), ("reaching", REACHING), ("broken", BROKEN)):
        for name, text in templates.items():
            yield Mutation(f"{kind} template: {name}", template(text))
    yield Mutation("a template file of no text", beside("chat_template.jinja", b"\xff\xfe\x00"))
    yield Mutation("a template file that is empty", beside("chat_template.jinja", ""))
    yield Mutation("a template file that is no table", beside("chat_template.json", "[]"))
    yield Mutation("a template file of fifty megabytes", beside("chat_template.jinja", "{{ messages }}" * 3_600_000))
    yield Mutation("a template file that includes itself", beside("chat_template.jinja", ITSELF))
    yield Mutation("a thousand templates", a_thousand)
    yield Mutation("a second template of no text", beside("additional_chat_templates/x.jinja", b"\xff\xfe\x00"))
