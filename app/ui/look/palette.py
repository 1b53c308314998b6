"""The color roles and their values in light and dark; no other module has hex values."""

from enum import Enum, auto


class Color(Enum):
    """Color roles, which widgets use in place of colors."""

    TEXT = auto()
    MUTED = auto()
    SURFACE = auto()
    RAISED = auto()
    USER = auto()
    CODE = auto()
    LINE = auto()
    """Decorative hairlines, which need no minimum contrast."""
    OUTLINE = auto()
    """The border of an input."""
    HANDLE = auto()
    """The handle of a scroll bar without the pointer over it."""
    ACCENT = auto()
    ON_ACCENT = auto()
    PREFILL = auto()
    DECODE = auto()
    DRAFT_ACCEPTED = auto()
    DRAFT_REJECTED = auto()
    REUSED = auto()
    END = auto()
    """The EOS probability."""
    TOKEN = auto()
    """The background of a token at the strong end of a scale; text is drawn on it."""
    LIKELY = auto()
    """The same for probability and attention: strong means likely. With TOKEN, strong means unlikely or slow."""
    MODEL = auto()
    """The model's text in Raw mode, among the user's text."""
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


_ROWS = {
    # Light and dark, and both with high contrast: text at least 7:1, and visible hairlines.
    Color.TEXT: ("#1c1d20", "#ebecef", "#000000", "#ffffff"),
    Color.MUTED: ("#5d626b", "#a3a8b1", "#383c43", "#d2d6dd"),
    Color.SURFACE: ("#ffffff", "#1b1c1f", "#ffffff", "#000000"),
    Color.RAISED: ("#f5f6f8", "#25272b", "#f4f4f4", "#101113"),
    Color.USER: ("#eef3fb", "#23303f", "#e6edfa", "#0c2036"),
    Color.CODE: ("#f4f5f7", "#24262a", "#f2f2f2", "#121316"),
    Color.LINE: ("#dfe1e6", "#383b41", "#767676", "#8b8f96"),
    Color.OUTLINE: ("#868b95", "#757b86", "#565656", "#a9aeb6"),
    Color.HANDLE: ("#b7bbc3", "#555a63", "#767676", "#8b8f96"),
    Color.ACCENT: ("#1463d6", "#74adff", "#003b99", "#9cc7ff"),
    Color.ON_ACCENT: ("#ffffff", "#0a1c36", "#ffffff", "#00060f"),
    Color.PREFILL: ("#946200", "#e2b145", "#6e4500", "#ffce5c"),
    Color.DECODE: ("#0a7a72", "#4fd0c3", "#00524c", "#62e9da"),
    Color.DRAFT_ACCEPTED: ("#1a7f37", "#5cc97b", "#0a5a20", "#74e694"),
    Color.DRAFT_REJECTED: ("#a2358a", "#e68ed0", "#8a1470", "#ffa8e8"),
    Color.REUSED: ("#6a50c8", "#b6a4ff", "#4a2fae", "#cbbeff"),
    Color.END: ("#8b2a9b", "#dc9cec", "#6d1380", "#efb8fb"),
    # In high contrast: 7:1 to the text on it and 3:1 to the page, which together are 21:1, so only one gray fits.
    Color.TOKEN: ("#4a9e95", "#20756e", "#5ea29a", "#19635c"),
    Color.LIKELY: ("#9584db", "#6d55ce", "#9b8bdd", "#5a3fc7"),
    Color.MODEL: ("#0b57b0", "#9cc6ff", "#003b85", "#b3d6ff"),
    Color.WARNING: ("#8f5600", "#f0b352", "#633a00", "#ffc768"),
    Color.ERROR: ("#b3261e", "#ff8d84", "#8c0f0a", "#ffb0a9"),
    Color.WEIGHTS: ("#3a5bd0", "#8ba5ff", "#1f3fb8", "#a3b8ff"),
    Color.KV: ("#0a7a72", "#4fd0c3", "#00605a", "#62e9da"),
    Color.OTHER: ("#7a6a92", "#b3a1cf", "#5d4a78", "#cbbae6"),
    Color.CACHE: ("#868b95", "#7c828c", "#60646c", "#989ea8"),
    Color.KEYWORD: ("#8b2a9b", "#dc9cec", "#570c68", "#f5ccff"),
    Color.STRING: ("#1a6b33", "#8fd6a3", "#0b4a1d", "#a4ecb8"),
    Color.NUMBER: ("#8f4a00", "#f0b784", "#653200", "#ffcca0"),
    Color.COMMENT: ("#5d626b", "#a3a8b1", "#383c43", "#d2d6dd"),
}
LIGHT, DARK, LIGHT_CONTRAST, DARK_CONTRAST = (
    {role: colors[table] for role, colors in _ROWS.items()} for table in range(4)
)
