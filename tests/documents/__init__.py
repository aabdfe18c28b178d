"""Tests of what README and docs show: every snippet and every command of them."""
