"""Tests of arena.tournament.rating."""
