"""The interface in other languages: walks through the whole window, each in a process of its own."""
