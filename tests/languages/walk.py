"""Through the whole window in the language of the process; `test_languages.py` starts it with the language's plugin."""

import re
from collections import Counter

from PySide6.QtWidgets import QApplication

from app import i18n
from app.definitions import DEFINITIONS, OTHER_NAMES
from app.i18n import LANGUAGES
from app.library.suggested_models import MODELS
from app.ui.shell.main_window import MainWindow
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
    *(text for model in MODELS for text in (model.id, model.name)),
    *LANGUAGES,
    *LANGUAGES.values(),
}
"""What models, users, keys and parts of others are called, and an ending as the library names it."""
NOT_A_TEXT = re.compile(
    r"“(Count|Say|Tell) .*”|http://\S+|hello: .*"
    r"|(Emoji take several tokens|I am the scripted engine|# A sample of everything).*",
    re.DOTALL,
)
"""Prompts and what was answered, since models read English, and addresses."""
BY_OTHERS = re.compile(r"shortcut_\w+_line|Scroll(Left|Right)Button|licences_parts|weigh_kv placeholder")


def test_whole_window_is_translated_and_not_clipped(everything: MainWindow) -> None:
    """Marked texts are English in every other way; where Korean is spoken there are no marks."""
    strange = {
        f"{where}: {text!r}"
        for where, text in said(everything)
        if A_WORD.search(text) and BEGIN not in text and not _is_by_others(where, text)
    }
    if i18n.current_language() != "ko":
        assert "\n".join(sorted(strange)) == ""
    found = set()
    for size in ((1600, 1000), (1000, 700)):
        everything.resize(*size)
        QApplication.processEvents()
        found |= {f"{size}: {each}" for each in clipped(everything)}
    assert "\n".join(sorted(found)) == ""


def test_no_two_names_of_numbers_clash() -> None:
    """Two that are told apart by a plural in English, say, would have each other's definition."""
    for names in ([name for name, _ in OTHER_NAMES], [each.name for each in DEFINITIONS.values()]):
        assert [name for name, count in Counter(names).items() if count > 1] == []


def _is_by_others(where: str, text: str) -> bool:
    name = text.rstrip(" ▾")
    return name in NOT_OURS or NOT_A_TEXT.fullmatch(text) is not None or BY_OTHERS.search(where) is not None
