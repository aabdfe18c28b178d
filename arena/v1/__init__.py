"""Stubs made from ``proto/`` by ``make proto``; never edited."""
