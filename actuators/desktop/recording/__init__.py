"""What a person does to programs: their keys and buttons, and the elements that these went to, named by the look before."""
