"""Questions answered by measuring: arms of one prompt, run in turn and set side by side. No Qt."""
