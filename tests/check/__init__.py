"""Tests of the submission check."""
