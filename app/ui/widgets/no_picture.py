"""What a text document is given for each picture that a stranger's text names: nothing is ever fetched for one."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage


def no_picture() -> QImage:
    """Return an empty picture: without one, Qt would open the name as a file and could block on a pipe."""
    image = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image
