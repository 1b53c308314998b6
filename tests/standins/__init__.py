"""Small stand-ins of our own for the real data: what a test asks of tokenizers, templates, models and texts everywhere.

They lie as the real ones do, under the same names and with the same quirks; nothing in them is copied.
"""
