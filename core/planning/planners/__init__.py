"""PlannerBase and its kin: what plans in steps, with models or without. Types, lifecycle and ports; nothing here reads a file or asks a model."""
