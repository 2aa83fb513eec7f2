"""Flows as tests: which files are meant, each run in a session of its own, what came of them, told to people and to CI systems."""
