"""Texts that programs stumble over, made by rule: bytes that are no UTF-8, signs that belong together, strings."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

from tests.faults.hostile import OWN

SKINS = range(0x1F3FB, 0x1F400)
PEOPLE = (*range(0x1F466, 0x1F46A), *range(0x1F474, 0x1F477))
HANDS = (*range(0x1F442, 0x1F444), *range(0x1F446, 0x1F451), *range(0x1F590, 0x1F592), 0x270A, 0x270B, 0x270C, 0x270D)
PICTURES = (*range(0x1F300, 0x1F321), *range(0x1F400, 0x1F43F), *range(0x1F600, 0x1F650), *range(0x1F680, 0x1F6C6))
SIGNS = (0x2600, 0x2601, 0x2602, 0x260E, 0x2614, 0x2660, 0x2665, 0x26A0, 0x2702, 0x2708, 0x2744, 0x2764)
JOINER, AS_PICTURE, KEYCAP, BLACK_FLAG, TAG = 0x200D, 0xFE0F, 0x20E3, 0x1F3F4, 0xE0000
BREAKS = (
    *(0x000D, 0x000A, 0x0001, 0x0020, 0x0041, 0x0300, 0x0308, 0x0600, 0x0903, 0x0915, 0x094D, 0x0E33),
    *(0x1100, 0x1160, 0x11A8, 0xAC00, 0xAC01, 0x1F1E6, 0x231A, 0x1F6D1, 0x200C, JOINER),
)
"""A character of every kind that the rules for what a reader takes for one sign tell apart."""
CONTROLS = [chr(code) for code in (*range(1, 9), *range(0x0E, 0x20), *range(0x7F, 0xA0))]
SPACES = [chr(code) for code in (9, 11, 12, 0xA0, 0x1680, *range(0x2000, 0x200C), 0x2028, 0x202F, 0x205F, 0x3000)]
MARKS = [chr(code) for code in (*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF, 0x61C)]
RIGHT_TO_LEFT = ("שלום עולם", "مرحبا بالعالم", "يوم جميل (5)", "עברית and English", "كتاب ١٢٣", "ﻻ ﷲ")
WORDS = ("nil", "-0", "1e999", "0o7", "LPT9", "../..", "%00", "$PATH", "`id`", "$(id)", "{}", "[]", "\\n", "&amp;")
FORMS = ("{}", "'{}'", '"{}"', "<b>{}</b>", "{{{{{}}}}}", "[{0}]({0})", "{0}={0};--", "--{}", "{}\\", "=SUM({})", "#{}")


def naughty(file: Path) -> None:
    """Strings as they come from people who mean no good."""
    strings = ["", *(each for each in OWN if len(each) < 1_000 and not any(map(_half, each)))]
    strings += [form.format(word) for form, word in product(FORMS, WORDS)]
    strings += [f"a{sign}b" for sign in (*CONTROLS, *SPACES, *MARKS)]
    strings += [f"{mark}{text}{mark}" for text, mark in product(RIGHT_TO_LEFT, ("", *MARKS[:6]))]
    strings += ["".join(map(chr, codes)) for codes in _emoji()][::10]
    strings += ["Z" + chr(mark) * count + "!" for mark, count in product(range(0x300, 0x310), (1, 40))]
    lines = [line for text in strings for line in re.split("\r\n|\r|\n", text)]
    file.write_text(json.dumps(lines), "utf-8")


def broken(file: Path) -> None:
    """A line for each way not to write UTF-8."""
    good = [chr(code).encode() for code in (0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF)]
    bad = [bytes((byte,)) for byte in (*range(0x80, 0x100, 3), 0xC0, 0xC1, 0xFE, 0xFF)]
    bad += [each[:length] for each in good for length in range(1, len(each))]
    bad += [b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf0\x80\x80\xaf", b"\xfc\x80\x80\x80\x80\xaf", b"\xe0\x9f\xbf"]
    bad += [b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\xa0\xbd\xed\xb8\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80"]
    bad += [bytes(range(0x80, 0xC0)), b"\xff\xfe\x41\x00", b"\xfe\xff\x00\x41", b"\xef\xbb", b"\xe2\x82\x28\xac"]
    file.write_bytes(b"".join(b"%d: |%s|\n" % each for each in enumerate([*good, *bad])))


def between(file: Path) -> None:
    """What is wrong, next to what is right, on either side."""
    wrong = (b"\x80", b"\xbf\xbf", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xfe")
    right = ("a", "é", "ß", "€", "😀", "𝄞", "한", "ا")
    lines = (first.encode() + middle + last.encode() for first, middle, last in product(right, wrong, right))
    file.write_bytes(b"".join(line + b"\n" for line in lines))


def printable(last: int, step: int, in_lines: bool, file: Path) -> None:
    """Every character, or every so many, up to a last one that has a name and a shape."""
    shown = [chr(code) for code in range(0x20, last + 1, step) if unicodedata.category(chr(code))[0] in "LMNPS"]
    lines = ("".join(shown[place : place + 64]) for place in range(0, len(shown), 64))
    file.write_text(("\n" if in_lines else "").join(lines), "utf-8")


def emoji(file: Path) -> None:
    """A table of them by their code points."""
    _write_table(file, (" ".join(f"{code:04X}" for code in codes) + " ; ours" for codes in _emoji()))


def graphemes(file: Path) -> None:
    """A table of pairs, and of the same with a mark between."""
    pairs = [(first, *middle, last) for first, last in product(BREAKS, BREAKS) for middle in ((), (0x0308,))]
    _write_table(file, ("÷ " + " × ".join(f"{code:04X}" for code in codes) + " ÷" for codes in pairs))


def _emoji() -> Iterator[tuple[int, ...]]:
    yield from ((code,) for code in PICTURES)
    yield from ((code, AS_PICTURE) for code in SIGNS)
    yield from ((ord(sign), AS_PICTURE, KEYCAP) for sign in "0123456789#*")
    yield from product(range(0x1F1E6, 0x1F1F0), range(0x1F1E6, 0x1F1F0))
    yield from product((*HANDS, *PEOPLE), SKINS)
    yield from ((who, skin, JOINER, 0x1F33E) for who, skin in product(PEOPLE, SKINS))
    for one, two in product(product(PEOPLE, SKINS), repeat=2):
        yield (*one, JOINER, 0x2764, AS_PICTURE, JOINER, *two)
    yield (0x1F468, JOINER, 0x1F469, JOINER, 0x1F467, JOINER, 0x1F466)
    yield (BLACK_FLAG, *(TAG + ord(letter) for letter in "gbwls"), 0xE007F)


def _half(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"


def _write_table(file: Path, lines: Iterable[str]) -> None:
    file.write_text("# Ours.\n" + "".join(f"{line} # {number}\n" for number, line in enumerate(lines)), "utf-8")


BITS = "utf8/bits/utf8_sequence_0-0x{}_assigned_printable{}.txt"
MAKERS: dict[str, Callable[[Path], None]] = {
    "naughty-strings/blns.json": naughty,
    "utf8/UTF-8-test.txt": broken,
    "utf8/flenniken-utf8tests.txt": between,
    **{
        BITS.format(last, "" if in_lines else "_unseparated"): partial(printable, int(last, 16), step, in_lines)
        for last, step, in_lines in (("fff", 1, True), ("ffff", 1, False), ("2ffff", 5, False))
    },
    "unicode/emoji-test.txt": emoji,
    "unicode/GraphemeBreakTest.txt": graphemes,
}
