"""Answers at once, at one table or, by option, at many: what is measured is the arena."""

from arena.sdk import Bot, Card, View


class Instant(Bot):
    """Plays the first legal card."""

    def __init__(self) -> None:
        self.capacity = self.option("tables", 1)

    def play(self, view: View) -> Card:
        """Return the first legal card."""
        return view.legal[0]


if __name__ == "__main__":
    Instant().run()
