"""Help features: the help page, What's This?, lessons and the license window."""
