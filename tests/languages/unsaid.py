"""Texts in the source that no translator will see: what reads like a sentence and stands outside of `tr`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SENTENCE = re.compile(r"(?<![\w-])[A-Za-z“’']{2,}[,:]?(?: [\w“”’'{}]+[,:]?){2,}")
"""Three words in a row."""
STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|WITH|PRAGMA|FROM|WHERE|AND|JOIN|ATTACH)\b")
STYLE = re.compile(r"<\w+|[\w-]+: ?[^;]+;|^#?\w+ ?\{")
FOR_PROGRAMMERS = {"debug", "info", "warning", "error", "exception", "critical", "write", "refuse", "add_argument"}


def unsaid(file: Path) -> Iterator[str]:
    """Each with its line."""
    finder = _Finder()
    finder.visit(ast.parse(file.read_text("utf-8")))
    yield from (f"{line}: {text}" for line, text in finder.found)


class _Finder(ast.NodeVisitor):
    """Goes by what is for programmers: docstrings, errors that are raised, logs, and names of enumerations."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name == "tr":
            values = [*node.args[2:], *(keyword.value for keyword in node.keywords)]
            for value in values:
                self.visit(value)
        elif name not in FOR_PROGRAMMERS:
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """For programmers, or worded where it is caught."""

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if not any("Enum" in ast.unparse(base) for base in node.bases):
            self.generic_visit(node)
            return
        for each in node.body:
            if not isinstance(each, ast.Assign):
                self.visit(each)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        parts = (each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
        self._look(node.lineno, "".join(map(str, parts)))
        for each in node.values:
            if not isinstance(each, ast.Constant):
                self.visit(each)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._look(node.lineno, node.value)

    def _look(self, line: int, text: str) -> None:
        if SENTENCE.search(text) and not STATEMENT.match(text) and not STYLE.search(text):
            self.found.append((line, text))
