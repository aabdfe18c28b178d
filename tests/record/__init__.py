"""Tests of the record: logs, seals, results, replay."""
