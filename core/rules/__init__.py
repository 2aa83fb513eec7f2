"""Rules: what a row of the table of verbs means, its types and its checks. The rows are in ``core.planner_rules``."""
