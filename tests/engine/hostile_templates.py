"""Templates that take all time or all memory, one for each way that was found, and as many more as one likes."""

from random import Random

from tests.faults.mutations.templates import ENDLESS, ENORMOUS, growing

NESTED = "{% set a = namespace(v=[]) %}{% set b = namespace(v=[]) %}{% for i in range(99) %}{% set a.v = [a.v, a.v] %}"
NESTED += "{% set b.v = [b.v, b.v] %}{% endfor %}"
"""Two lists that are equal in 2⁹⁹ places; 200 bytes of text."""
LONG = "{% set s = 'a' * 20000000 %}"
LETTERS = "{% set s = 'a' * 5000000 %}"

OPERATIONS = {
    **ENDLESS,
    **ENORMOUS,
    "nested lists compared": NESTED + "{{ a.v == b.v }}",
    "nested lists ordered": NESTED + "{{ a.v < b.v }}",
    "nested lists sought": NESTED + "{{ a.v in [b.v] }}",
    "nested lists sorted": NESTED + "{{ [a.v, b.v]|sort }}",
    "nested lists written": NESTED + "{{ a.v }}",
    "nested lists as JSON": NESTED + "{{ a.v|tojson }}",
    "nested lists printed": NESTED + "{{ a.v|pprint }}",
    "links in a text": "{{ ('http://a.b ' * 2000000)|urlize }}",
    "links in letters": LETTERS + "{{ s|urlize }}",
    "a choice": "{% set r = range(99999)|list %}" + "{{ r|select|list }}" * 9 + growing("r", "ns.v|select|list * 2"),
    "a sum of lists": "{{ ([[1] * 9999] * 9999)|sum(start=[])|length }}",
    "a sum of words": "{{ (['a' * 9999] * 99999)|sum(start='')|length }}",
    "a joint of lists": "{{ ([['a' * 999] * 999] * 9999)|join|length }}",
    "a deep indent": "{{ ('a\\n' * 100000)|indent(100000, true)|length }}",
    "a macro in a macro": "{% macro m(n) %}{{ caller(n) * 9 if caller else 'a' * 9 }}{% endmacro %}"
    + growing("'a'", "ns.v * 9"),
    "a macro that doubles": "{% macro m(t) %}{{ t }}{{ t }}{% endmacro %}" + growing("'aaaaaaaa'", "m(ns.v)"),
    "a recursive loop": "{% for x in [1] recursive %}{{ loop([1, 1]) }}{% endfor %}",
    "letters by letters": LONG + "{{ s|list|length }}{{ s|batch(2)|list|length }}",
    "words wrapped": LONG + "{{ s|wordwrap(1)|length }}",
    "words counted": LONG + "{{ s|wordcount }}{{ s|unique|list }}",
    "all in upper case": "{{ ('ß' * 99999999)|upper|length }}",
    "escaped": "{{ ('<' * 99999999)|forceescape|length }}",
    "encoded": "{{ ('é' * 99999999).encode()|length }}",
    "random words": "{% for i in range(9999) %}{{ lipsum(n=99, min=9999, max=99999)|length }}{% endfor %}",
    "a long number": "{{ (7 ** 999999)|string|length }}",
    "numbers compared": "{{ 10 ** 9999999 == 10 ** 9999998 }}",
    "a wide date": "{{ strftime_now('%c' * 9999999)|length }}",
    "groups of groups": "{% for i in range(99999) %}{{ range(99999)|groupby('x')|list|length }}{% endfor %}",
    "all at compile time": "{{ 'a' * 99999999 ~ 'b' * 99999999 ~ 'c' * 99999999 ~ 'd' * 99999999 ~ 'e' * 99999999 }}",
    "a deep template": "{% if 1 %}" * 5_000 + "{% endif %}" * 5_000,
    "very many names": "".join(f"{{% set x{number} = {number} %}}" for number in range(9_000)),
}
"""What was found, and its relatives."""

SEEDS = ("messages", "range(9999)", "range(99999)|list", "'a' * 99999", "[1] * 99999", "'ab '", "7", "{'a': 1}", "v.v")
FILTERS = (
    *("list", "sort", "unique|list", "join", "join('aaaa')", "sum", "sum(start=[])", "urlize", "indent(9999)"),
    *("wordwrap(1)", "select|list", "map('string')|list", "tojson", "pprint", "string", "upper", "forceescape"),
    *("length", "batch(3)|list", "slice(9)|list", "center(99999)", "replace('a', 'aaaaaaaa')", "reverse|list"),
    *("groupby(0)|list", "random"),
)


BETWEEN = ("+", "*", "**", "~", "%", "==", "<", "in")
DEEPEST = 4
REPEATS = (1, 3, 30, 99_999)


def made_up(luck: Random) -> str:
    """A value that is made of itself again and again, by operations inside operations."""
    macro = "{% macro m(t) %}{{ t }}{{ t }}{% endmacro %}{% set v = namespace(v='aaaaaaaa') %}"
    step = f"{{% set v.v = {_expression(luck, DEEPEST)} %}}"
    return f"{macro}{{% for i in range({luck.choice(REPEATS)}) %}}{step}{{% endfor %}}{{{{ v.v }}}}"


def _expression(luck: Random, depth: int) -> str:
    if not depth or luck.random() < 1 / 6:
        return luck.choice(SEEDS)
    inner, kind = _expression(luck, depth - 1), luck.choice(("pair", "filter", "filter", "list", "macro", "many"))
    match kind:
        case "pair":
            return f"({inner} {luck.choice(BETWEEN)} {_expression(luck, depth - 1)})"
        case "filter":
            return f"({inner})|{luck.choice(FILTERS)}"
        case "list":
            return f"[{inner}, {_expression(luck, depth - 1)}]"
        case "macro":
            return f"m({inner})"
        case _:
            return f"({inner}) * 999"
