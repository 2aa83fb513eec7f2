"""Facts about a machine and a workspace that any door may be asked for: what works here, and how planners do."""
