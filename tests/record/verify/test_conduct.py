"""Clocks, faults and ends of a log are reckoned apart from the referee."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.record.lines import encode_line
from arena.record.read import read_log
from arena.record.verify.conduct import check_conduct
from arena.record.verify.log import verify_log
from tests.record.make_golden import GOLDENS
from tests.record.test_tampering import (
    TAMPERINGS,
    Lines,
    Tampering,
    again,
    changed,
    dropped,
    golden_lines,
    inserted,
    numbered,
    place_of,
    resealed,
    seat_turned,
)

LATE = "gamelake-4.late"
REFUSED = "gamelake-4.refused"
FAULTS = "gamelake-4.forfeit_faults"
CRASH = "gamelake-4.forfeit_crash"


def in_time(lines: Lines) -> Lines:
    """Shorten the think time of the late answer to one in time."""
    place = next(place for place, line in enumerate(lines) if line.get("autoplayed"))
    return [*lines[:place], {**lines[place], "think_us": 7}, *lines[place + 1 :]]


def never_late(lines: Lines) -> Lines:
    """Drop the first late fault and let its card be the bot's."""
    place = next(place for place, line in enumerate(lines) if line.get("autoplayed"))
    card = {key: value for key, value in lines[place].items() if key != "autoplayed"}
    card["think_us"] = 318_000  # its timer fired on the very microsecond that is still in time
    return dropped("fault")([*lines[:place], card, *lines[place + 1 :]])


def malformed(lines: Lines) -> Lines:
    """Call the first fault malformed."""
    place = place_of(lines, "fault")
    return [*lines[:place], {**lines[place], "kind": "malformed"}, *lines[place + 1 :]]


def ready_before_joined(lines: Lines) -> Lines:
    """Exchange what the first two lines of a seat say."""
    joined, ready = place_of(lines, "seat_joined"), place_of(lines, "seat_ready")
    kinds = {joined: "seat_ready", ready: "seat_joined"}
    return [{**line, "event": kinds.get(n, line["event"])} for n, line in enumerate(lines)]


def a_fault_from_nowhere(lines: Lines) -> Lines:
    place = place_of(lines, "trick_won")
    fault = {"event": "fault", "culprit": "bot", "kind": "malformed", "seat": 1}
    new = {"seq": 0, "at_us": lines[place]["at_us"], **fault}
    return numbered([*lines[:place], new, *lines[place:]])


CONDUCT = {
    "a limit shortened": Tampering(changed("decision_asked", 3, limit_ms=999), "decision_asked", 3),
    "a bank filled": Tampering(changed("decision_asked", 3, bank_ms=500), "decision_asked", 3),
    "a think time beyond the limit": Tampering(
        changed("card_played", 3, think_us=1_500_000), "card_played", 3
    ),
    "a think time longer than the time between": Tampering(
        changed("card_played", 3, think_us=900_000), "card_played", 3
    ),
    "a think time below nought": Tampering(
        changed("card_played", 3, think_us=-5), "card_played", 3
    ),
    "a lateness unsaid": Tampering(dropped("fault"), "fault", log=LATE),
    "a late answer made the bot's": Tampering(never_late, "fault", log=LATE),
    "a late answer made one in time": Tampering(in_time, "fault", offset=1, log=LATE),
    "a fault of another seat": Tampering(seat_turned("fault", 0), "fault", log=LATE),
    "a fault made worse": Tampering(malformed, "fault", log=LATE),
    "a fault from nowhere": Tampering(a_fault_from_nowhere, "trick_won"),
    "a refusal without its fault": Tampering(dropped("fault"), "fault", log=REFUSED),
    "a refusal unsaid": Tampering(dropped("answer_rejected"), "answer_rejected", log=REFUSED),
    "a forfeit one fault too early": Tampering(dropped("fault", -1), "fault", -1, log=FAULTS),
    "a forfeit of another seat": Tampering(
        seat_turned("match_ended", 0), "match_ended", log=FAULTS
    ),
    "a crash made a leaving": Tampering(
        changed("match_ended", termination="forfeit_left"), "match_ended", log=CRASH
    ),
    "a forfeit without its fault": Tampering(dropped("fault", -1), "fault", -1, log=CRASH),
    "a forfeit made void": Tampering(
        changed("match_ended", termination="host_fault", culprit="host"), "match_ended", log=CRASH
    ),
    "a processor time below nought": Tampering(
        changed("card_played", 3, cpu_us=-5), "card_played", 3
    ),
    "a note longer than any that is taken": Tampering(
        changed("card_played", 3, note="é" * 101), "card_played", 3
    ),
    "a stall below nought": Tampering(changed("match_ended", loop_stall_max_us=-1), "match_ended"),
    "a time of day that is none": Tampering(
        changed("deal_sealed", 1, time="noon"), "deal_sealed", 1
    ),
    "a seat taken twice": Tampering(
        inserted("match_started", event="seat_joined", seat=1), "match_started"
    ),
    "a seat ready before it was taken": Tampering(ready_before_joined, "seat_joined"),
    "a seat taken in the middle": Tampering(
        inserted("trick_won", event="seat_joined", seat=1), "trick_won"
    ),
    "a seat ready in the middle": Tampering(
        inserted("trick_won", event="seat_ready", seat=1), "trick_won"
    ),
    "a seat back that was never lost": Tampering(
        inserted("trick_won", event="seat_returned", seat=1), "trick_won"
    ),
    "an answer of a seat that is away": Tampering(
        inserted("card_played", event="seat_lost", seat=0), "card_played", offset=1
    ),
    "a seat lost twice and not at fault": Tampering(
        lambda lines: again("seat_lost", -1)(again("seat_lost", -1)(lines)),
        "seat_lost",
        offset=2,
        log=CRASH,
    ),
    "a seat that was never ready": Tampering(dropped("seat_ready", 2), "match_started", 0, -1),
}


@pytest.mark.parametrize("name", CONDUCT)
def test_tampering_with_time_and_faults_is_found_even_when_sealed_anew(
    name: str, tmp_path: Path
) -> None:
    tampering = CONDUCT[name]
    lines = golden_lines(tampering.log)
    path = tmp_path / "log.jsonl"
    path.write_bytes(resealed(tampering.do(lines)))
    first = verify_log(path).first
    assert first is not None
    assert first.seq == place_of(lines, tampering.kind, tampering.nth) + tampering.offset + 1


@pytest.mark.parametrize("name", [*CONDUCT, *TAMPERINGS])
def test_tampering_is_found_without_new_seals_too(name: str, tmp_path: Path) -> None:
    tampering = (CONDUCT | TAMPERINGS)[name]
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(map(encode_line, tampering.do(golden_lines(tampering.log)))))
    assert verify_log(path).first is not None


@pytest.mark.parametrize("path", sorted(GOLDENS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_golden_log_is_good(path: Path) -> None:
    assert verify_log(path).first is None


@pytest.mark.parametrize("name", ["italian-tournament.completed", FAULTS, CRASH, REFUSED, LATE])
def test_a_log_cut_anywhere_owes_nothing_after_its_last_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = (GOLDENS / f"{name}.jsonl").read_bytes().splitlines(keepends=True)
    for whole in range(1, len(lines)):
        path.write_bytes(b"".join(lines[:whole]))
        assert list(check_conduct(read_log(path))) == []


def shifted(by: int) -> Callable[[Lines], Lines]:
    """Shift every think time within what stays plausible."""
    return lambda lines: [
        {**line, "think_us": line["think_us"] + by} if "think_us" in line else line  # type: ignore[operator]
        for line in lines
    ]


def test_plausible_times_sealed_anew_are_found_by_nothing_in_the_log(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(resealed(shifted(1)(golden_lines())))
    assert verify_log(path).first is None
