"""Journal: rows of what was begun and done, and what they say of a run that broke off. Storage is the agent's."""
