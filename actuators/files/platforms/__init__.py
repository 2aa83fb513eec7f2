"""Back ends by system: which disk, trash and opener a machine has."""
