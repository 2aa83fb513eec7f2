"""The service: what every door stands on. Doors are thin; who asks, what runs, what is asked and what came of it is known here."""
