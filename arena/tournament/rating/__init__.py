"""Numbers known from other games, and tests that stop by themselves; none of them ranks."""
