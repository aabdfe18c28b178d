"""Proofs of one log."""
