"""The included prompt sets, each with the check that fits."""

from pathlib import Path
from typing import NamedTuple

from app.engine.types import Failure
from app.evaluation.reading import open_set
from app.evaluation.types import Check, CheckKind, PromptSet
from app.i18n import tr


class Shipped(NamedTuple):
    """`file` is its name without the suffix."""

    file: str
    title: str
    told: str
    check: Check


SHIPPED = (
    Shipped("sums", tr("Sums"), tr("Two numbers up to 20, added"), Check(CheckKind.NUMBER)),
    Shipped("counting", tr("Counting"), tr("From one number to another"), Check(CheckKind.EQUAL)),
    Shipped("copying", tr("Copying"), tr("The same words once more"), Check(CheckKind.EQUAL)),
    Shipped("names", tr("Names from earlier turns"), tr("A name, given some turns ago"), Check(CheckKind.CONTAINS)),
)


def shipped_set(one: Shipped, resources: Path) -> PromptSet | Failure:
    """`resources`: the folder that all of the program's lie in."""
    return open_set(resources / "sets" / f"{one.file}.jsonl", one.title)
