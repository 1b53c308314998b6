"""The appearance: themes, palettes, sizes, the style sheet."""

from app.ui.look.palette import Color
from app.ui.look.sizes import UNLIMITED_PX, TextSizeFollower, open_at, scaled, show_lines
from app.ui.look.theme import GAP_PX, GRID_PX, MARGIN_PX, MEASURE_PX, MUTED_ROLE, PERCENTS, Size, Theme, tint
