"""Tests of the wire: every value there and back, every byte survived."""
