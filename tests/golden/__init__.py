"""Golden logs of overridden options and of ends that are ruled from outside a table."""
