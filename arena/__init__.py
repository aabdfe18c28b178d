"""Tressette arena. Imports nothing, so that ``arena.v1`` loads without the rest."""
