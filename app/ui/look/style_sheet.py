"""The style sheet for Qt's own controls, in color roles."""

import re

from app.ui.look.palette import Color

ROLES = {
    Color.TEXT: "text",
    Color.MUTED: "placeholder-text",
    Color.SURFACE: "base",
    Color.RAISED: "window",
    Color.USER: "midlight",
    Color.LINE: "mid",
    Color.OUTLINE: "bright-text",
    Color.HANDLE: "shadow",
    Color.ACCENT: "highlight",
    Color.ON_ACCENT: "highlighted-text",
}
"""Names of roles in Qt's palette, by color role."""
# {role} is replaced by a color of the palette.
_TEMPLATE = """
QPushButton, QToolButton {
    background: {surface}; color: {text}; border: 1px solid {line}; border-radius: 6px; padding: 4px 12px;
}
QToolButton { padding: 4px 8px; }
QPushButton:hover, QToolButton:hover { border-color: {outline}; }
QPushButton:pressed, QToolButton:pressed, QPushButton:checked, QToolButton:checked { background: {user}; }
QPushButton:focus, QToolButton:focus { border-color: {accent}; }
QPushButton:disabled, QToolButton:disabled { color: {outline}; }
QPushButton[kind="primary"] { background: {accent}; color: {on_accent}; border-color: {accent}; font-weight: 600; }
QPushButton[kind="primary"]:hover { border-color: {text}; }
QPushButton[kind="primary"]:focus { border-color: {text}; }
QPushButton[kind="primary"]:disabled { background: {raised}; color: {outline}; border-color: {line}; }
QPushButton[kind="quiet"], QToolButton[kind="quiet"] { background: transparent; border-color: transparent; }
QPushButton[kind="quiet"]:hover, QToolButton[kind="quiet"]:hover { background: {user}; }
QPushButton[kind="quiet"]:focus, QToolButton[kind="quiet"]:focus { border-color: {accent}; }
QPushButton#send, QPushButton#stop { padding: 0; }
QPushButton[segment] { padding: 4px 14px; border-color: {outline}; }
QPushButton[segment][kind="narrow"] { padding: 4px; }
QPushButton[segment="first"] { border-top-right-radius: 0; border-bottom-right-radius: 0; border-right: none; }
QPushButton[segment="middle"] { border-radius: 0; border-right: none; }
QPushButton[segment="last"] { border-top-left-radius: 0; border-bottom-left-radius: 0; }
QPushButton[segment]:checked { background: {line}; color: {text}; border-color: {outline}; }
QPushButton[segment]:focus { border: 1px solid {text}; }
QPushButton[segment]:disabled { color: {outline}; border-color: {line}; }
QPushButton[segment]:checked:disabled { background: {line}; color: {text}; }
QToolButton[kind="small"] { padding: 1px 6px; border-radius: 4px; }
QToolButton[kind="tiny"], QToolButton[kind="remove"] { padding: 0; background: transparent; border-radius: 4px; }
QToolButton[kind="tiny"], QToolButton[kind="remove"] { border-color: transparent; color: {accent}; }
QToolButton[kind="tiny"]:hover, QToolButton[kind="remove"]:hover { background: {user}; }
QToolButton[kind="tiny"]:focus, QToolButton[kind="remove"]:focus { border-color: {accent}; }
QToolButton[kind="tiny"]:disabled { color: {outline}; }
QToolButton[kind="remove"] { color: {muted}; }
QToolButton[kind="remove"]:hover { color: {text}; }
QPushButton[kind="small"] { padding: 1px 6px; border-radius: 4px; }
QToolButton[kind="icon"] { padding: 3px 5px; background: transparent; border-color: transparent; }
QToolButton#copy_last { padding-left: 0; }
QToolButton[kind="icon"]:hover, QToolButton[kind="icon"]:checked { background: {user}; }
QToolButton[kind="icon"]:focus { border-color: {accent}; }
QPushButton[kind="link"] { padding: 1px 6px 1px 0; background: transparent; color: {accent}; }
QPushButton[kind="link"] { border-color: transparent; }
QPushButton[kind="link"]:hover { background: {user}; }
QPushButton[kind="link"]:focus { border-color: {accent}; }
QToolButton::menu-indicator { image: none; }
QAbstractSpinBox { background: {surface}; border: 1px solid {outline}; border-radius: 6px; padding: 2px; }
QAbstractSpinBox:focus { border-color: {accent}; }
QAbstractSpinBox:disabled { color: {outline}; border-color: {line}; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; border: none; }
QComboBox { background: {surface}; color: {text}; border: 1px solid {outline}; border-radius: 6px; }
QComboBox { padding: 3px 4px 3px 8px; }
QComboBox:focus { border-color: {accent}; }
QComboBox:disabled { color: {outline}; border-color: {line}; }
QComboBox::drop-down { border: none; width: 1.3em; }
QComboBox::down-arrow { image: url(look:down.svg); width: 0.9em; height: 0.9em; }
QLineEdit { background: {surface}; border: 1px solid {outline}; border-radius: 6px; padding: 3px; }
QLineEdit:focus { border-color: {accent}; }
QAbstractSpinBox QLineEdit { border: none; padding: 0; background: transparent; }
QPlainTextEdit { background: {surface}; border: 1px solid {outline}; border-radius: 6px; }
QPlainTextEdit:focus { border-color: {accent}; }
QLineEdit:disabled, QPlainTextEdit:disabled { color: {outline}; border-color: {line}; }
QPlainTextEdit#prompt { border: none; }
QTextBrowser#transcript, QFrame#exact_prompt_tokens, QScrollArea { border: 1px solid transparent; }
QScrollArea#controls_scroll, QScrollArea#inspector_scroll { border: none; }
QTextBrowser#transcript { background: {surface}; }
QFrame#call { border: 1px solid {line}; border-radius: 6px; }
QWidget#controls_foot { border-top: 1px solid {line}; }
QTextBrowser#transcript:focus, QFrame#exact_prompt_tokens:focus, QScrollArea:focus { border-left-color: {accent}; }
QCheckBox { border: 1px solid transparent; border-radius: 4px; }
QCheckBox:focus { border-color: {accent}; }
QCheckBox::indicator, QListWidget::indicator { width: 1em; height: 1em; }
QCheckBox::indicator:unchecked, QListWidget::indicator:unchecked {
  border: 1px solid {outline}; border-radius: 3px; background: {surface}; }
QCheckBox::indicator:unchecked:disabled, QListWidget::indicator:unchecked:disabled { border-color: {line}; }
QRadioButton { border: 1px solid transparent; border-radius: 4px; }
QRadioButton:focus { border-color: {accent}; }
QRadioButton::indicator { width: 0.9em; height: 0.9em; border: 1px solid {outline}; border-radius: 0.5em; }
QRadioButton::indicator { background: {surface}; }
QRadioButton::indicator:checked { border-color: {accent}; background: qradialgradient(
  cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5, stop: 0.5 {accent}, stop: 0.6 {surface}); }
QSlider:horizontal { min-height: 20px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: {outline}; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: {accent}; }
QSlider::sub-page:horizontal:disabled { background: {line}; }
QSlider::handle:horizontal { width: 14px; margin: -6px 0; border-radius: 8px; }
QSlider::handle:horizontal { background: {surface}; border: 1px solid {outline}; }
QSlider::handle:horizontal:focus { border-color: {accent}; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: {handle}; border: none; border-radius: 2px; }
QScrollBar::handle:vertical { margin: 2px 3px; min-height: 32px; }
QScrollBar::handle:horizontal { margin: 3px 2px; min-width: 32px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: {outline}; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QTableView { background: {surface}; border: 1px solid {line}; border-radius: 6px; outline: none; }
QTableView { selection-background-color: {user}; selection-color: {text}; }
QTableView::item { padding: 0 3px; border: none; }
QTableView:focus { border-color: {accent}; }
QTreeView { background: {surface}; border: 1px solid {line}; border-radius: 6px; outline: none; }
QTreeView { selection-background-color: {user}; selection-color: {text}; }
QTreeView::item { padding: 3px; border: none; }
QTreeView::item:selected, QTreeView::branch:selected { background: {user}; color: {text}; }
QTreeView::branch:closed:has-children { image: url(look:right.svg); }
QTreeView::branch:open:has-children { image: url(look:down.svg); }
QTreeView:focus { border-color: {accent}; }
QListWidget { background: {surface}; border: 1px solid {line}; border-radius: 6px; outline: none; }
QListWidget { selection-background-color: {user}; selection-color: {text}; }
QListWidget::item { padding: 3px 6px; border: none; }
QListWidget::item:selected { background: {user}; color: {text}; }
QListWidget:focus { border-color: {accent}; }
QListWidget#settings_pages { background: transparent; border-color: transparent; padding: 3px; }
QListWidget#settings_pages::item { padding: 6px 8px; border-radius: 6px; }
QListWidget#settings_pages::item:selected:focus { background: {accent}; color: {on_accent}; }
QHeaderView { background: {surface}; border: none; border-bottom: 1px solid {line}; }
QHeaderView { border-top-left-radius: 6px; border-top-right-radius: 6px; }
QHeaderView::section { background: {surface}; color: {muted}; border: none; }
QHeaderView::section { padding: 4px 6px; }
QHeaderView::up-arrow { image: url(look:up.svg); width: 0.8em; height: 0.8em; }
QHeaderView::down-arrow { image: url(look:down.svg); width: 0.8em; height: 0.8em; }
QTableView QTableCornerButton::section { background: {surface}; border: none; }
QTabWidget::pane { border: none; border-top: 1px solid {line}; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: {muted}; border: none; padding: 6px 12px; }
QTabBar::tab { border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: {text}; border-bottom-color: {accent}; }
QTabBar::tab:hover { color: {text}; }
QTabBar::scroller { width: 2em; }
QTabBar QToolButton { padding: 0; background: {raised}; border: none; border-radius: 0; }
QTabBar QToolButton::left-arrow { image: url(look:left.svg); width: 1em; height: 1em; }
QTabBar QToolButton::right-arrow { image: url(look:right.svg); width: 1em; height: 1em; }
QToolTip { background: {surface}; color: {text}; border: 1px solid {line}; padding: 4px; }
"""


def sheet() -> str:
    """Return the style sheet. It never changes: widgets get colors from the current palette."""
    return re.sub(r"\{([a-z_]+)\}", lambda found: f"palette({ROLES[Color[found[1].upper()]]})", _TEMPLATE)
