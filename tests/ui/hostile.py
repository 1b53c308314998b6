"""Values of which every text is a stranger's, and looks like markup; and what of a text is seen where it stands."""

import dataclasses
import re
import types
import typing
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from PySide6 import QtGui
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QTextDocumentFragment
from PySide6.QtWidgets import QAbstractButton, QComboBox, QGroupBox, QLabel, QMenu, QTabBar

MARK = "<b>zq1x</b>&amp;</s>"
FILE = "<b>zq1x&amp;<s>"
"""In the name of a file, which has no slash."""
AS_WRITTEN = re.compile(r"<b>zq1x(</b>&amp;</s>|&amp;<s>|\S{0,16}…)")
TRACE = re.compile(r"zq\S{0,4}1x", re.IGNORECASE)
UNSEEN = dict.fromkeys(map(ord, "\u200b\u2060"))
MNEMONIC = re.compile(r"&(.)")

might_be_rich: Callable[[str], bool] = QtGui.Qt.mightBeRichText
"""Qt's own guess, by which it takes a text that nobody has called plain."""
Value = TypeVar("Value")


def hostile(kind: type[Value], **known: object) -> Value:
    """One of this kind, with the mark for each text in it, at any depth."""
    hints = typing.get_type_hints(kind)
    fields = [each for each in dataclasses.fields(kind) if each.init and each.name not in known]  # type: ignore[arg-type]
    return kind(**{each.name: _value(hints[each.name]) for each in fields}, **known)


def _value(hint: Any) -> Any:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _value(next(part for part in parts if part is not type(None)))
    if origin is tuple:
        return (_value(parts[0]),) if parts[-1] is Ellipsis else tuple(map(_value, parts))
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return hostile(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    return {str: MARK, Path: Path("/models") / FILE, int: 1, float: 1.0, bool: True}[hint]


def seen(each: QObject, what: str, text: str) -> str:
    """What somebody sees who looks at this text, or who points at it: without the places where a line may be broken."""
    return _shown(each, what, text).translate(UNSEEN)


def _shown(each: QObject, what: str, text: str) -> str:
    match each, what:
        case (QLabel(), "text"):
            rich = each.textFormat() is Qt.TextFormat.AutoText and might_be_rich(text)
            return _rendered(text) if rich or each.textFormat() is Qt.TextFormat.RichText else text
        case (_, "tip" | "help" | "cell tip"):
            return _rendered(text) if might_be_rich(text) else text
        case (QAbstractButton() | QAction() | QGroupBox() | QMenu() | QTabBar(), "text" | "title" | "tab"):
            return MNEMONIC.sub(r"\1", text)
        case (QComboBox(), "choice"):
            return text
    return text


def _rendered(text: str) -> str:
    return QTextDocumentFragment.fromHtml(text).toPlainText()
