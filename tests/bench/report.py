"""A bar and how it is reported: one line NAME, figure, goal, ``met`` or ``missed``.

Owns the form of the report. Source: performance.md ("Bars").
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One measured figure against its goal; ``at_least``: whether more is better."""

    name: str
    figure: float
    goal: float
    unit: str
    at_least: bool = True

    @property
    def is_met(self) -> bool:
        """Whether the figure reaches the goal."""
        return self.figure >= self.goal if self.at_least else self.figure <= self.goal

    def __str__(self) -> str:
        """The line of the report."""
        sign = ">=" if self.at_least else "<="
        verdict = "met" if self.is_met else "missed"
        figure, goal = (
            f"{value:,.2f}".rstrip("0").rstrip(".") for value in (self.figure, self.goal)
        )
        return f"{self.name}  {figure} {self.unit}  goal {sign} {goal} {self.unit}  {verdict}"
