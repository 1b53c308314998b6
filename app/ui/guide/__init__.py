"""Finding one's way: the help page, What's This?, the tour, the gallery, the licences."""
