"""Stop strings and characters, gone through token by token."""

from app.widgets.stop_steps.dialog import RUN, TEXT, StopStepsDialog

__all__ = ["RUN", "TEXT", "StopStepsDialog"]
