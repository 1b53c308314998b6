"""Dates and times as text."""

from PySide6.QtCore import QDate, QDateTime, QLocale

from app.i18n import tr

#: As Qt writes a date and its time: of this year, or of another one.
THIS_YEAR, OTHER_YEAR = tr("dd MMM HH:mm:ss"), tr("dd MMM yyyy HH:mm")


def format_time(seconds: float) -> str:
    """Format a time in seconds since 1970; with the year only if it isn't the current year."""
    time = QDateTime.fromSecsSinceEpoch(int(seconds))
    return QLocale().toString(time, THIS_YEAR if time.date().year() == QDate.currentDate().year() else OTHER_YEAR)
