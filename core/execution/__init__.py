"""Execution: carries a plan out, step by step. It never branches on a domain or a verb."""
