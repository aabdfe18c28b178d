"""Tests of arena.rl."""
