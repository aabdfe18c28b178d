"""Tables at the very moment at which a seat can do a deed.

Owns the search for cards that allow it. Must not know what the deed costs.
"""

from __future__ import annotations

from itertools import count
from typing import Final

import pytest

from arena.referee.conduct import Conduct
from arena.rules.presets import PRESETS
from tests.referee.deeds import Course, Deed, Moment

SEAT: Final = 1
LENIENT: Final = Conduct(late=900, illegal=900, malformed=900, revoke=900, infraction=900)
WITHOUT_SIGNALS: Final = {Deed.ILLEGAL, Deed.UNKNOWN_WORD}
"""Deeds of a ruleset that refuses illegal cards and knows no words."""
IN_FIRST_TRICK: Final = {Deed.FALSE_CLAIM}
NEEDS_LOSS: Final = {Deed.RETURN, Deed.NO_RETURN}


def course_for(moment: Moment, deed: Deed) -> Course:
    """Bring a table to a moment at which seat 1 can do a deed, by the first seed that will do."""
    ruleset = PRESETS["gamelake-4" if deed in WITHOUT_SIGNALS else "italian-tournament"]
    for seed in count():
        course = Course.fresh(ruleset, seed=f"deeds {seed}", conduct=LENIENT)
        if bring_to(course, moment, deed) and course.input_of(deed, SEAT) is not None:
            return course
    raise AssertionError("seeds never end")


def bring_to(course: Course, moment: Moment, deed: Deed) -> bool:
    """Play to a moment; False if these cards do not let the seat follow suit or do the deed.

    Past the first trick the referee has once played for the seat, and once the seat has.
    """
    after = 0 if deed in IN_FIRST_TRICK else 9
    is_at_play = moment.phase not in (Moment.WAITING.phase, Moment.GETTING_READY.phase)
    if is_at_play or moment is Moment.OVER:
        while len(course.answers) < after or not is_following(course):
            go_on_once_late(course, after)
            if len(course.answers) > 11:
                return False
    if moment is Moment.OVER:
        course.bring(course.input_of(Deed.ABORT, SEAT) or pytest.fail("it can be aborted"))
        return course.moment(SEAT) is moment
    for _ in range(12):
        if course.moment(SEAT) is moment:
            if deed in NEEDS_LOSS:
                course.bring(course.input_of(Deed.LOSS, SEAT) or pytest.fail("it can be lost"))
            return True
        course.go_on()
    return False


def is_following(course: Course) -> bool:
    """Whether the seat is asked, may follow suit, and holds other cards."""
    ask = course.ask
    if course.moment(SEAT) is not Moment.ASKED or ask is None:
        return False
    return len(ask.question.legal) < len(ask.observation.hand)


def go_on_once_late(course: Course, after: int) -> None:
    """Do what the table waits for; the seat is silent once, if there is a past to be had."""
    if after and course.moment(SEAT) is Moment.THINKING and len(course.answers) < 4:
        course.bring(course.input_of(Deed.SILENCE, SEAT) or pytest.fail("it can be silent"))
    else:
        course.go_on()
