"""Screens: reading how people name what a machine shows and plays: controls and their places, forms, windows, programs, players."""
