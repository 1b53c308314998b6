"""Parts of the speed graph: plot, axes, labels, curves and tokens."""
