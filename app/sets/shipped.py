"""The prompt sets that come with the program: what the bundled model was measured on, each with the check that fits."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from app.engine.types import Failure
from app.sets.reading import open_set
from app.sets.types import Check, CheckKind, PromptSet
from app.words import tr


class Shipped(NamedTuple):
    """`file` is its name without the suffix."""

    file: str
    title: str
    check: Check


SHIPPED = (
    Shipped("sums", tr("Sums"), Check(CheckKind.NUMBER)),
    Shipped("counting", tr("Counting"), Check(CheckKind.EQUAL)),
    Shipped("copying", tr("Copying"), Check(CheckKind.EQUAL)),
    Shipped("names", tr("Names told before"), Check(CheckKind.CONTAINS)),
)


def shipped_set(file: str, resources: Path) -> PromptSet | Failure:
    """`resources`: the folder that all of the program's lie in."""
    title = next(one.title for one in SHIPPED if one.file == file)
    return open_set(resources / "sets" / f"{file}.jsonl", title)
