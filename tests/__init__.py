"""Tests of the arena; they mirror the package."""
