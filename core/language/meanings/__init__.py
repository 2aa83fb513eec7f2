"""Meanings: what understanding gives, and what a clause may refer to. Knows no words."""
