"""What a user most likely wants when a run has ended."""

from app.i18n import WordedEnum, tr


class Step(WordedEnum):
    """Each is a button beside the ending, which says its words."""

    CONTINUE = "Continue", tr("Continue")
    RAISE_LIMIT = "Raise the limit", tr("Raise the limit")
    USE_TEMPLATE = "Use the chat template", tr("Use the chat template")
    RETRY = "Retry", tr("Retry")
    EDIT = "Edit", tr("Edit the prompt")
    NEW_SESSION = "New session", tr("New session")
    STEPS = "Step by step", tr("Step by step")
