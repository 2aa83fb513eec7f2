"""The selector engine inside pages: its core, in JavaScript, and its loading, in Python. Nothing that acts, and no policy."""
