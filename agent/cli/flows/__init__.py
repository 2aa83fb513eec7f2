"""`surehand flows`: flow files are checked, put in form and mended. Nothing here accepts anything by itself."""
