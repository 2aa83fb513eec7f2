"""Settings: from files, environment and folders, each with what it may change."""
