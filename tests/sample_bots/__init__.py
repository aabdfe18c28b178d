"""Tests of the sample bots: their folders, and how they play."""
