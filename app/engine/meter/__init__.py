"""The events of a run as frames, curves, speeds and columns: what every instrument reads."""
