"""Approvals: what a person is asked, and how answers are bound to it. Doors show the questions."""
