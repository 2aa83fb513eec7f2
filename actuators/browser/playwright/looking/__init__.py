"""Looking: what is read of pages. Nothing here changes one."""
