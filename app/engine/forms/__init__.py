"""The form of an answer: as a grammar, in words, and where a text stands in it."""
