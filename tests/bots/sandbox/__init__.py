"""Tests of arena.bots.sandbox: attacks from inside, and its parts."""
