"""How what the command line says looks: lists, marks, words for causes. Nothing here plans, runs or reads files."""
