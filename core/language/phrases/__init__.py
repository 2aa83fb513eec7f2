"""Phrases: the slots of phrases, the phrase that a clause matches, and the steps that come of it with what they refer to."""
