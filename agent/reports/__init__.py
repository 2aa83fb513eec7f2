"""What became of a run, or of many flows, as one file that a person opens in a browser: what it says, its pictures, its look."""
