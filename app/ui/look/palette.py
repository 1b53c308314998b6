"""What each colour means, in light and in dark; beside `high_contrast` nothing in the program names a hex value."""

from __future__ import annotations

from enum import Enum, auto


class Colour(Enum):
    """The roles. A widget asks for what it means to say, never for a colour."""

    TEXT = auto()
    MUTED = auto()
    SURFACE = auto()
    RAISED = auto()
    USER = auto()
    CODE = auto()
    LINE = auto()
    """Hairlines between things that are apart anyway: decoration, so its contrast is free."""
    OUTLINE = auto()
    """The border that shows where an input begins."""
    ACCENT = auto()
    ON_ACCENT = auto()
    PREFILL = auto()
    DECODE = auto()
    DRAFT_ACCEPTED = auto()
    DRAFT_REJECTED = auto()
    REUSED = auto()
    END = auto()
    """How likely the end was."""
    TOKEN = auto()
    """The ground of a token at the strong end of a scale; text stands on it."""
    MODEL = auto()
    """What the model wrote, where it goes on in a page of the user's text."""
    WARNING = auto()
    ERROR = auto()
    WEIGHTS = auto()
    KV = auto()
    OTHER = auto()
    CACHE = auto()
    KEYWORD = auto()
    STRING = auto()
    NUMBER = auto()
    COMMENT = auto()


LIGHT = {
    Colour.TEXT: "#1c1d20",
    Colour.MUTED: "#5d626b",
    Colour.SURFACE: "#ffffff",
    Colour.RAISED: "#f5f6f8",
    Colour.USER: "#eef3fb",
    Colour.CODE: "#f4f5f7",
    Colour.LINE: "#dfe1e6",
    Colour.OUTLINE: "#868b95",
    Colour.ACCENT: "#1463d6",
    Colour.ON_ACCENT: "#ffffff",
    Colour.PREFILL: "#946200",
    Colour.DECODE: "#0a7a72",
    Colour.DRAFT_ACCEPTED: "#1a7f37",
    Colour.DRAFT_REJECTED: "#a2358a",
    Colour.REUSED: "#6a50c8",
    Colour.END: "#8b2a9b",
    Colour.TOKEN: "#4a9e95",
    Colour.MODEL: "#0b57b0",
    Colour.WARNING: "#8f5600",
    Colour.ERROR: "#b3261e",
    Colour.WEIGHTS: "#3a5bd0",
    Colour.KV: "#0a7a72",
    Colour.OTHER: "#7a6a92",
    Colour.CACHE: "#868b95",
    Colour.KEYWORD: "#8b2a9b",
    Colour.STRING: "#1a6b33",
    Colour.NUMBER: "#8f4a00",
    Colour.COMMENT: "#5d626b",
}

DARK = {
    Colour.TEXT: "#ebecef",
    Colour.MUTED: "#a3a8b1",
    Colour.SURFACE: "#1b1c1f",
    Colour.RAISED: "#25272b",
    Colour.USER: "#23303f",
    Colour.CODE: "#24262a",
    Colour.LINE: "#383b41",
    Colour.OUTLINE: "#757b86",
    Colour.ACCENT: "#74adff",
    Colour.ON_ACCENT: "#0a1c36",
    Colour.PREFILL: "#e2b145",
    Colour.DECODE: "#4fd0c3",
    Colour.DRAFT_ACCEPTED: "#5cc97b",
    Colour.DRAFT_REJECTED: "#e68ed0",
    Colour.REUSED: "#b6a4ff",
    Colour.END: "#dc9cec",
    Colour.TOKEN: "#20756e",
    Colour.MODEL: "#9cc6ff",
    Colour.WARNING: "#f0b352",
    Colour.ERROR: "#ff8d84",
    Colour.WEIGHTS: "#8ba5ff",
    Colour.KV: "#4fd0c3",
    Colour.OTHER: "#b3a1cf",
    Colour.CACHE: "#7c828c",
    Colour.KEYWORD: "#dc9cec",
    Colour.STRING: "#8fd6a3",
    Colour.NUMBER: "#f0b784",
    Colour.COMMENT: "#a3a8b1",
}

GROUNDS = (Colour.SURFACE, Colour.RAISED)
"""What text and graphics stand on everywhere; USER and CODE carry text alone."""

TEXTS = (
    Colour.TEXT,
    Colour.MUTED,
    Colour.ACCENT,
    Colour.MODEL,
    Colour.END,
    Colour.WARNING,
    Colour.ERROR,
)
CODE_TEXTS = (Colour.TEXT, Colour.MUTED, Colour.KEYWORD, Colour.STRING, Colour.NUMBER, Colour.COMMENT)
GRAPHICS = (
    Colour.OUTLINE,
    Colour.PREFILL,
    Colour.DECODE,
    Colour.DRAFT_ACCEPTED,
    Colour.DRAFT_REJECTED,
    Colour.REUSED,
    Colour.WEIGHTS,
    Colour.KV,
    Colour.OTHER,
    Colour.CACHE,
)


def contrast(one: str, other: str) -> float:
    """WCAG 2's ratio between two hex colours, from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
