"""The main window: it creates, arranges and connects the features, saves its state, and shuts down."""
