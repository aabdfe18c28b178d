"""Tests of arena.sdk."""
