"""Sessions and runs as they are kept: the journal, what is read out of it, and what is made of that."""
