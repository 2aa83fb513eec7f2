"""Planning: goals to actions whose arguments are authoritative, and their graph. Nothing here runs an action."""
