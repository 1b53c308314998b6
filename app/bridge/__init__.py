"""Where threads meet Qt: the worker on its thread, the mailbox between, the Playground and its frame clock."""
