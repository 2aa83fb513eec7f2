"""What several families need of a system: buses, displays, threads for devices. No verbs."""
