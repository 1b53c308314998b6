import pytest

from app.engine.templates.arguments import LONGEST_NAME, MOST_ARGUMENTS, inspected, template_text
from app.engine.templates.rendering import TEMPLATES
from app.engine.types import ArgumentKind
from tests.standins.samples import Samples


def names_of(template: str) -> tuple[str, ...]:
    return tuple(argument.name for argument in inspected(template))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Qwen-Qwen3-0.6B", ("enable_thinking",)),
        ("HuggingFaceTB-SmolLM3-3B", ("enable_thinking",)),
        ("llama-cpp-rwkv-world", ("enable_thinking",)),
        ("ibm-granite-granite-3.3-2B-Instruct", ("controls", "thinking")),
        ("meta-llama-Llama-3.2-3B-Instruct", ("date_string",)),
        ("mistralai-Mistral-Nemo-Instruct-2407", ()),
        ("deepseek-ai-DeepSeek-R1-Distill-Llama-8B", ()),
        ("google-gemma-2-2b-it", ()),
    ],
)
def test_inspected_real_templates(name: str, arguments: tuple[str, ...], samples: Samples) -> None:
    assert names_of(samples.template(name)) == arguments


@pytest.mark.parametrize(
    ("template", "arguments"),
    [
        ("{{ messages }}{{ style }}", ("style",)),
        ("{% set style = style | default('x') %}{{ style }}", ("style",)),
        ("{% set style = style if style is defined else 'x' %}{{ style }}", ("style",)),
        ("{% if messages %}{% set style = 'x' %}{% endif %}{{ style }}", ()),
        ("{% for m in messages %}{% generation %}{{ m }}{% endgeneration %}{% break %}{% endfor %}{{ a }}", ("a",)),
        ("{% generation %}{{ b }}{% endgeneration %}", ("b",)),
        ("", ()),
    ],
)
def test_inspected_leaves_out_the_template_s_own_names(template: str, arguments: tuple[str, ...]) -> None:
    assert names_of(template) == arguments


def test_template_text_of_several_is_the_default() -> None:
    assert template_text({"tool_use": "{{ a }}", "default": "{{ b }}"}) == "{{ b }}"
    assert template_text(None) == ""


@pytest.mark.parametrize(
    ("template", "kind", "choices"),
    [
        ("{% if x %}a{% endif %}", ArgumentKind.SWITCH, ()),
        ("{% if x is defined and x is false %}a{% endif %}", ArgumentKind.SWITCH, ()),
        ("{% if x is not defined %}{% set x = true %}{% endif %}{{ x }}", ArgumentKind.SWITCH, ()),
        ("{{ x | default(3) }}", ArgumentKind.NUMBER, ()),
        ("{{ x }}", ArgumentKind.TEXT, ()),
        ("{{ x | default('today') }}", ArgumentKind.TEXT, ()),
        ("{% if x == 'low' %}a{% elif x in ['mid', 'high'] %}b{% endif %}", ArgumentKind.TEXT, ("low", "mid", "high")),
        ("{% if x %}{{ x.length }}{% endif %}", ArgumentKind.STRUCTURE, ()),
        ("{% for each in x %}{{ each }}{% endfor %}", ArgumentKind.STRUCTURE, ()),
        ("{% if 'length' in x %}a{% endif %}", ArgumentKind.STRUCTURE, ()),
    ],
)
def test_inspected_kind_and_choices(template: str, kind: ArgumentKind, choices: tuple[str, ...]) -> None:
    (argument,) = inspected(template)
    assert (argument.name, argument.kind, argument.choices) == ("x", kind, choices)


def test_inspected_is_limited() -> None:
    crowd = "".join(f"{{{{ a{number} }}}}" for number in range(MOST_ARGUMENTS + 1))
    assert len(names_of(crowd)) == MOST_ARGUMENTS
    words = ["w" * 999, *(f"w{number}" for number in range(MOST_ARGUMENTS))]
    (argument,) = inspected(f"{{% if x in {words} %}}{{% endif %}}{{{{ {'y' * 999} }}}}")
    assert len(argument.choices) == MOST_ARGUMENTS
    assert all(len(word) <= LONGEST_NAME for word in argument.choices)


@pytest.mark.parametrize(
    "template",
    [
        *("{{ broken", "", "{{ x }}" * 50_000, "{{ " + "(" * 9_999 + "x" + ")" * 9_999 + " }}"),
        pytest.param("{{ x }}{{ 10 ** (10 ** 10) }}", marks=pytest.mark.slow),
    ],
)
def test_inspect_invalid_template_has_no_arguments(template: str) -> None:
    assert TEMPLATES.inspect(template) == ()


def test_inspect_in_the_child_gives_the_same(samples: Samples) -> None:
    for name in samples.templates():
        assert TEMPLATES.inspect(samples.template(name)) == inspected(samples.template(name)), name
