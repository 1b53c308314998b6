"""What the speed graph is made of: its plot, axes and words, the curves and tokens that it shows."""
