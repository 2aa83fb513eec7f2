"""How the command line looks: lists, questions, marks, colours."""
