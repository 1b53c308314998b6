"""Step: the menus as they are: on a Mac those that NSApp has, elsewhere those that Qt was given."""

import ctypes
import sys
import tempfile
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from app.app_nap import Runtime, of_this_mac
from tests.mac_check.facts import ON_A_MAC, Facts, step

APPKIT = "/System/Library/Frameworks/AppKit.framework/AppKit"
HELD = {1 << 18: "⌃", 1 << 19: "⌥", 1 << 17: "⇧", 1 << 20: "⌘"}
"""NSEventModifierFlags, in the order that a Mac writes them in."""
ROUNDS = 50
"""In which Cocoa takes the menus over."""


class NativeMenus:
    """Reads what Cocoa shows; every object is a plain address."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def rows(self) -> Iterator[str]:
        """One for each item, indented below its menu."""
        application = self._runtime.send(self._runtime.class_named("NSApplication"), "sharedApplication")
        yield from self._of(self._runtime.send(application, "mainMenu"), 0)

    def _of(self, menu: int, depth: int) -> Iterator[str]:
        items = self._runtime.send(menu, "itemArray") if menu else 0
        for at in range(self._runtime.send(items, "count") if items else 0):
            item = self._runtime.send(items, "objectAtIndex:", (ctypes.c_ulong, at))
            yield "    " * depth + self._row(item)
            yield from self._of(self._runtime.send(item, "submenu"), depth + 1)

    def _row(self, item: int) -> str:
        send = self._runtime.send
        if send(item, "isSeparatorItem") & 0xFF:
            return "—"
        key = self._text(send(item, "keyEquivalent"))
        held = send(item, "keyEquivalentModifierMask") if key else 0
        signs = "".join(sign for bit, sign in HELD.items() if held & bit)
        off = "" if send(item, "isEnabled") & 0xFF else " (off)"
        return f"{self._text(send(item, 'title'))}{off} {signs}{_visible(key)}".rstrip()

    def _text(self, text: int) -> str:
        told = self._runtime.send(text, "UTF8String") if text else 0
        return (ctypes.string_at(told) if told else b"").decode("utf-8", "replace")


def _visible(key: str) -> str:
    """Arrows and the like are characters that no font has."""
    return key.upper() if key.isprintable() and key < "\ue000" else "".join(f"U+{ord(each):04X}" for each in key)


def of_qt(window: QMainWindow) -> Iterator[str]:
    for menu in window.menuBar().findChildren(QMenu):
        if menu.parent() is window.menuBar() and menu.title():
            yield menu.title().replace("&", "")
            yield from (f"    {_words(action)}" for action in menu.actions())


def _words(action: QAction) -> str:
    key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    return f"{action.text().replace('&', '')} {key}".rstrip() if not action.isSeparator() else "—"


def look(facts: Facts) -> None:
    from app.__main__ import build

    with tempfile.TemporaryDirectory() as folder:
        window = build(["--data-dir", folder, "--engine", "echo"])
        window.show()
        for _ in range(ROUNDS):
            QCoreApplication.processEvents()
        qt = list(of_qt(window))
        native = list(_native()) if ON_A_MAC else []
        window.close()
    facts.held("Qt has menus", len(qt) > 20, len(qt), "rows")
    if ON_A_MAC:
        facts.held("NSApp has menus", len(native) > 20, len(native), "rows")
    for row in native or qt:
        facts.told("menu", row.replace("    ", "· "))


def _native() -> Iterator[str]:
    runtime = of_this_mac()
    if runtime is not None:
        ctypes.CDLL(APPKIT)
        yield from NativeMenus(runtime).rows()


if __name__ == "__main__":
    sys.exit(step(look))
