"""Memory: what runs leave in mind. Where it is kept is the agent's."""
