"""Flows as tests: which are chosen, how they are run side by side, and what is judged and written of each."""
