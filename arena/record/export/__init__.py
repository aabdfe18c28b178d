"""Match logs as tables for data frames."""
