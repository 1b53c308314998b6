"""Help features: the help page, What's This?, the tour, the gallery and the license window."""
