"""Sessions: runs, from a request to its result; resumed and undone. The one door for every front end."""
