"""Goals: what is wanted, in which scope, by which references and secrets, of which world. Nothing here plans."""
