"""How others see a color: the linear simulations of Viénot, Brettel and Mollon (1999), and distances in CIELAB."""

import math
from enum import Enum
from functools import cache

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]


class Eye(Enum):
    """By the kind of cones that is missing."""

    COMMON = "none"
    PROTANOPE = "red"
    DEUTERANOPE = "green"
    TRITANOPE = "blue"


# On linear RGB; the third is Machado, Oliveira and Fernandes (2009), since the others' method has none for it.
_MATRICES: dict[Eye, Matrix] = {
    Eye.COMMON: ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    Eye.PROTANOPE: ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    Eye.DEUTERANOPE: ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
    Eye.TRITANOPE: ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
EYES = tuple(_MATRICES)
_TO_XYZ: Matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE: Triple = (0.9505, 1.0, 1.089)


def seen_by(eye: Eye, color: str) -> Triple:
    """A hex color as this eye has it, in linear RGB."""
    seen = _times(_MATRICES[eye], _linear(color))
    return tuple(min(1.0, max(0.0, channel)) for channel in seen)  # type: ignore[return-value]


def lightness(color: Triple) -> float:
    """From 0, black, to 100, white."""
    return _lab(color)[0]


def difference(one: Triple, other: Triple) -> float:
    """About 2 can just be seen side by side."""
    return math.dist(_lab(one), _lab(other))


def contrast(one: str, other: str) -> float:
    """WCAG 2's ratio between two hex colors, from 1 to 21."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


@cache
def _luminance(color: str) -> float:
    return _times(_TO_XYZ, _linear(color))[1]


def _linear(color: str) -> Triple:
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)  # type: ignore[return-value]


def _lab(color: Triple) -> Triple:
    x, y, z = (_bent(part / white) for part, white in zip(_times(_TO_XYZ, color), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _bent(share: float) -> float:
    return math.cbrt(share) if share > 0.008856 else 7.787 * share + 16 / 116


def _times(matrix: Matrix, triple: Triple) -> Triple:
    return tuple(sum(map(float.__mul__, map(float, row), map(float, triple))) for row in matrix)  # type: ignore[return-value]
