"""From what people say to goals: literals, clauses, phrases, slots. Pure functions, no model."""
