"""Values: reading what is no thing on a machine: numbers, lengths of time, keys, addresses, texts, names, lists."""
