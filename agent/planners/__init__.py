"""Planners: what plans in steps, with models or without. They act through a session only, and so within table, policy, taint and approvals."""
