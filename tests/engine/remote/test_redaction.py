"""A key in what a server says: in each of its forms, in pieces, and nowhere afterwards."""

import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.engine.remote.redaction import HELD, MARK, SHORTEST, Redaction, without
from app.engine.remote.server_text import LONGEST_WAIT, Piece, Pieces
from app.engine.types import Channel

SECRET = "sk-Very/secret+123=456"
FORMS = {
    "as it is": SECRET,
    "in capitals": SECRET.upper(),
    "in a link": quote(SECRET, safe=""),
    "in a link, in small letters": quote(SECRET, safe="").lower(),
    "in JSON": json.dumps(SECRET),
    "in JSON with slashes": SECRET.replace("/", "\\/"),
    "in JSON as numbers": "".join(f"\\u{ord(each):04X}" for each in SECRET),
    "in a page": html.escape("&" + SECRET),
    "in digits": SECRET.encode().hex(),
    "in base64": base64.b64encode(SECRET.encode()).decode(),
    "in base64 behind its kind": base64.b64encode(f"Bearer {SECRET}".encode()).decode(),
    "in base64 behind a name": base64.b64encode(f"me:{SECRET}".encode()).decode(),
    "in base64 for links": base64.urlsafe_b64encode(f"x{SECRET}".encode()).decode(),
    "without its first letters": SECRET[3:],
    "without its last letter": SECRET[:-1],
    "twice": SECRET + SECRET,
}


def bare(text: str) -> str:
    return "".join(each for each in text.lower() if each.isalnum())


@pytest.mark.parametrize("name", FORMS)
def test_a_key_is_found_in_each_form(name: str) -> None:
    said = without(f"the key {FORMS[name]} is none", SECRET)
    assert said.startswith("the key ") and said.endswith(" is none") and MARK in said
    kept = said.removeprefix("the key ").removesuffix(" is none")
    assert len(kept) <= 24 and "secret" not in kept.lower(), kept


@pytest.mark.parametrize("key", ["", "a", "ollama", "x" * (SHORTEST - 1)])
def test_what_guards_nothing_is_no_key(key: str) -> None:
    said = f"a banana of ollama's, {key}"
    assert without(said, key) == said


KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=SHORTEST, max_size=60)
CUTS = st.lists(st.integers(1, 9), min_size=1, max_size=30)


def passed(key: str, texts: list[str]) -> list[Piece]:
    pieces, out = Pieces(Redaction(key)), []
    for at, text in enumerate(texts):
        out += pieces.take(Piece(Channel.NORMAL, text, at, None))
    return [*out, *pieces.finish()]


def cut(text: str, sizes: list[int]) -> list[str]:
    texts, at, number = [], 0, 0
    while at < len(text):
        size = sizes[number % len(sizes)]
        texts.append(text[at : at + size])
        at, number = at + size, number + 1
    return texts


@settings(max_examples=40)
@given(KEYS, st.text(max_size=20), st.text(max_size=20), CUTS, st.integers(1, 3))
@example("aaaaaaaa", "", "", [1], 3)
@example("abababababab", "aba", "bab", [2], 2)
def test_however_a_key_is_cut_it_comes_out_nowhere(
    key: str, before: str, after: str, sizes: list[int], times: int
) -> None:
    texts = cut(before + key * times + after, sizes)
    out = passed(key, texts)
    assert len(out) == len(texts) and [piece.at for piece in out] == list(range(len(texts)))
    said = "".join(piece.text for piece in out)
    assert key not in said and key[HELD - 1 :] not in said.replace(after, "", 1) and MARK in said + before + after
    assert said.startswith(before[: -2 * len(key)])


@settings(max_examples=40)
@given(KEYS, st.text(max_size=200), CUTS)
def test_what_is_no_key_comes_out_as_it_came(key: str, text: str, sizes: list[int]) -> None:
    texts = cut(text, sizes)
    if not Redaction(key).places(text):
        assert [piece.text for piece in passed(key, texts)] == texts


def test_nothing_is_held_back_for_ever() -> None:
    pieces = Pieces(Redaction("a" * 40))
    held = 0
    for at in range(3 * LONGEST_WAIT):
        held = 0 if pieces.take(Piece(Channel.NORMAL, "a", at, None)) else held + 1
        assert held <= LONGEST_WAIT
