"""Jobs: disk work in threads, whole files, states, and records to undo by. Used by the verbs."""
