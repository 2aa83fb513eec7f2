"""Reading text in pictures and finding pictures in pictures, on this machine."""
