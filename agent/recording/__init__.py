"""From what a person does on pages to a flow: events become acts, acts become goals; what was undone is left out. Pure, but for what opens the browser."""
