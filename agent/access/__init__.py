"""Who may come through a door that others reach: principals, their tokens and quotas."""
