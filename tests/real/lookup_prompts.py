"""Prompts of three kinds, whose answers repeat much, some or nothing of them: code editing, summary, open chat."""

import ast
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path

from app.engine.types import ChatPrompt, Message, Role

REPOSITORY = Path(__file__).parents[2]
CODE_LINES = range(6, 16)
PARAGRAPH_CHARACTERS = range(200, 1_200)
TOPICS = ("a river", "a lighthouse", "bread", "the moon", "a bicycle", "winter", "chess", "a violin", "bees")
QUESTIONS = (
    "Write a short story about {}.",
    "Explain {} to a child.",
    "What should I know about {}?",
    "Write a poem about {}.",
    "Give me five questions about {}.",
    "Describe {} in two paragraphs.",
    "Why do people like {}?",
    "Tell me a joke about {}.",
)


def prompts(kind: str, count: int) -> list[ChatPrompt]:
    texts = {"code": _code, "summary": _summaries, "chat": _questions}[kind]()
    return [ChatPrompt((Message(Role.USER, text),)) for text in islice(texts, count)]


def _code() -> Iterator[str]:
    for file in sorted((REPOSITORY / "app" / "engine").glob("*.py")):
        source = file.read_text()
        for node in ast.walk(ast.parse(source)):
            text = ast.get_source_segment(source, node) if isinstance(node, ast.FunctionDef) else None
            if isinstance(node, ast.FunctionDef) and text and text.count("\n") in CODE_LINES:
                yield f"Rename the function {node.name} to compute, and repeat the rest of this code:\n\n{text}"


def _summaries() -> Iterator[str]:
    for file in sorted((REPOSITORY / "docs").glob("*.md")):
        for paragraph in file.read_text().split("\n\n"):
            if len(paragraph) in PARAGRAPH_CHARACTERS and "|" not in paragraph:
                yield f"Summarize this text:\n\n{paragraph}"


def _questions() -> Iterator[str]:
    for topic, question in product(TOPICS, QUESTIONS):
        yield question.format(topic)
