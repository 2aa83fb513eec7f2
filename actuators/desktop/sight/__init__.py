"""Sight: text and pictures found in pictures of the screen."""
