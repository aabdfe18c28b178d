"""What holds on this machine, found by trying it."""
