"""Mending flows with a person: misses of kept runs, how they are shown, and going on past them. Nothing here accepts anything by itself."""
