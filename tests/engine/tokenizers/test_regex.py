"""Patterns of tokenizers: those of real models are taken, and what is taken takes time by the length of a text."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from app.engine.tokenizers.regex import SQUARED, EndlessError, shortest_match
from tests.engine.tokenizer_child import Child
from tests.examples import at_most

LENGTH = 30_000
MOST_CPU_S = 1.5
"""A hundredth of it is usual. What grows with the square takes four seconds and more."""
TAIL = r"\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
BEFORE, ENDINGS = r"[^\r\n\p{L}\p{N}]?", r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
WORDS = rf"{BEFORE}{UPPER}*{LOWER}+{ENDINGS}?|{BEFORE}{UPPER}+{LOWER}*{ENDINGS}?"
HAN = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
REAL = {
    "GPT-2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "GPT-4": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|"
    r"\s+(?!\S)|\s+",
    "GPT-4o, gpt-oss": rf"{WORDS}|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{TAIL}",
    "Llama 3": rf"{ENDINGS}|{BEFORE}\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{TAIL}",
    "Qwen 2 and 3": rf"{ENDINGS}|{BEFORE}\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{TAIL}",
    "Qwen 3.5": rf"{ENDINGS}|{BEFORE}[\p{{L}}\p{{M}}]+|\p{{N}}| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{TAIL}",
    "Mistral": rf"{BEFORE}{UPPER}*{LOWER}+|{BEFORE}{UPPER}+{LOWER}*|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{TAIL}",
    "Kimi": rf"[\p{{Han}}]+|{BEFORE}{HAN[0]}*{HAN[1]}+{ENDINGS}?|{BEFORE}{HAN[0]}+{HAN[1]}*{ENDINGS}?|{TAIL}",
    "DeepSeek": r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|"""
    rf" ?[\p{{P}}\p{{S}}]+[\r\n]*|{TAIL}",
    "DeepSeek's numbers": r"\p{N}{1,3}",
    "DeepSeek's characters": r"[一-龥\u3040-ゟ゠-ヿ]+",
    "DeepSeek Coder's words": r"\s?\p{L}+",
    "Bloom": r" ?[^(\s|[.,!?…。，、।۔،])]+",
    "Falcon": r"[0-9][0-9][0-9]",
    "Seed": r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| "
    rf"?[^\s\p{{L}}\p{{N}}\r\n]+|{TAIL}",
    "Bailing": rf"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}|{TAIL}",
    "SentencePiece's spaces": r" {2,}",
    "Gemma": " ",
}
ENDLESS = (
    *(
        r"(x+x+)+y",
        r"(a|a)*",
        r"(a?){30}a{30}",
        r"(a|aa){20}",
        r"(a*)*b",
        r".*?a",
        r"a*b",
        r"a+b|a",
        r"a++b",
        r"a{1,900}b",
    ),
    *(r"\s*[\r\n]+", r"\s*[\r\n]+|\s|\s+", r"\s*\r?\n|\s+", r"A*B+|A+", r"A*B+|A+B", r"A*B+|C+B*", r"A*B+x|A+B*x"),
    *(r"\s+$|a", r"(?=a+)b", r"a(?=.*b)", r"(?<=a+)b", r"\1", r"(?<x>a)\k<x>", r"(?>a+)b", r"(?R)", r"(?x) a"),
    *(
        r"(",
        r")",
        r"[",
        r"[a-",
        r"[]a]",
        r"a{,}",
        r"a{9999}",
        r"a**",
        r"a+?",
        r"\b",
        r"\K",
        "a" * 5_000,
        "(" * 99 + ")" * 99,
    ),
)
ATOMS = (
    "a",
    " ",
    r"\s",
    r"\S",
    r"\p{L}",
    r"\p{Lu}",
    r"\p{N}",
    "[^a]",
    "[a-z]",
    r"[\r\n]",
    ".",
    r"[^\s\p{L}]",
    "(?i:'s|t)",
)
TIMES = ("", "", "?", "*", "+", "{1,3}", "{2,}", "{0,2}", "++", "?+")
LOOKS = (r"(?!\S)", "(?=a)", "(?!ab)", "$", "^")
WAYS = st.lists(
    st.one_of(st.builds("{}{}".format, st.sampled_from(ATOMS), st.sampled_from(TIMES)), st.sampled_from(LOOKS)),
    min_size=1,
    max_size=4,
).map("".join)
KNOWN_WAYS = st.sampled_from(
    (*TAIL.split("|"), *WORDS.split("|"), r"\s*[\r\n]", " ?a+", r"A*a+", r"A+a*", r"(?:ab|a)?b+")
)
PATTERNS = st.lists(st.one_of(KNOWN_WAYS, WAYS), min_size=1, max_size=5).map("|".join)
PIECES = st.text("aA1 \n\t.'s一\u0301", max_size=3)
TEXTS = st.tuples(PIECES, st.text("aA1 \n.s", min_size=1, max_size=2), PIECES)


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    with Child() as child:
        yield child


def is_taken(pattern: str) -> bool:
    try:
        shortest_match(pattern)
    except EndlessError:
        return False
    return True


def splitting(pattern: str) -> str:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    return json.dumps({"version": "1.0", "pre_tokenizer": split, "model": {"type": "BPE", "vocab": {}, "merges": []}})


@pytest.mark.parametrize("model", REAL)
def test_patterns_of_real_models_are_taken(model: str) -> None:
    assert shortest_match(REAL[model]) > 0


@pytest.mark.parametrize("pattern", ENDLESS)
def test_patterns_of_unknown_time_are_not(pattern: str) -> None:
    assert not is_taken(pattern)


@pytest.mark.parametrize(
    ("pattern", "length"), [("ab?c{2,5}", 3), ("a|bcd", 1), ("a*", 0), ("(?:ab|c){2}", 2), ("(?=a)", 0)]
)
def test_the_shortest_text_that_is_found(pattern: str, length: int) -> None:
    assert shortest_match(pattern) == length


@pytest.mark.parametrize("pattern", sorted(SQUARED))
def test_those_of_real_models_that_take_more_are_known(pattern: str) -> None:
    assert shortest_match(pattern) == 0, "so that nothing is replaced by them"


@at_most(120, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(PATTERNS, st.lists(TEXTS, min_size=1, max_size=3))
@example(rf"{WORDS}|{TAIL}", [("", "A", "."), ("a", "A", "\u0301"), (" ", " ", "a"), ("", " \n", "a")])
@example(r"\s+(?!\S)", [("", " ", "a"), ("", " a", "")])
@example(r"\s*[\r\n]|\s+", [("\n", " ", "a"), ("", "\n ", " a")])
def test_what_is_taken_takes_time_by_the_length(child: Child, pattern: str, parts: list[tuple[str, str, str]]) -> None:
    if is_taken(pattern):
        texts = [before + again * (LENGTH // len(again)) + behind for before, again, behind in parts]
        told = child.run(tokenizer=splitting(pattern), texts=texts)
        assert told, pattern
        assert told["cpu_s"] < MOST_CPU_S * len(texts), pattern
