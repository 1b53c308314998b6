"""Through the whole window in the language of the process; `test_languages.py` starts it with the language's plugin."""

import re
from collections import Counter

from PySide6.QtWidgets import QApplication

from app.definitions import DEFINITIONS, OTHER_NAMES
from app.ui.shell.main_window import MainWindow
from app.words import LANGUAGES
from tests.languages.clipping import clipped
from tests.languages.said import BEGIN, said

A_WORD = re.compile(r"[^\W\d_]{2,}")
NOT_OURS = {
    "echo",
    "mlx_lm.server",
    "hello",
    "stop",
    "<|end|>",
    "Sluice",
    "Ctrl+Enter",
    *LANGUAGES,
    *LANGUAGES.values(),
}
"""What models, users, keys and parts of others are called, and an ending as the library names it."""
NOT_A_TEXT = re.compile(r"“(Count|Say|Tell) .*”|http://\S+|hello: .*")
"""Prompts and what was answered, since models read English, and addresses."""
BY_OTHERS = re.compile(r"shortcut_\w+_line|Scroll(Left|Right)Button|licences_parts")


def test_all_that_is_said_can_be_translated(everything: MainWindow) -> None:
    strange = {
        f"{where}: {text!r}"
        for where, text in said(everything)
        if A_WORD.search(text) and BEGIN not in text and not _is_by_others(where, text)
    }
    assert "\n".join(sorted(strange)) == ""


def test_no_two_names_of_numbers_clash() -> None:
    """Two that are told apart by a plural in English, say, would have each other's definition."""
    for names in ([name for name, _ in OTHER_NAMES], [each.name for each in DEFINITIONS.values()]):
        assert [name for name, count in Counter(names).items() if count > 1] == []


def test_nothing_clips(everything: MainWindow) -> None:
    found = set()
    for size in ((1600, 1000), (1000, 700)):
        everything.resize(*size)
        QApplication.processEvents()
        found |= {f"{size}: {each}" for each in clipped(everything)}
    assert "\n".join(sorted(found)) == ""


def _is_by_others(where: str, text: str) -> bool:
    name = text.rstrip(" ▾")
    return name in NOT_OURS or NOT_A_TEXT.fullmatch(text) is not None or BY_OTHERS.search(where) is not None
