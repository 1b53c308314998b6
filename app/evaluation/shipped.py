"""The included prompt sets, each with a suitable check."""

from pathlib import Path
from typing import NamedTuple

from app.engine.types import Failure
from app.evaluation.reading import open_set
from app.evaluation.types import Check, CheckKind, PromptSet
from app.i18n import tr


class Shipped(NamedTuple):
    """An included prompt set. `file`: the file name without the suffix."""

    file: str
    title: str
    told: str
    check: Check


SHIPPED = (
    Shipped("sums", tr("Sums"), tr("Add two numbers up to 20"), Check(CheckKind.NUMBER)),
    Shipped("counting", tr("Counting"), tr("Count from one number to another"), Check(CheckKind.EQUAL)),
    Shipped("copying", tr("Copying"), tr("Repeat the given words"), Check(CheckKind.EQUAL)),
    Shipped(
        "names", tr("Names from earlier turns"), tr("Recall a name from an earlier turn"), Check(CheckKind.CONTAINS)
    ),
)


def shipped_set(one: Shipped, resources: Path) -> PromptSet | Failure:
    """Read an included prompt set. `resources`: the program's resources folder."""
    return open_set(resources / "sets" / f"{one.file}.jsonl", one.title)
