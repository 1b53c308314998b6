"""Templates that take all time or all memory in ways that nobody weighs, and one generator of more of them."""

from __future__ import annotations

from hypothesis import strategies as st

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

SEEDS = (
    "messages",
    "range(9999)",
    "range(99999)|list",
    "'a' * 99999",
    "[1] * 99999",
    "'ab c '",
    "7",
    "{'a': 1}",
    "v.v",
)
FILTERS = (
    "list",
    "sort",
    "unique|list",
    "join",
    "join('aaaa')",
    "sum",
    "sum(start=[])",
    "urlize",
    "indent(9999)",
    "wordwrap(1)",
    "select|list",
    "map('string')|list",
    "tojson",
    "pprint",
    "string",
    "upper",
    "forceescape",
    "length",
    "batch(3)|list",
    "slice(9)|list",
    "center(99999)",
    "replace('a', 'aaaaaaaa')",
    "reverse|list",
    "groupby(0)|list",
    "random",
)


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, st.sampled_from(("+", "*", "**", "~", "%", "==", "<", "in")), inner)
    return st.one_of(
        pair.map(lambda found: f"({found[0]} {found[1]} {found[2]})"),
        st.tuples(inner, st.sampled_from(FILTERS)).map(lambda found: f"({found[0]})|{found[1]}"),
        st.tuples(inner, inner).map(lambda found: f"[{found[0]}, {found[1]}]"),
        inner.map(lambda found: f"m({found})"),
        inner.map(lambda found: f"({found}) * 999"),
    )


EXPRESSIONS = st.recursive(st.sampled_from(SEEDS), _grown, max_leaves=8)


def _body(expression: str, repeats: int) -> str:
    macro = "{% macro m(t) %}{{ t }}{{ t }}{% endmacro %}{% set v = namespace(v='aaaaaaaa') %}"
    step = f"{{% set v.v = {expression} %}}"
    return f"{macro}{{% for i in range({repeats}) %}}{step}{{% endfor %}}{{{{ v.v }}}}"


HOSTILE = st.builds(_body, EXPRESSIONS, st.sampled_from((1, 3, 30, 99_999)))
"""A value that is made of itself again and again, by operations inside operations."""
