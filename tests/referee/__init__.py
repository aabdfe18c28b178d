"""The referee against scripted bots in memory."""
