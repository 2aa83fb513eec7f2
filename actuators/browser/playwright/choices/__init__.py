"""Choices: what a widget of a page's own making offers, and picking in it. In the page: ``engine/choosing``."""
