"""Language: sentences to goals. Never sees a page, a file or a run."""
