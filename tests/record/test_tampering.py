"""One tampered log of each kind is refused, at the right line, sealed anew or not."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from arena.record.lines import decode_line, encode_line
from arena.record.read import read_log
from arena.record.rerun import Difference, check, expected_lines, rerun
from arena.record.seal import Chain
from tests.record.make_golden import GOLDENS

Fields = dict[str, object]
Lines = list[Fields]

LOG: Final = GOLDENS / "italian-tournament.completed.jsonl"


def place_of(lines: Lines, kind: str, nth: int = 0) -> int:
    """Find the nth line of a kind; negative from the end."""
    return [place for place, line in enumerate(lines) if line["event"] == kind][nth]


def numbered(lines: Lines) -> Lines:
    return [{**line, "seq": seq} for seq, line in enumerate(lines, start=1)]


def resealed(lines: Lines) -> bytes:
    """Write lines with every seal computed anew, as somebody would who knows how."""
    chain = Chain()
    written = b""
    for line in lines:
        raw = encode_line({**line, "chain": chain.seal()} if "chain" in line else line)
        chain.update(raw)
        written += raw
    return written


def changed(kind: str, nth: int = 0, **values: object) -> Callable[[Lines], Lines]:
    def tamper(lines: Lines) -> Lines:
        place = place_of(lines, kind, nth)
        return [*lines[:place], {**lines[place], **values}, *lines[place + 1 :]]

    return tamper


def dropped(kind: str, nth: int = 0) -> Callable[[Lines], Lines]:
    def tamper(lines: Lines) -> Lines:
        place = place_of(lines, kind, nth)
        return numbered([*lines[:place], *lines[place + 1 :]])

    return tamper


def swapped(kind: str, nth: int = 0) -> Callable[[Lines], Lines]:
    """Exchange a line with the next one and number both anew."""

    def tamper(lines: Lines) -> Lines:
        place = place_of(lines, kind, nth)
        pair = [lines[place + 1], lines[place]]
        return numbered([*lines[:place], *pair, *lines[place + 2 :]])

    return tamper


def without(name: str) -> Callable[[Lines], Lines]:
    return lambda lines: [
        {key: value for key, value in line.items() if key != name} for line in lines
    ]


def annotated(lines: Lines) -> Lines:
    return [{**line, "note": "sorry"} if line.get("autoplayed") else line for line in lines]


def inserted(kind: str, **values: object) -> Callable[[Lines], Lines]:
    """Put a line before the first of a kind."""

    def tamper(lines: Lines) -> Lines:
        place = place_of(lines, kind)
        new = {"seq": 0, "at_us": lines[place]["at_us"], **values}
        return numbered([*lines[:place], new, *lines[place:]])

    return tamper


def again(kind: str, nth: int) -> Callable[[Lines], Lines]:
    def tamper(lines: Lines) -> Lines:
        place = place_of(lines, kind, nth)
        return numbered([*lines[: place + 1], *lines[place:]])

    return tamper


def a_card_after_the_last(lines: Lines) -> Lines:
    """Let somebody play once more after the last deal was sealed."""
    place = place_of(lines, "match_ended")
    card = {**lines[place_of(lines, "card_played", -1)], "at_us": lines[place]["at_us"]}
    return numbered([*lines[:place], card, *lines[place:]])


def a_question_after_the_last(lines: Lines) -> Lines:
    place = place_of(lines, "match_ended")
    question = {**lines[place_of(lines, "decision_asked", -1)], "at_us": lines[place]["at_us"]}
    return numbered([*lines[:place], question, *lines[place:]])


def dealt_twice(lines: Lines) -> Lines:
    place = place_of(lines, "deal_started", 1)
    hands = [list(hand) for hand in lines[place]["hands"]]  # type: ignore[attr-defined]
    hands[0][0] = hands[1][0]
    return [*lines[:place], {**lines[place], "hands": hands}, *lines[place + 1 :]]


def a_card_less(lines: Lines) -> Lines:
    place = place_of(lines, "deal_started", 1)
    hands = [list(hand)[:-1] for hand in lines[place]["hands"]]  # type: ignore[attr-defined]
    return [*lines[:place], {**lines[place], "hands": hands}, *lines[place + 1 :]]


def played_again(lines: Lines) -> Lines:
    first = lines[place_of(lines, "card_played")]
    return changed("card_played", 4, card=first["card"])(lines)


def seat_turned(kind: str, nth: int) -> Callable[[Lines], Lines]:
    """Name the next seat in place of the true one."""

    def tamper(lines: Lines) -> Lines:
        seat = lines[place_of(lines, kind, nth)]["seat"]
        assert isinstance(seat, int)
        return changed(kind, nth, seat=(seat + 1) % 4)(lines)

    return tamper


@dataclass(frozen=True)
class Tampering:
    """What is done, and the line at which it is found once the seals are computed anew.

    ``kind`` and ``nth`` name that line of the true log; ``offset`` counts on from it.
    """

    do: Callable[[Lines], Lines]
    kind: str
    nth: int = 0
    offset: int = 0
    log: str = "italian-tournament.completed"


TAMPERINGS: Final = {
    "a card not held": Tampering(played_again, "card_played", 4),
    "another seat's card": Tampering(seat_turned("card_played", 4), "card_played", 4),
    "a false autoplay": Tampering(changed("card_played", 4, autoplayed=True), "card_played", 4),
    "a word unsaid": Tampering(changed("card_played", 1, signal="busso"), "card_played", 1),
    "legal cards": Tampering(changed("decision_asked", 9, legal=["D4"]), "decision_asked", 9),
    "who is asked": Tampering(seat_turned("decision_asked", 9), "decision_asked", 9),
    "a trick's winner": Tampering(seat_turned("trick_won", 2), "trick_won", 2),
    "a trick's worth": Tampering(changed("trick_won", 2, thirds=9), "trick_won", 2),
    "declared points": Tampering(changed("declaration_made", points=4), "declaration_made"),
    "a deal's total": Tampering(changed("deal_scored", 1, totals=[40, 0]), "deal_scored", 1),
    "the match's total": Tampering(changed("match_ended", totals=[40, 0]), "match_ended"),
    "the winner": Tampering(changed("match_ended", winner=1), "match_ended"),
    "a leader": Tampering(changed("deal_started", 1, leader=3), "deal_started", 1),
    "a board": Tampering(changed("deal_started", 1, board=7), "deal_started", 1),
    "a card dealt twice": Tampering(dealt_twice, "deal_started", 1),
    "a card less": Tampering(a_card_less, "deal_started", 1),
    "a play lost": Tampering(dropped("card_played", 4), "decision_asked", 5, -1),
    "a question lost": Tampering(dropped("decision_asked", 4), "decision_asked", 4),
    "a seal lost": Tampering(dropped("deal_sealed"), "deal_sealed"),
    "a trick's end lost": Tampering(dropped("trick_won", 3), "trick_won", 3),
    "a play before its question": Tampering(swapped("decision_asked", 4), "decision_asked", 4),
    "a seal before its deal's score": Tampering(swapped("deal_scored"), "deal_scored"),
    "the end of the match too early": Tampering(swapped("deal_sealed", 1), "deal_sealed", 1),
    "the match never started": Tampering(dropped("match_started"), "match_started"),
    "time running back": Tampering(changed("trick_won", 2, at_us=0), "trick_won", 2),
    "a time that nobody took": Tampering(
        changed("trick_won", 2, think_us=5, lag_us=0), "trick_won", 2
    ),
    "an answer without its time": Tampering(without("think_us"), "card_played"),
    "a note of a bot that was late": Tampering(annotated, "card_played", 5, log="gamelake-4.late"),
    "a draw made a win": Tampering(
        changed("match_ended", termination="completed"),
        "match_ended",
        log="gamelake-4.drawn_at_limit",
    ),
    "a forfeit made a defeat": Tampering(
        changed("match_ended", termination="completed"),
        "match_ended",
        log="gamelake-4.forfeit_crash",
    ),
    "a forfeit won by the forfeiter": Tampering(
        changed("match_ended", winner=1), "match_ended", log="gamelake-4.forfeit_crash"
    ),
    "a defeat before the first card": Tampering(
        changed("match_ended", termination="completed"),
        "match_ended",
        log="gamelake-4.forfeit_not_ready",
    ),
    "a seat that comes back after the end": Tampering(
        inserted("log_closed", event="seat_returned", seat=1), "log_closed"
    ),
    "a match started twice": Tampering(
        inserted("seat_ready", event="match_started"), "deal_started"
    ),
    "a question twice": Tampering(again("decision_asked", 4), "card_played", 4),
    "a card after the last": Tampering(a_card_after_the_last, "match_ended"),
    "a question after the last": Tampering(a_question_after_the_last, "match_ended"),
    "a log closed before its match ended": Tampering(dropped("match_ended"), "match_ended"),
    "a longer match": Tampering(changed("log_opened", boards=3), "match_ended"),
}


def golden_lines(name: str = LOG.stem) -> Lines:
    return [decode_line(line) for line in (GOLDENS / f"{name}.jsonl").read_bytes().splitlines()]


def first_difference(path: Path, content: bytes) -> Difference:
    path.write_bytes(content)
    return check(read_log(path))[0]


@pytest.mark.parametrize("name", TAMPERINGS)
def test_tampering_is_found_at_its_line_even_when_sealed_anew(name: str, tmp_path: Path) -> None:
    tampering = TAMPERINGS[name]
    lines = golden_lines(tampering.log)
    content = resealed(tampering.do(lines))
    difference = first_difference(tmp_path / "log.jsonl", content)
    assert difference.seq == place_of(lines, tampering.kind, tampering.nth) + tampering.offset + 1
    assert difference.expected != difference.found
    assert str(difference).startswith(str(tmp_path / "log.jsonl"))


def test_a_changed_time_is_found_by_the_next_seal_unless_sealed_anew(tmp_path: Path) -> None:
    lines = golden_lines()
    tampered = changed("card_played", 4, think_us=1)(lines)
    path = tmp_path / "log.jsonl"
    content = b"".join(encode_line(line) for line in tampered)
    assert first_difference(path, content).seq == place_of(lines, "deal_sealed") + 1
    path.write_bytes(resealed(tampered))
    assert check(read_log(path)) == ()


@pytest.mark.parametrize(("kind", "nth"), [("deal_sealed", 0), ("log_closed", 0)])
def test_a_changed_seal_is_found_at_its_line(kind: str, nth: int, tmp_path: Path) -> None:
    lines = golden_lines()
    tampered = changed(kind, nth, chain="0" * 64)(lines)
    content = b"".join(encode_line(line) for line in tampered)
    difference = first_difference(tmp_path / "log.jsonl", content)
    assert difference.seq == place_of(lines, kind, nth) + 1
    assert str(lines[place_of(lines, kind, nth)]["chain"]) in difference.expected


def test_a_changed_line_breaks_the_next_seal_and_all_that_stand_on_it(tmp_path: Path) -> None:
    lines = golden_lines()
    tampered = changed("deal_sealed", 0, time="yesterday")(lines)
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(encode_line(line) for line in tampered))
    assert [difference.seq for difference in rerun(read_log(path))] == [
        place_of(lines, "deal_sealed", 1) + 1,
        place_of(lines, "log_closed") + 1,
    ]


def test_the_form_of_a_line_counts_too(tmp_path: Path) -> None:
    content = LOG.read_bytes()
    spaced = content.replace(b'"event":"seat_joined"', b'"event": "seat_joined"', 1)
    assert first_difference(tmp_path / "log.jsonl", spaced).seq == 2


def test_an_added_field_is_found(tmp_path: Path) -> None:
    lines = golden_lines()
    content = resealed(changed("trick_won", 0, remark="well played")(lines))
    assert first_difference(tmp_path / "log.jsonl", content).seq == place_of(lines, "trick_won") + 1


def test_a_cut_log_is_refused_at_the_line_that_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = LOG.read_bytes().splitlines(keepends=True)
    for whole in range(1, len(lines)):
        path.write_bytes(b"".join(lines[:whole]) + lines[whole][:7])
        (difference,) = check(read_log(path))
        assert difference.seq == whole + 1
        assert difference.found == "the end of the file, after 7 bytes of a cut line"
    assert list(rerun(read_log(path))) == []


@pytest.mark.parametrize(
    "name", ["cardgames-zone-4.false_claim.jsonl", "pagat-4.false_claim.jsonl"]
)
def test_a_log_cut_within_an_answer_has_no_other_difference(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = (GOLDENS / name).read_bytes().splitlines(keepends=True)
    for whole in range(1, len(lines)):
        path.write_bytes(b"".join(lines[:whole]))
        assert list(rerun(read_log(path))) == []


def test_unknown_kinds_are_walked_past_wherever_they_stand(tmp_path: Path) -> None:
    lines = golden_lines()
    for kind in ("deal_sealed", "card_played", "log_closed"):
        lines = inserted(kind, event="weather", sky="blue")(lines)
    path = tmp_path / "log.jsonl"
    path.write_bytes(resealed(lines))
    assert check(read_log(path)) == ()


def test_lines_are_written_anew_up_to_where_the_game_cannot_go_on(tmp_path: Path) -> None:
    lines = golden_lines()
    path = tmp_path / "log.jsonl"
    path.write_bytes(resealed(played_again(lines)))
    written = list(expected_lines(read_log(path)))
    assert len(written) == place_of(lines, "card_played", 4)
