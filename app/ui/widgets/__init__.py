"""Widgets that don't depend on Sluice: buttons, fields, tables, gauges. This module has those that nearly every view
uses.
"""

from app.ui.widgets.buttons import button_row, icon_button, opening, push_button, tool_button
from app.ui.widgets.choices import ChoiceBox, SegmentedChoice, add_entry
from app.ui.widgets.field_row import FieldRow
from app.ui.widgets.find_bar import FindBar
from app.ui.widgets.frame import RoundedFrame, ThinBar
from app.ui.widgets.labels import OneLine, SmallPrint, caption, field_label, heading, plain_label
from app.ui.widgets.naming import Announcer, as_caption, as_tip, named
from app.ui.widgets.notices import NoticeBar
from app.ui.widgets.number_field import AnswerField, NumberField, WholeField
from app.ui.widgets.plain_text import PlainText, ProseField
from app.ui.widgets.rows import (
    Cell,
    ScrollColumn,
    clear_layout,
    in_column,
    in_grid,
    in_row,
    layout_widget,
    scrolling,
    split,
)
from app.ui.widgets.tab_order import FocusHome, come_after, forward_focus, is_typing, keep_focus, one_after_another
from app.ui.widgets.table import Numbers, Table
from app.ui.widgets.table_model import Column, TableModel
from app.ui.widgets.windows import LazyWindow, begin_window, bring_up, keep_position
