"""Pictures of the real program on the bundled model: `make pictures` takes them for README.md and docs."""
