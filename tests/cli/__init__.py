"""Tests of arena.cli."""
