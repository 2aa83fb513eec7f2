"""Back ends by system."""
