"""Random: any legal card. The least a bot can be, and the floor that others are held against."""

from arena.sdk import Bot, Card, View


class Random(Bot):
    """Plays every seat of every ruleset; declares all it can, says no word."""

    def play(self, view: View) -> Card:
        """Return a legal card by chance: the same one whenever this match is played again."""
        return view.random.choice(view.legal)


if __name__ == "__main__":
    Random().run()
