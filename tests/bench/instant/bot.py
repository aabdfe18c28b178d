"""Answers at once, at up to 128 tables: what is measured is the arena."""

from arena.sdk import Bot, Card, View


class Instant(Bot):
    """Plays the first legal card."""

    capacity = 128

    def play(self, view: View) -> Card:
        """Return the first legal card."""
        return view.legal[0]


if __name__ == "__main__":
    Instant().run()
