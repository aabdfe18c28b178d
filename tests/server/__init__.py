"""Tests of arena.server."""
