"""Connects the engine thread to Qt: the worker, the mailbox, the Playground and its frame clock."""
