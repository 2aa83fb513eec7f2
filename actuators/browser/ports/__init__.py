"""What a back end of the browser does: protocols and their records, without defaults, and no tool."""
