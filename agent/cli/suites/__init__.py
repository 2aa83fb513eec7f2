"""Flows as tests: found, run several at once, tried again, written down for CI systems, and what `surehand test` prints of them."""
