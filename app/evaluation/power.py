"""Power: the smallest difference that so many rows can show."""

from math import ceil, comb, sqrt
from statistics import NormalDist

from app.evaluation.paired_tests import CHANCE
from app.i18n import tr

FOUND = 0.8
"""The power: how often a difference of that size is found."""
PARTED = 0.2
"""The assumed share of rows in which two variants differ; at least the difference itself."""
FINE = 0.05
"""Smaller differences have one decimal."""


def smallest(rows: int, among: int = 1) -> float | None:
    """Return the difference that McNemar's exact test finds four times in five; None: not even the largest.

    `among`: so many pairs are compared, and the first of Holm's steps asks most of them.
    """
    strict, often = (NormalDist().inv_cdf(each) for each in (1 - CHANCE / among / 2, FOUND))
    for thousandths in range(1, 1001):
        wanted = thousandths / 1000
        parted = max(PARTED, wanted)
        beyond = rows * wanted - 1 - strict * sqrt(rows * parted)
        if beyond >= often * sqrt(rows * (parted - wanted * wanted)):
            return wanted if wanted < FINE else ceil(thousandths / 10) / 100
    return None


def power_told(rows: int, repeats: int, arms: int) -> str:
    """Return a sentence with its assumption; empty where there is nothing to compare."""
    among = comb(arms, 2)
    if not among or not rows:
        return ""
    found = smallest(rows, among)
    if found is None:
        return tr(
            "%n rows are too few for a significant difference.", "%n row is too few for a significant difference.", rows
        )
    said = tr("%n rows can show differences of {points} points", "%n row can show differences of {points} points", rows)
    parts = [said.format(points=f"{100 * found:.{0 if found >= FINE else 1}f}")]
    if repeats > 1:
        parts.append(tr("or smaller ones, since each row has %n answers", "", repeats))
    if among > 1:
        parts.append(tr("corrected for %n comparisons", "", among))
    assumed = tr("80 % power, if the variants differ in one row of five")
    if found > PARTED:
        assumed = tr("80 % power, if the variants differ in no other rows")
    return ", ".join(parts) + f" ({assumed})."
