"""Project: what a session works on, summed up in few words for whoever plans."""
