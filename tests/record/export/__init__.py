"""Tables for data frames."""
