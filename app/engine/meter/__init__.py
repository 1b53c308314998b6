"""The events of a run as frames, curves, speeds and token traces, for all instruments."""
