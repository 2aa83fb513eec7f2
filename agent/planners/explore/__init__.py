"""Open-ended tasks: look, propose, act, judge, until done or out of budget; what worked is kept as a flow that needs no model."""
