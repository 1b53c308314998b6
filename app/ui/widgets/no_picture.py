"""An empty image for the images that a document names: none is ever loaded."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage


def no_picture() -> QImage:
    """Return an empty picture: without one, Qt would open the name as a file and could block on a pipe."""
    image = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image
