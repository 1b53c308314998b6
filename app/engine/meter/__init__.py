"""Converts the events of a run to frames, curves, speeds and token traces, for all instruments."""
