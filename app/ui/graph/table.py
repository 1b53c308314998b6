"""A run's speed as a table: a line for each point of the curve."""

from app.i18n import tr
from app.number_format import speed
from app.ui.widgets import Numbers
from app.ui.widgets.plots.speed_curve import SpeedCurve

COLUMNS = (tr("Seconds since Send"), tr("Tokens"), tr("Tokens per second"))


def numbers_of(curve: SpeedCurve) -> Numbers:
    """Every point, none left out."""
    rows = ((f"{point.seconds:.3f}", f"{point.tokens:,}", speed(point.speed)) for point in curve.points)
    return Numbers(tr("Speed"), COLUMNS, tuple(rows))
